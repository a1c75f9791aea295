// SPDX-License-Identifier: GPL-3.0-or-later
// A session on this machine with a small program in place of a framework, in folders that vanish afterwards.
#pragma once

#include "session/session_model.h"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QTemporaryDir>
#include <QTimer>

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

namespace sb::test {

// Runs the event loop until `done` holds; false after `timeoutS`.
inline bool waitFor(const std::function<bool()> &done, int timeoutS = 30)
{
    QElapsedTimer clock;
    clock.start();
    QEventLoop loop;
    QTimer poll;
    QObject::connect(&poll, &QTimer::timeout, &loop, [&] {
        if (done() || clock.elapsed() > timeoutS * 1000)
            loop.quit();
    });
    poll.start(5);
    if (!done())
        loop.exec();
    return done();
}

class SessionTest : public testing::Test {
protected:
    void SetUp() override { openSession(); }

    void openSession()
    {
        session.reset();
        session = std::make_unique<SessionModel>(SessionModel::Options{
            SCALEBOARD_TEST_DATA "/plugins", {SCALEBOARD_SOURCE "/tests/support/bin"}, path("node")});
        ASSERT_TRUE(waitFor([&] { return !session->probing(); }));
        const auto created = session->createWorkspace(path("workspace"));
        ASSERT_TRUE(created.ok()) << (created ? "" : created.error().message);
        QObject::connect(session.get(), &SessionModel::problem, session.get(),
                         [this](const QString &text) { problems.push_back(text.toStdString()); });
    }

    std::string path(const char *name) const
    {
        return folder.filePath(QString::fromLatin1(name)).toStdString();
    }

    Plan plan(const std::string &workload, int repeats = 1) const
    {
        Plan p;
        p.name = "test";
        p.frameworks = {"steps"};
        p.workloads = {{workload, {"fp32"}, {2}}};
        p.scales = {{1, 1}, {1, 2}};
        p.device = "cpu";
        p.threadsPerDevice = 1;
        p.measurement = {2, 8, repeats};
        return p;
    }

    Plan longPlan(const std::string &workload) const // about 30 s a run
    {
        Plan p = plan(workload);
        p.measurement.measuredSteps = 298;
        return p;
    }

    void start(const Plan &p)
    {
        session->setPlan(p);
        const auto started = session->startPlan();
        ASSERT_TRUE(started.ok()) << (started ? "" : started.error().message);
    }

    bool finish(int timeoutS = 30)
    {
        return waitFor([&] { return !session->progress().active; }, timeoutS);
    }

    // Run folders left on the "node"; empty when everything was fetched and removed.
    QStringList leftOnNode() const
    {
        waitFor(
            [&] {
                return QDir(folder.filePath(QStringLiteral("node")))
                    .entryList(QDir::Dirs | QDir::NoDotAndDotDot)
                    .isEmpty();
            },
            3);
        return QDir(folder.filePath(QStringLiteral("node"))).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    }

    QByteArray bytesOf(const std::string &file) const
    {
        QFile f(QString::fromStdString(file));
        return f.open(QIODevice::ReadOnly) ? f.readAll() : QByteArray("<missing>");
    }

    QTemporaryDir folder;
    std::unique_ptr<SessionModel> session;
    std::vector<std::string> problems;
};

} // namespace sb::test
