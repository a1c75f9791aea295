// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh_process.h"

#include "core/text.h"
#include "remote/shell_quote.h"

#include <QRandomGenerator>
#include <QTimer>

#include <algorithm>
#include <libssh/callbacks.h>
#include <libssh/libssh.h>

namespace sb {

namespace {

constexpr qsizetype kWriteAtOnce = 64 * 1024;
constexpr qsizetype kMostNoise = 1 << 20; // before the mark

// The text after the mark, for `printf %b`: one line, whatever the argument list has in it.
QByteArray oneLine(const std::string &text)
{
    QByteArray line;
    for (const char c : text) {
        if (c == '\\')
            line += "\\\\";
        else if (c == '\n')
            line += "\\n";
        else
            line += c;
    }
    return line;
}

} // namespace

struct SshProcess::Callbacks {
    ssh_channel_callbacks_struct table{};
};

// An exec request is one line for the user's login shell, which may be csh or fish. So that line has only
// what all shells read alike; the program and its arguments follow on the standard input, where `read` takes
// exactly one line. The mark tells where the noise of start-up files ends, on both streams.
SshProcess::SshProcess(const ProcessSpec &spec, QObject *parent)
    : HostProcess(parent)
{
    m_mark = "@sb-" + QByteArray::number(QRandomGenerator::system()->generate64(), 16);
    m_command = "exec sh -c 'echo; echo " + m_mark.toStdString() + "; echo " + m_mark.toStdString() +
                " >&2; IFS= read -r c && eval \"$(printf %b \"$c\")\"'";
    m_input = oneLine("exec " + shellCommand(spec.argv)) + '\n' + spec.input;
    m_inputEnds = !spec.keepInputOpen;
    m_mark += '\n';
}

SshProcess::SshProcess(const std::string &host, int port, QObject *parent)
    : HostProcess(parent)
    , m_host(host)
    , m_port(port)
    , m_outputMarked(true)
    , m_errorMarked(true)
{
}

SshProcess::~SshProcess()
{
    unbind();
}

void SshProcess::write(const QByteArray &bytes)
{
    if (m_ended || m_inputEnds)
        return;
    m_input += bytes;
    Q_EMIT wantsAttention();
}

void SshProcess::closeInput()
{
    m_inputEnds = true;
    Q_EMIT wantsAttention();
}

void SshProcess::close()
{
    if (m_ended || m_closing)
        return;
    m_closing = true;
    m_inputEnds = true;
    if (m_phase == Phase::Waiting) // not begun: nothing to end
        QTimer::singleShot(0, this, [this] { breakOff("It was closed before it began."); });
    else
        Q_EMIT wantsAttention();
}

void SshProcess::bind(ssh_session_struct *session)
{
    m_session = session;
    m_channel = ssh_channel_new(session);
    m_phase = Phase::Opening;
    if (!m_channel)
        return;
    m_callbacks = std::make_unique<Callbacks>();
    ssh_channel_callbacks_struct &table = m_callbacks->table;
    ssh_callbacks_init(&table);
    table.userdata = this;
    // Only notes are taken in here; libssh is in the middle of a packet.
    table.channel_data_function = [](ssh_session, ssh_channel, void *data, uint32_t size, int isError,
                                     void *self) {
        static_cast<SshProcess *>(self)->takeOutput(static_cast<const char *>(data), size, isError != 0);
        return static_cast<int>(size);
    };
    table.channel_close_function = [](ssh_session, ssh_channel, void *self) {
        static_cast<SshProcess *>(self)->m_remoteClosed = true;
    };
    table.channel_exit_status_function = [](ssh_session, ssh_channel, int status, void *self) {
        static_cast<SshProcess *>(self)->m_exitCode = status;
    };
    table.channel_exit_signal_function = [](ssh_session, ssh_channel, const char *signal, int, const char *,
                                            const char *, void *self) {
        static_cast<SshProcess *>(self)->m_signal = signal ? signal : "";
    };
    ssh_set_channel_callbacks(m_channel, &table);
}

void SshProcess::unbind()
{
    if (m_channel) {
        ssh_remove_channel_callbacks(m_channel, &m_callbacks->table);
        ssh_channel_free(m_channel);
        m_channel = nullptr;
    }
    m_session = nullptr;
    if (!m_ended)
        m_phase = Phase::Waiting;
}

void SshProcess::takeOutput(const char *data, std::size_t size, bool isError)
{
    QByteArray &buffer = isError ? m_errorOutput : m_output;
    bool &marked = isError ? m_errorMarked : m_outputMarked;
    buffer.append(data, static_cast<qsizetype>(size));
    if (!marked) {
        const qsizetype at = buffer.indexOf(m_mark);
        if (at >= 0) {
            // The mark must be a line of its own; on standard error nothing else was put before it.
            buffer.remove(0, at + m_mark.size());
            marked = true;
        } else if (buffer.size() > kMostNoise) {
            buffer.remove(0, buffer.size() - m_mark.size());
        }
    }
    if (isError && buffer.size() > kKeptErrorBytes)
        buffer.remove(0, buffer.size() - kKeptErrorBytes);
}

SshProcess::Progress SshProcess::open()
{
    if (!m_channel) {
        m_why = "No channel could be made.";
        return Progress::Ended;
    }
    const int result = m_host.empty()
                           ? ssh_channel_open_session(m_channel)
                           : ssh_channel_open_forward(m_channel, m_host.c_str(), m_port, "127.0.0.1", 0);
    if (result == SSH_AGAIN)
        return Progress::Going;
    if (result != SSH_OK) {
        if (m_host.empty())
            return Progress::NoRoom;
        m_why = validUtf8(ssh_get_error(m_session));
        return Progress::Ended;
    }
    m_phase = m_host.empty() ? Phase::Requesting : Phase::Running;
    return Progress::Going;
}

// False when it is refused.
bool SshProcess::request()
{
    const int result = ssh_channel_request_exec(m_channel, m_command.c_str());
    if (result == SSH_OK)
        m_phase = Phase::Running;
    else if (result != SSH_AGAIN)
        m_why = "The server starts no program for this user (" + validUtf8(ssh_get_error(m_session)) + ").";
    return result == SSH_OK || result == SSH_AGAIN;
}

void SshProcess::writePending()
{
    // What the socket does not take stays with us, so that a slow link does not fill the memory twice.
    while (!m_input.isEmpty() && (ssh_get_poll_flags(m_session) & SSH_WRITE_PENDING) == 0) {
        const auto size = static_cast<uint32_t>(std::min(m_input.size(), kWriteAtOnce));
        const int written = ssh_channel_write(m_channel, m_input.constData(), size);
        if (written <= 0)
            break; // no window now, or an end that its callback tells of
        m_input.remove(0, written);
    }
    if (m_input.isEmpty() && m_inputEnds && !m_eofSent) {
        m_eofSent = true;
        ssh_channel_send_eof(m_channel);
    }
    if (m_closing && !m_closeSent) {
        m_closeSent = true;
        ssh_channel_close(m_channel);
    }
}

SshProcess::Progress SshProcess::advance()
{
    if (m_phase == Phase::Opening)
        if (const Progress progress = open(); progress != Progress::Going)
            return progress;
    if (m_phase == Phase::Requesting && !request())
        return Progress::Ended;
    if (m_phase == Phase::Running && !m_remoteClosed)
        writePending();
    return m_remoteClosed ? Progress::Ended : Progress::Going;
}

void SshProcess::deliver()
{
    if (m_ended)
        return;
    const QPointer<SshProcess> self(this);
    if (m_outputMarked && !m_output.isEmpty()) {
        QByteArray bytes;
        bytes.swap(m_output);
        Q_EMIT outputReady(bytes);
    }
    if (self && m_input.size() != m_toldLeft) {
        m_toldLeft = m_input.size();
        Q_EMIT inputLeft(m_toldLeft);
    }
    if (!self || m_ended || (!m_remoteClosed && m_why.empty()))
        return;
    ProcessEnd end;
    end.exitCode = m_exitCode;
    if (!m_exitCode) {
        end.error = !m_why.empty()      ? m_why
                    : !m_signal.empty() ? "It was ended by the signal " + validUtf8(m_signal) + "."
                                        : "The channel was closed.";
    } else if (!m_outputMarked && m_host.empty()) { // our first line was never run
        const std::string said = validUtf8(trimmed(m_errorOutput.toStdString() + m_output.toStdString()));
        end.exitCode.reset();
        end.error = "The login shell of this user runs no commands" +
                    (said.empty() ? "" : ": " + said.substr(0, 300)) + ".";
    }
    finish(end);
}

void SshProcess::breakOff(const std::string &why)
{
    if (m_ended)
        return;
    const QPointer<SshProcess> self(this);
    if (m_outputMarked && !m_output.isEmpty()) {
        QByteArray bytes;
        bytes.swap(m_output);
        Q_EMIT outputReady(bytes);
    }
    if (!self || m_ended)
        return;
    ProcessEnd end;
    end.error = why;
    finish(end);
}

void SshProcess::finish(const ProcessEnd &result)
{
    ProcessEnd end = result;
    if (m_errorMarked)
        end.errorOutput = m_errorOutput;
    m_ended = true;
    m_phase = Phase::Ended;
    unbind();
    m_phase = Phase::Ended;
    Q_EMIT finished(end);
    deleteLater();
}

} // namespace sb
