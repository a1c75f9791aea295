// SPDX-License-Identifier: GPL-3.0-or-later
// Real processes on this machine: started, followed, stopped, found again.
#include "session_fixture.h"

#include "session/rebuild.h"

#include <QStandardPaths>

#include <signal.h>

#include <fstream>
#include <sstream>

namespace sb::test {
namespace {

TEST_F(SessionTest, RunsAPlanToResultsWithASpeedup)
{
    start(plan("quick", 2));
    ASSERT_TRUE(finish());
    EXPECT_EQ(problems, std::vector<std::string>{});
    EXPECT_EQ(session->progress().doneRuns, 4);
    ASSERT_EQ(session->results().size(), 2U);
    EXPECT_EQ(session->results()[0].repeats, 2);
    EXPECT_EQ(session->results()[0].speedup, 1.0);
    EXPECT_TRUE(session->results()[1].speedup.has_value());
    EXPECT_EQ(leftOnNode(), QStringList());
    for (const sb::Run &run : session->runs()) {
        EXPECT_EQ(run.state, RunState::Done);
        EXPECT_EQ(run.commands.size(), static_cast<std::size_t>(run.key.devices()));
        EXPECT_EQ(session->samples(run.id, 0)->size(), 10U);
        EXPECT_EQ(session->samples(run.id, run.key.devices() - 1)->size(), 10U);
    }
}

TEST_F(SessionTest, ASampleLeadsBackToItsLogLine)
{
    start(plan("quick"));
    ASSERT_TRUE(finish());
    const sb::Run &run = session->runs().front();
    const QByteArray log = bytesOf(session->rawLogPath(run.id, 0));
    const auto samples = session->samples(run.id, 0);
    for (const Sample &sample : *samples)
        EXPECT_TRUE(log.mid(sample.logOffset)
                        .startsWith("{\"event\":\"step\",\"step\":" +
                                    QByteArray::number(qlonglong(sample.step)) + ","));
}

TEST_F(SessionTest, DoesNothingTwice)
{
    start(plan("quick"));
    ASSERT_TRUE(finish());
    const std::size_t runs = session->runs().size();
    start(plan("quick"));
    ASSERT_TRUE(finish());
    EXPECT_EQ(session->runs().size(), runs);
    start(plan("quick", 3)); // two more repeats are wanted now
    ASSERT_TRUE(finish());
    EXPECT_EQ(session->runs().size(), 3 * runs);
}

TEST_F(SessionTest, SaysWhyARunFailed)
{
    start(plan("broken"));
    ASSERT_TRUE(finish());
    EXPECT_EQ(session->progress().failedRuns, 2);
    const sb::Run &run = session->runs().front();
    EXPECT_EQ(run.state, RunState::Failed);
    EXPECT_EQ(run.exitCode, 6);
    EXPECT_EQ(run.reason, "Rank 0 on local ended with status 6: not enough memory for batch size 2.");
    EXPECT_TRUE(session->results().empty());
}

TEST_F(SessionTest, ARunWithTooFewStepsIsNotGreen)
{
    start(plan("short"));
    ASSERT_TRUE(finish());
    EXPECT_EQ(session->runs().front().state, RunState::Failed);
    EXPECT_EQ(session->runs().front().exitCode, 0);
    EXPECT_NE(session->runs().front().reason.find("has 9 steps"), std::string::npos);
}

bool steps(const SessionModel &session, std::size_t count)
{
    return session.live() && !session.live()->ranks.empty() && session.live()->ranks[0].size() >= count;
}

TEST_F(SessionTest, StopEndsEveryProcessAndKeepsTheSteps)
{
    start(longPlan("slow"));
    ASSERT_TRUE(waitFor([&] { return steps(*session, 3); }));
    session->stopRun();
    ASSERT_TRUE(finish());
    const sb::Run &run = session->runs().front();
    EXPECT_EQ(run.state, RunState::Cancelled);
    EXPECT_EQ(run.exitCode, 143); // by TERM, before it would have ended by itself
    EXPECT_GE(session->samples(run.id, 0)->size(), 3U);
    EXPECT_LT(session->samples(run.id, 0)->size(), 290U);
    EXPECT_TRUE(session->results().empty());
    EXPECT_EQ(session->progress().failedRuns, 0);
    EXPECT_EQ(leftOnNode(), QStringList());
}

TEST_F(SessionTest, StopEndsAProgramThatIgnoresIt)
{
    start(longPlan("deaf"));
    ASSERT_TRUE(waitFor([&] { return steps(*session, 1); }));
    session->stopRun();
    ASSERT_TRUE(finish(15));
    EXPECT_EQ(session->runs().front().state, RunState::Cancelled);
    EXPECT_LT(session->samples(session->runs().front().id, 0)->size(), 290U);
}

TEST_F(SessionTest, PausesAfterTheRun)
{
    start(plan("quick", 3));
    session->setPauseAfterRun(true);
    ASSERT_TRUE(finish());
    EXPECT_EQ(session->runs().size(), 1U);
    start(plan("quick", 3));
    ASSERT_TRUE(finish());
    EXPECT_EQ(session->runs().size(), 6U);
}

// The window goes away in the middle of a run; the run goes on and is found again, byte for byte.
TEST_F(SessionTest, FindsARunAgainThatWentOnWithoutIt)
{
    start(plan("slow"));
    ASSERT_TRUE(waitFor([&] { return steps(*session, 3); }));
    const std::string id = session->live()->run.id;
    openSession();
    EXPECT_EQ(session->runs().front().state, RunState::Running);
    start(plan("slow"));
    ASSERT_TRUE(finish());
    ASSERT_EQ(session->runs().size(), 2U);
    EXPECT_EQ(session->runs().front().id, id);
    EXPECT_EQ(session->runs().front().state, RunState::Done);
    EXPECT_EQ(session->samples(id, 0)->size(), 10U);
    int lines = 0;
    std::istringstream log(bytesOf(session->rawLogPath(id, 0)).toStdString());
    for (std::string line; std::getline(log, line);)
        ++lines;
    EXPECT_EQ(lines, 13); // start, ready, ten steps, end
    EXPECT_EQ(leftOnNode(), QStringList());
}

TEST_F(SessionTest, ARunWhoseNodeForgotItIsLostAndDoneAgain)
{
    start(plan("slow"));
    ASSERT_TRUE(waitFor([&] { return steps(*session, 2); }));
    const std::string id = session->live()->run.id;
    session.reset();
    std::ifstream file(path("node") + "/" + id + "/pgid");
    int group = 0;
    ASSERT_TRUE(file >> group && group > 1);
    ASSERT_EQ(::kill(-group, SIGKILL), 0); // as a power cut would
    openSession();
    start(plan("slow"));
    ASSERT_TRUE(finish());
    EXPECT_EQ(session->runs().front().state, RunState::Lost);
    EXPECT_EQ(session->runs().size(), 3U);
    EXPECT_EQ(session->progress().doneRuns, 2);
}

TEST_F(SessionTest, RebuildGivesTheSameRunsFromTheLogsAlone)
{
    start(plan("quick", 2));
    ASSERT_TRUE(finish());
    const std::vector<sb::Run> before = session->runs();
    const auto samplesBefore = session->samples(before.back().id, 1);
    const std::vector<Framework> frameworks = session->frameworks();
    session.reset();
    for (const char *name :
         {"workspace/scaleboard.db", "workspace/scaleboard.db-wal", "workspace/scaleboard.db-shm"})
        QFile::remove(folder.filePath(QString::fromLatin1(name)));
    const auto workspace = Workspace::open(path("workspace"));
    ASSERT_TRUE(workspace.ok());
    const auto report = rebuild(**workspace, frameworks);
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report->measured, 4);
    EXPECT_EQ((*workspace)->runs(), before);
    EXPECT_EQ(*(*workspace)->samples(before.back().id, 1), *samplesBefore);
}

TEST_F(SessionTest, KeepsItsWorkspaceWhereAnotherCannotBeOpened)
{
    start(plan("quick"));
    ASSERT_TRUE(finish());
    QDir(folder.path()).mkpath(QStringLiteral("rubbish"));
    std::ofstream(path("rubbish/workspace.json")) << "{]";
    EXPECT_FALSE(session->openWorkspace(path("rubbish")).ok());
    EXPECT_FALSE(session->openWorkspace(path("nothing")).ok());
    EXPECT_FALSE(session->createWorkspace(path("rubbish")).ok());
    EXPECT_EQ(session->workspaceFolder(), path("workspace"));
    EXPECT_EQ(session->results().size(), 2U);
    EXPECT_TRUE(session->openWorkspace(path("workspace")).ok()); // itself, again
    EXPECT_EQ(session->results().size(), 2U);
    EXPECT_TRUE(session->createWorkspace(path("other")).ok());
    EXPECT_TRUE(session->results().empty());
}

TEST_F(SessionTest, OpensNoOtherWorkspaceWhileAPlanRuns)
{
    start(plan("slow"));
    ASSERT_TRUE(waitFor([&] { return steps(*session, 2); }));
    const auto opened = session->createWorkspace(path("other"));
    ASSERT_FALSE(opened.ok());
    EXPECT_NE(opened.error().message.find("A plan is running"), std::string::npos);
    EXPECT_FALSE(QFile::exists(folder.filePath(QStringLiteral("other"))));
    EXPECT_FALSE(session->openWorkspace(path("workspace")).ok());
    session->stopRun();
    ASSERT_TRUE(finish());
    EXPECT_TRUE(session->createWorkspace(path("other")).ok());
}

TEST_F(SessionTest, RefusesToStartWithoutAProgram)
{
    session = std::make_unique<SessionModel>(
        SessionModel::Options{SCALEBOARD_TEST_DATA "/plugins", {path("nothing")}, path("node")});
    ASSERT_TRUE(waitFor([&] { return !session->probing(); }));
    ASSERT_TRUE(session->createWorkspace(path("other")).ok());
    session->setPlan(plan("quick"));
    const auto started = session->startPlan();
    ASSERT_FALSE(started.ok());
    EXPECT_NE(
        started.error().message.find("The program \"sb-test-steps\" of Steps (test program) was not found"),
        std::string::npos);
    EXPECT_TRUE(session->runs().empty());
}

// The window goes away while mpirun starts ranks; they go on and are found again.
TEST_F(SessionTest, RunsUnderMpirunAndFindsTheRunAgain)
{
    if (QStandardPaths::findExecutable(QStringLiteral("mpirun")).isEmpty())
        GTEST_SKIP() << "the program mpirun is missing (package openmpi-bin)";
    Plan p = plan("slow");
    p.launcher = "mpirun";
    p.scales = {{1, 2}};
    start(p);
    ASSERT_TRUE(waitFor([&] { return steps(*session, 3); }));
    const std::string id = session->live()->run.id;
    openSession();
    start(p);
    ASSERT_TRUE(finish());
    EXPECT_EQ(problems, std::vector<std::string>{});
    ASSERT_EQ(session->runs().size(), 1U);
    const sb::Run &run = session->runs().front();
    EXPECT_EQ(run.id, id);
    EXPECT_EQ(run.state, RunState::Done) << run.reason;
    EXPECT_EQ(run.key.launcher(), "mpirun");
    EXPECT_EQ(session->samples(id, 0)->size(), 10U);
    EXPECT_EQ(session->samples(id, 1)->size(), 10U);
    EXPECT_EQ(leftOnNode(), QStringList());
}

} // namespace
} // namespace sb::test
