// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/host.h"
#include "remote/host_keys.h"
#include "session/launch_scripts.h"

#include <QObject>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sb {

enum class NodeSshAction {
    Check,   // changes nothing
    Prepare, // makes log-ins possible, then checks
    Remove,  // takes away what Prepare made
};

// The nodes of a run as mpirun needs them; the first is where it runs.
struct NodeSshOrder {
    NodeSshAction action = NodeSshAction::Check;
    std::vector<MpirunHost> hosts;
    std::vector<std::optional<HostKey>> hostKeys; // as our own connections verified them; parallel to `hosts`
    std::string sshFolder;                        // on the first node, for the key
};

// Log-ins from the first node to each other one, which mpirun makes by itself. Prepare makes a key for this
// purpose on the first node, in a folder of ours; lets it in on the others, from the first node's address
// only; and writes known_hosts there from the host keys that our own connections saw and verified. The user's
// own keys and files of ssh stay as they are, but for one line of authorized_keys a node, which Remove takes
// out again. I/O thread.
class NodeSsh : public QObject {
    Q_OBJECT
public:
    NodeSsh(NodeSshOrder order, std::map<std::string, Host *> hosts, QObject *parent = nullptr);

    void start();

Q_SIGNALS:
    void told(const std::string &sentence, bool good); // one step
    void finished(bool good);                          // once

private:
    void ask(std::size_t host, const ProcessSpec &spec, std::function<void(bool, const std::string &)> take);
    void makeKey();
    void letIn();
    void writeFiles();
    void check();
    void takeCheck(const std::string &text);
    void forget();
    void say(const std::string &sentence, bool good);
    std::string known() const;

    NodeSshOrder m_order;
    std::map<std::string, Host *> m_hosts;
    std::string m_publicKey;
    std::size_t m_open = 0;
    bool m_good = true;
};

} // namespace sb
