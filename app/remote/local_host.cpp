// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/local_host.h"

#include <QProcess>
#include <QTimer>

namespace sb {

namespace {

constexpr qsizetype kKeptErrorBytes = 64 * 1024;

class LocalProcess : public HostProcess {
public:
    LocalProcess(const ProcessSpec &spec, QObject *parent)
        : HostProcess(parent)
    {
        QStringList arguments;
        for (std::size_t i = 1; i < spec.argv.size(); ++i)
            arguments << QString::fromStdString(spec.argv[i]);
        m_process.setProgram(QString::fromStdString(spec.argv.empty() ? std::string() : spec.argv.front()));
        m_process.setArguments(arguments);
        connect(&m_process, &QProcess::readyReadStandardOutput, this,
                [this] { Q_EMIT outputReady(m_process.readAllStandardOutput()); });
        connect(&m_process, &QProcess::readyReadStandardError, this, [this] { keepErrorOutput(); });
        connect(&m_process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
            end(status == QProcess::NormalExit ? std::optional(code) : std::nullopt, "was ended by a signal");
        });
        connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
            if (error == QProcess::FailedToStart)
                end(std::nullopt, "could not be started: " + m_process.errorString().toStdString());
        });
        // Deferred, so that the caller can connect before the first signal.
        QTimer::singleShot(0, this, [this, spec] {
            m_process.start();
            m_process.write(spec.input);
            if (!spec.keepInputOpen)
                m_process.closeWriteChannel();
        });
    }

    ~LocalProcess() override
    {
        m_process.disconnect(this);
        if (m_process.state() != QProcess::NotRunning) {
            m_process.kill(); // only this child: what it launched for good has its own process group
            m_process.waitForFinished(1000);
        }
    }

    void write(const QByteArray &bytes) override { m_process.write(bytes); }
    void closeInput() override { m_process.closeWriteChannel(); }
    void close() override
    {
        m_process.closeWriteChannel();
        QTimer::singleShot(0, this, [this] { m_process.terminate(); });
    }

private:
    void keepErrorOutput()
    {
        m_errorOutput += m_process.readAllStandardError();
        if (m_errorOutput.size() > kKeptErrorBytes)
            m_errorOutput.remove(0, m_errorOutput.size() - kKeptErrorBytes);
    }

    void end(std::optional<int> exitCode, const std::string &why)
    {
        if (m_ended)
            return;
        m_ended = true;
        if (const QByteArray rest = m_process.readAllStandardOutput(); !rest.isEmpty())
            Q_EMIT outputReady(rest);
        keepErrorOutput();
        ProcessEnd result;
        result.exitCode = exitCode;
        if (!exitCode)
            result.error = m_process.program().toStdString() + " " + why + ".";
        result.errorOutput = m_errorOutput;
        Q_EMIT finished(result);
        deleteLater();
    }

    QProcess m_process;
    QByteArray m_errorOutput;
    bool m_ended = false;
};

} // namespace

LocalHost::LocalHost(QObject *parent)
    : Host("local", parent)
{
}

HostProcess *LocalHost::start(const ProcessSpec &spec)
{
    return new LocalProcess(spec, this);
}

} // namespace sb
