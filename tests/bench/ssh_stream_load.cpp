// SPDX-License-Identifier: GPL-3.0-or-later
// Many SSH sessions that stream at once, through everything a run's log goes through: channel, raw log on
// disk, log reader, batches to the window, the log panel on the screen. Meanwhile the window's event loop is
// asked every 5 ms whether it is there. tests/bench/ssh_streams starts it in a cluster of network namespaces.
//   ssh_stream_load SSH_CONFIG SESSIONS LINES NODE...
#include "pages/log_panel.h"
#include "remote/ssh_host.h"
#include "remote/ssh_hub.h"
#include "session/log_pipeline.h"
#include "widgets/sb_style.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QThread>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

namespace {

// Lines as long as those of a training program.
constexpr const char *kProgram =
    "seq -f '{\"event\":\"step\",\"step\":%.0f,\"time_s\":1,\"loss\":2.5}' 1 \"$1\"";

struct Wanted {
    std::string config;
    int sessions = 0;
    int lines = 0;
    std::vector<std::string> nodes;
};

// Lives in the I/O thread.
class Streams : public QObject {
    Q_OBJECT
public:
    Streams(Wanted wanted, QString folder)
        : m_wanted(std::move(wanted))
        , m_folder(std::move(folder))
    {
    }

    void start()
    {
        auto config = sb::SshConfig::load(m_wanted.config);
        if (!config)
            return Q_EMIT failed(QString::fromStdString(config.error().message));
        m_hub = std::make_unique<sb::SshHub>(*config);
        for (int i = 0; i < m_wanted.sessions; ++i) {
            const std::string &node = m_wanted.nodes[static_cast<std::size_t>(i) % m_wanted.nodes.size()];
            const auto target = config->resolve(node);
            if (!target)
                return Q_EMIT failed(QString::fromStdString(target.error().message));
            auto host = std::make_unique<sb::SshHost>(node, *target, *m_hub);
            connect(host.get(), &sb::SshHost::statusChanged, this,
                    [this, ready = false, one = host.get()]() mutable {
                        if (one->status().problem)
                            return Q_EMIT failed(QString::fromStdString(one->status().problem->text()));
                        if (ready || one->status().state != sb::SshState::Ready)
                            return;
                        ready = true;
                        if (++m_ready == m_wanted.sessions)
                            Q_EMIT connected();
                    });
            host->connectNow();
            m_hosts.push_back(std::move(host));
        }
    }

    void stream()
    {
        auto *tick = new QTimer(this);
        connect(tick, &QTimer::timeout, this, &Streams::flush);
        tick->start(33);
        const auto rules = sb::LogReader::rulesOf(sb::LogFormat());
        for (int i = 0; i < m_wanted.sessions; ++i) {
            const QString file = m_folder + QStringLiteral("/rank%1.log").arg(i);
            m_pipelines.push_back(std::make_unique<sb::LogPipeline>(rules, i, file.toStdString()));
            if (const auto opened = m_pipelines.back()->open(m_batch); !opened)
                return Q_EMIT failed(QString::fromStdString(opened.error().message));
            sb::ProcessSpec spec;
            spec.argv = {"sh", "-c", kProgram, "bench", std::to_string(m_wanted.lines)};
            sb::HostProcess *process = m_hosts[static_cast<std::size_t>(i)]->start(spec);
            connect(process, &sb::HostProcess::outputReady, this, [this, i](const QByteArray &bytes) {
                if (const auto done = m_pipelines[static_cast<std::size_t>(i)]->append(bytes, m_batch); !done)
                    Q_EMIT failed(QString::fromStdString(done.error().message));
            });
            connect(process, &sb::HostProcess::finished, this, [this](const sb::ProcessEnd &end) {
                if (!end.ok())
                    return Q_EMIT failed(QString::fromStdString(end.error));
                if (++m_ended == m_wanted.sessions) {
                    flush();
                    Q_EMIT done();
                }
            });
        }
    }

    void tearDown()
    {
        m_hosts.clear();
        m_hub.reset();
    }

Q_SIGNALS:
    void connected();
    void batchReady(const sb::LogBatch &batch);
    void done();
    void failed(const QString &why);

private:
    void flush()
    {
        if (m_batch.empty())
            return;
        sb::LogBatch batch;
        std::swap(batch, m_batch);
        Q_EMIT batchReady(batch);
    }

