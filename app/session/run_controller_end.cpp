// SPDX-License-Identifier: GPL-3.0-or-later
// How a run ends: when all of it is here, what is left on the nodes, and why it ended so.
#include "session/run_controller.h"

#include "core/text.h"
#include "session/job_queue.h"
#include "session/launch_scripts.h"
#include "session/node_scripts.h"

#include <algorithm>

namespace sb {

namespace {
constexpr int kRemoveMs = 5000;
constexpr const char *kKilled =
    "Something killed it; the node's memory, or a container's share of it, is the usual reason.";

// The mark that the line begins with; empty: none.
std::string_view starterMark(const std::string &line)
{
    for (const std::string_view mark : kStarterMarks)
        if (line.starts_with(mark))
            return mark;
    return {};
}

} // namespace

void RunController::flush()
{
    if (m_batch.empty())
        return;
    for (const auto &[rank, rankEnd] : m_batch.ends)
        m_rankEnds[rank] = rankEnd;
    for (const LogLine &line : m_batch.lines)
        if (const std::string_view mark = starterMark(line.text); line.rank < 0 && !mark.empty())
            m_mpirunLine = m_mpirunLine.empty() ? line.text.substr(mark.size()) : m_mpirunLine;
        else if (line.rank < 0 && !trimmed(line.text).empty())
            m_lastErrorLine = line.text;
    LogBatch batch;
    std::swap(batch, m_batch);
    Q_EMIT batchReady(batch);
}

void RunController::endIfOver()
{
    if (m_ended)
        return;
    for (const auto &node : m_nodes) {
        if (!node->over())
            return;
        const bool complete = std::all_of(node->streams.begin(), node->streams.end(),
                                          [](const Stream &stream) { return stream.complete(); });
        if (node->started && !complete)
            return;
    }
    for (const auto &node : m_nodes)
        for (Stream &stream : node->streams)
            stream.pipeline->finish(m_batch);
    flush();
    end(outcome());
}

void RunController::end(const RunOutcome &result)
{
    if (m_ended)
        return;
    flush();
    m_ended = true;
    m_flushTimer.stop();
    for (const auto &node : m_nodes) {
        for (Stream &stream : node->streams)
            if (stream.process)
                stream.process->close();
    }
    if (result.keepRunning)
        return Q_EMIT ended(result);
    removeFolders(result);
}

// Told only when the nodes are tidy (or cannot be reached in time), since the program may leave then.
void RunController::removeFolders(const RunOutcome &result)
{
    auto open = std::make_shared<int>(1);
    const auto one = [this, open, result] {
        if (*open > 0 && --*open == 0)
            Q_EMIT ended(result);
    };
    for (const auto &node : m_nodes) {
        if (!node->host || !node->started || node->linkLost)
            continue;
        ++*open;
        HostProcess *process = node->host->start(removeSpec(node->launch.folder));
        connect(process, &HostProcess::finished, this, one);
    }
    QTimer::singleShot(kRemoveMs, this, [open, this, result] {
        if (*open > 0) {
            *open = 0;
            Q_EMIT ended(result);
        }
    });
    one();
}

// What a rank's own log names, else its node's standard error.
std::optional<LogFailure> RunController::failureOf(const Node &node, int rank) const
{
    std::optional<LogFailure> found;
    for (const Stream &stream : node.streams)
        if (stream.pipeline->failure() &&
            (stream.file == rankLogName(rank) || (!found && stream.file == kNodeErrorName)))
            found = stream.pipeline->failure();
    return found;
}

bool RunController::everyRankLeftACode() const
{
    return std::all_of(m_nodes.begin(), m_nodes.end(), [](const auto &node) {
        return node->exitCodes && std::all_of(node->exitCodes->begin(), node->exitCodes->end(),
                                              [](int code) { return code >= 0; });
    });
}

// A rank that failed by itself comes before those that were ended because of it.
std::optional<RunController::RankCode> RunController::culprit() const
{
    std::optional<RankCode> found;
    const auto weight = [](int code) { return code == 128 + 15 ? 1 : code == 128 + 9 ? 2 : 3; };
    for (const auto &node : m_nodes)
        for (std::size_t i = 0; node->exitCodes && i < node->exitCodes->size(); ++i) {
            const int code = (*node->exitCodes)[i];
            const int rank = i < node->launch.ranks.size() ? node->launch.ranks[i] : 0;
            if (code > 0 && (!found || weight(code) > weight(found->code)))
                found = RankCode{node.get(), rank, code};
        }
    // With a rank that left nothing, TERM was only what came of it; the launcher knows more.
    if (found && weight(found->code) == 1 && leader() && !everyRankLeftACode())
        return std::nullopt;
    return found;
}

std::string RunController::rankFailure(const RankCode &ended) const
{
    std::string reason =
        "Rank " + std::to_string(ended.rank) +
        (isJob(ended.node->launch.role)
             ? m_job ? " of the " + m_job->queue + " job " + m_job->id : std::string(" of the job")
             : " on " + ended.node->launch.host) +
        " ended with status " + std::to_string(ended.code);
    const auto said = m_rankEnds.find(ended.rank);
    const auto failure = failureOf(*ended.node, ended.rank);
    if (said != m_rankEnds.end() && !said->second.message.empty())
        reason += ": " + said->second.message;
    else if (failure)
        reason += ": " + failure->line;
    else if (!m_lastErrorLine.empty())
        reason += ": " + m_lastErrorLine;
    if (!reason.ends_with('.'))
        reason += '.';
    if (failure)
        return reason + " " + failure->advice;
    return ended.code == 128 + 9 ? reason + " " + kKilled : reason;
}

// What mpirun or Slurm says went wrong beside the ranks; empty: nothing.
std::string RunController::launcherFailure() const
{
    const Node *leads = leader();
    const int code = leads ? leads->launcherCode.value_or(0) : 0;
    if (code == kNoNodeSsh)
        return m_lastErrorLine;
    if (code != 0) {
        for (const auto &node : m_nodes) // why it found nothing to start there
            if (node->launch.role == NodeRole::Led && !node->lostReason.empty())
                return node->lostReason;
        return "mpirun on " + leads->launch.host + " ended with status " + std::to_string(code) +
               (m_mpirunLine.empty() ? "." : ": " + m_mpirunLine);
    }
    return m_job ? jobFailure(*m_job) : std::string();
}

RunOutcome RunController::outcome() const
{
    RunOutcome result;
    const auto fail = [&result](RunState state, const std::string &reason, std::optional<int> code) {
        result.state = state;
        result.reason = reason;
        result.exitCode = code;
    };
    const auto ended = culprit();
    const std::string launcher = launcherFailure();
    const bool everyRank = everyRankLeftACode();
    const auto lost =
        std::find_if(m_nodes.begin(), m_nodes.end(), [](const auto &node) { return !node->exitCodes; });
    if (m_job && jobExplains(*m_job) && !launcher.empty())
        fail(RunState::Failed, launcher, ended ? std::optional(ended->code) : std::nullopt);
    else if (ended)
        fail(RunState::Failed, rankFailure(*ended), ended->code);
    else if (!launcher.empty() && !(m_job && m_job->state == "FORGOTTEN" && everyRank))
        fail(m_job && m_job->state == "FORGOTTEN" ? RunState::Lost : RunState::Failed, launcher,
             leader() ? leader()->launcherCode : std::nullopt);
    else if (lost != m_nodes.end())
        fail((*lost)->refused ? RunState::Failed : RunState::Lost, (*lost)->lostReason, std::nullopt);
    else if (!everyRank)
        fail(RunState::Failed, "A rank of the run left no exit code; it was killed from outside.",
             std::nullopt);
    else
        result.exitCode = 0;
    if (m_stopping) {
        result.state = RunState::Cancelled;
        result.reason = "Stopped by the user.";
    }
    return result;
}

} // namespace sb
