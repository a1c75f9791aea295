// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/credentials.h"
#include "remote/ssh_config.h"
#include "remote/ssh_types.h"

#include <QObject>
#include <QPointer>

#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sb {

class SshLink;

// What all connections of a session share: the configuration, questions to the user, secrets, keys trusted
// for now, links to jump hosts, and how many log-ins may be in progress. I/O thread.
class SshHub : public QObject {
    Q_OBJECT
public:
    explicit SshHub(SshConfig config, QObject *parent = nullptr);
    ~SshHub() override;

    void setConfig(SshConfig config) { m_config = std::move(config); }
    Credentials &credentials() { return m_credentials; }

    // Asks once for each `subject`; every caller with the same one gets the answer. Calls answered() from
    // the event loop unless `context` is gone by then.
    void ask(const std::string &subject, SshQuestion question, QObject *context,
             std::function<void(const SshAnswer &)> answered);
    void answer(std::uint64_t id, const SshAnswer &answer);

    void trustForNow(const std::string &keyName, const HostKey &key);
    bool isTrustedForNow(const std::string &keyName, const HostKey &key) const;

    // Calls go() when a log-in to `server` may begin; each must be followed by leave(). OpenSSH's servers
    // drop log-ins at random once ten are in progress (MaxStartups).
    void enter(const std::string &server, QObject *context, std::function<void()> go);
    void leave(const std::string &server);

    // The link to the last of `jumps`, through the ones before; made when it is not there. Shared by all
    // nodes behind it. Error: a jump host is not to be resolved, or is reached through itself.
    Result<SshLink *> jumpLink(std::vector<std::string> jumps, const std::string &node);

Q_SIGNALS:
    void asked(const sb::SshQuestion &question);
    void questionGone(quint64 id); // answered, or nobody waits for it any more

private:
    struct Waiting {
        QPointer<QObject> context;
        std::function<void(const SshAnswer &)> answered;
    };
    struct Asked {
        std::string subject;
        std::vector<Waiting> waiting;
    };
    struct Gate {
        int inside = 0;
        std::deque<std::pair<QPointer<QObject>, std::function<void()>>> waiting;
    };

    void letIn();

    SshConfig m_config;
    Credentials m_credentials;
    std::map<std::uint64_t, Asked> m_questions;
    std::uint64_t m_lastQuestion = 0;
    std::set<std::pair<std::string, std::string>> m_trusted; // key name, blob
    std::map<std::string, Gate> m_gates;
    int m_inside = 0;
    std::map<std::string, QPointer<SshLink>> m_jumps;
};

} // namespace sb
