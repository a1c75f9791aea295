// SPDX-License-Identifier: Apache-2.0
#include "train_loop.h"

#include "clock.h"
#include "data/prefetcher.h"
#include "data/synthetic.h"
#include "run.h"
#include "step_timer.h"

#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>

namespace sbtrain {

namespace {

volatile std::sig_atomic_t g_signal = 0; // a handler can reach nothing else

extern "C" void remember_signal(int number)
{
    g_signal = number;
}

void catch_signals()
{
    struct sigaction action = {};
    action.sa_handler = remember_signal;
    sigemptyset(&action.sa_mask);
    sigaction(SIGTERM, &action, nullptr);
    sigaction(SIGINT, &action, nullptr);
}

// Reports that are there, as events. Stops at a loss that is not a number.
Result<void> write_reports(Run &run, StepTimer &timer, bool wait)
{
    while (const std::optional<StepReport> report = run.program->next_report(wait)) {
        const StepFacts facts{*report, timer.step_ms(report->end_time_s), run.global_batch()};
        if (const Result<void> written = run.events.step(facts); !written)
            return written;
        if (!std::isfinite(report->loss))
            return Error{ExitCode::Diverged, "the loss is not finite in step " +
                                                 std::to_string(report->step) + ": lower --learning-rate"};
    }
    return {};
}

// The batches of a run, one a pass.
class Feed {
public:
    explicit Feed(Run &run)
        : m_run(run)
        , m_synthetic(run.graph, run.options.seed)
    {
        if (run.source)
            m_prefetcher.emplace(*run.source, [&run](std::int64_t pass) { return first_sample(run, pass); });
    }

    // With what it cost to get it in fill_ms. Valid until the next call.
    Result<Batch *> next()
    {
        const std::int64_t pass = m_pass++;
        if (pass > 0 && m_run.options.overfit) {
            m_current->fill_ms = 0.0;
            return m_current;
        }
        if (m_prefetcher) {
            Result<Batch *> taken = m_prefetcher->take();
            if (taken)
                m_current = *taken;
            return taken;
        }
        const double begin_s = monotonic_s();
        const std::int64_t first = first_sample(m_run, pass);
        if (m_run.program->makes_synthetic_data()) {
            m_own.serial = first + 1;
            m_own.synthetic = SyntheticSource{m_run.options.seed, first};
        } else {
            m_synthetic.fill(m_own, first);
            m_own.fill_ms = 1e3 * (monotonic_s() - begin_s);
        }
        return m_current = &m_own;
    }

private:
    static std::int64_t first_sample(const Run &run, std::int64_t pass)
    {
        return pass * run.pass_samples() + run.env.rank * run.options.batch_size;
    }

    Run &m_run;
    SyntheticData m_synthetic;
    Batch m_own;
    Batch *m_current = nullptr;
    std::int64_t m_pass = 0;
    std::optional<Prefetcher> m_prefetcher; // last: its thread ends first
};

// All passes of one step; the first batch is there already.
Result<void> take_step(Run &run, Feed &feed, Batch *batch)
{
    for (std::int64_t pass = 1; pass < run.options.accumulate; ++pass) {
        if (const Result<void> done = run.program->enqueue_micro_batch(*batch); !done)
            return done;
        Result<Batch *> next = feed.next();
        if (!next)
            return next.error();
        batch = *next;
    }
    return run.program->enqueue_step(*batch);
}

// All steps, or fewer after a signal. The value is the number of steps taken.
Result<std::int64_t> train(Run &run)
{
    Feed feed(run);
    Result<Batch *> batch = feed.next();
    if (!batch)
        return batch.error();
    run.program->warm_up(**batch);
    (*batch)->fill_ms = 0.0; // was before the first step
    catch_signals();
    if (const Result<void> written = run.events.ready(); !written)
        return written.error();
    StepTimer timer(monotonic_s() - run.start_time_s);

    std::int64_t step = 0;
    while (step < run.options.steps && g_signal == 0) {
        if (step > 0) {
            batch = feed.next();
            if (!batch)
                return batch.error();
        }
        const Result<void> done = take_step(run, feed, *batch);
        if (!done && g_signal != 0)
            return step; // the others were told to stop as well and are gone
        if (!done)
            return done.error();
        ++step;
        if (const Result<void> written = write_reports(run, timer, false); !written)
            return written.error();
    }
    if (const Result<void> written = write_reports(run, timer, true); !written)
        return written.error();
    return step;
}

Result<void> save_parameters(Run &run)
{
    if (run.options.save.empty() || run.env.rank != 0)
        return {};
    const std::string temporary = run.options.save + ".part";
    const auto problem = [&](const char *what) {
        const Error error{ExitCode::Internal, std::string("cannot ") + what + " " + run.options.save + ": " +
                                                  std::strerror(errno)};
        std::remove(temporary.c_str());
        return error;
    };
    std::FILE *file = std::fopen(temporary.c_str(), "wb");
    if (file == nullptr)
        return problem("make");
    std::vector<float> values;
    bool fine = true;
    for (std::size_t i = 0; i < run.graph.parameters.size(); ++i) {
        values.resize(static_cast<std::size_t>(run.graph.parameters[i].count));
        run.program->read_parameter(ParameterId{i}, values);
        fine = fine && std::fwrite(values.data(), sizeof(float), values.size(), file) == values.size();
    }
    fine = std::fclose(file) == 0 && fine;
    if (!fine || std::rename(temporary.c_str(), run.options.save.c_str()) != 0)
        return problem("write");
    return {};
}

} // namespace

Result<ExitCode> run_training(const Options &options, EventWriter &events, double start_time_s)
{
    Run run{.options = options, .events = events, .start_time_s = start_time_s};
    if (const Result<void> ready = set_up(run); !ready)
        return ready.error();
    const Result<std::int64_t> steps = train(run);
    if (!steps)
        return steps.error();

    const int signal = g_signal;
    if (signal == 0) {
        if (const Result<void> saved = save_parameters(run); !saved)
            return saved.error();
        // A process that leaves early looks like a lost one to those that still work.
        if (run.communicator) {
            if (const Result<void> together = run.communicator->barrier(); !together)
                return together.error();
        }
    }
    const char *status = signal == 0 ? "ok" : "cancelled";
    const Result<void> written = events.end(status, *steps, run.program->device_memory_bytes());
    if (!written)
        return written.error();
    return signal == 0 ? ExitCode::Ok : signal == SIGINT ? ExitCode::Interrupted : ExitCode::Terminated;
}

} // namespace sbtrain