    Wanted m_wanted;
    QString m_folder;
    std::unique_ptr<sb::SshHub> m_hub;
    std::vector<std::unique_ptr<sb::SshHost>> m_hosts;
    std::vector<std::unique_ptr<sb::LogPipeline>> m_pipelines;
    sb::LogBatch m_batch;
    int m_ready = 0;
    int m_ended = 0;
};

// How late a timer of the event loop is.
class LoopWatch : public QObject {
public:
    LoopWatch()
    {
        m_timer.setTimerType(Qt::PreciseTimer);
        connect(&m_timer, &QTimer::timeout, this, [this] {
            m_delays.push_back(std::max(0.0, static_cast<double>(m_clock.nsecsElapsed()) / 1e6 - kEveryMs));
            m_clock.start();
        });
    }
    void start()
    {
        m_clock.start();
        m_timer.start(kEveryMs);
    }
    double delayMs(double part)
    {
        std::sort(m_delays.begin(), m_delays.end());
        const auto last = static_cast<double>(m_delays.size() - 1);
        return m_delays.empty() ? 0 : m_delays[static_cast<std::size_t>(part * last)];
    }

private:
    static constexpr int kEveryMs = 5;
    QTimer m_timer;
    QElapsedTimer m_clock;
    std::vector<double> m_delays;
};

int measure(const Wanted &wanted)
{
    const QTemporaryDir folder;
    QThread thread;
    auto *streams = new Streams(wanted, folder.path());
    streams->moveToThread(&thread);
    sb::LogPanel panel;
    panel.resize(846, 220);
    panel.show();
    sb::LiveRun live;
    live.run.id = "bench";
    LoopWatch watch;
    QElapsedTimer clock;
    QObject window; // the receiver in the window's thread
    clock.start();
    QObject::connect(streams, &Streams::connected, &window, [&] {
        std::printf("%d sessions connected in %.2f s\n", wanted.sessions,
                    static_cast<double>(clock.elapsed()) / 1e3);
        clock.start();
        watch.start();
        QMetaObject::invokeMethod(streams, &Streams::stream);
    });
    QObject::connect(streams, &Streams::batchReady, &window, [&](const sb::LogBatch &batch) {
        for (const sb::LogLine &line : batch.lines)
            live.log.push_back(line);
        while (live.log.size() > sb::LiveRun::kMostLogLines)
            live.log.pop_front();
        live.logLines += batch.lineCount;
        panel.sync(live);
    });
    QObject::connect(streams, &Streams::failed, &window, [](const QString &why) {
        std::fprintf(stderr, "%s\n", qPrintable(why));
        QCoreApplication::exit(1);
    });
    QObject::connect(streams, &Streams::done, &window, [] { QCoreApplication::exit(0); });
    thread.start();
    QMetaObject::invokeMethod(streams, &Streams::start);
    int status = QCoreApplication::exec();
    const double tookS = static_cast<double>(clock.nsecsElapsed()) / 1e9;
    QMetaObject::invokeMethod(streams, &Streams::tearDown, Qt::BlockingQueuedConnection);
    thread.quit();
    thread.wait();
    delete streams;
    const auto expected = static_cast<std::int64_t>(wanted.sessions) * wanted.lines;
    if (status == 0 && live.logLines != expected) {
        std::fprintf(stderr, "%lld lines came, %lld were sent\n", static_cast<long long>(live.logLines),
                     static_cast<long long>(expected));
        status = 1;
    }
    if (status == 0)
        std::printf(
            "%lld lines in %.2f s, %.0f lines/s; the window's event loop was late by %.1f ms (median), "
            "%.1f ms (99 %%), %.1f ms (most)\n",
            static_cast<long long>(expected), tookS, static_cast<double>(expected) / tookS,
            watch.delayMs(0.5), watch.delayMs(0.99), watch.delayMs(1.0));
    return status;
}

} // namespace

int main(int argc, char **argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication::setStyle(new sb::SbStyle);
    QApplication application(argc, argv);
    if (argc < 5) {
        std::fprintf(stderr, "Usage: ssh_stream_load SSH_CONFIG SESSIONS LINES NODE...\n");
        return 2;
    }
    Wanted wanted{argv[1], std::atoi(argv[2]), std::atoi(argv[3]), {}};
    for (int i = 4; i < argc; ++i)
        wanted.nodes.emplace_back(argv[i]);
    if (wanted.sessions < 1 || wanted.lines < 1) {
        std::fprintf(stderr, "SESSIONS and LINES must be numbers above 0.\n");
        return 2;
    }
    return measure(wanted);
}

#include "ssh_stream_load.moc"
