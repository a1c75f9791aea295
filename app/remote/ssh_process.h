// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/host.h"

#include <QByteArray>
#include <QPointer>

#include <memory>
#include <optional>
#include <string>

struct ssh_channel_struct;
struct ssh_session_struct;

namespace sb {

// One channel of a link: a program on the node, or a direct-tcpip connection. Made by SshHost and SshLink;
// waits for a link, then is driven by it. I/O thread.
class SshProcess : public HostProcess {
    Q_OBJECT
public:
    SshProcess(const ProcessSpec &spec, QObject *parent);           // exec
    SshProcess(const std::string &host, int port, QObject *parent); // direct-tcpip
    ~SshProcess() override;

    void write(const QByteArray &bytes) override;
    void closeInput() override;
    void close() override;

    // For the link. bind() takes a channel of the session; advance() goes as far as it can without waiting.
    enum class Progress { Going, Ended, NoRoom }; // NoRoom: the server opens no further channel
    void bind(ssh_session_struct *session);
    Progress advance();
    void deliver(); // emits what came since; the process may be deleted when it returns
    void breakOff(const std::string &why); // the link is gone, or never came up
    bool ended() const { return m_ended; }
    void unbind(); // back to waiting, after NoRoom

    static constexpr qsizetype kKeptErrorBytes = 64 * 1024;

Q_SIGNALS:
    void wantsAttention(); // something to write or to close

private:
    enum class Phase { Waiting, Opening, Requesting, Running, Ended };
    struct Callbacks;

    Progress open();
    bool request();
    void writePending();
    void takeOutput(const char *data, std::size_t size, bool isError);
    void finish(const ProcessEnd &end);

    Phase m_phase = Phase::Waiting;
    std::string m_command; // the exec request; empty for a connection
    QByteArray m_mark;     // what comes before it is noise of start-up files
    std::string m_host;
    int m_port = 0;
    ssh_session_struct *m_session = nullptr;
    ssh_channel_struct *m_channel = nullptr;
    std::unique_ptr<Callbacks> m_callbacks; // outlives the channel
    QByteArray m_input;                     // not yet written
    bool m_inputEnds = false;
    bool m_eofSent = false;
    bool m_closing = false;
    bool m_closeSent = false;
    qint64 m_toldLeft = 0;
    QByteArray m_output; // came, not yet emitted
    QByteArray m_errorOutput;
    bool m_outputMarked = false;
    bool m_errorMarked = false;
    bool m_remoteClosed = false;
    std::optional<int> m_exitCode;
    std::string m_signal;
    bool m_ended = false;
    std::string m_why;
};

} // namespace sb
