// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/node.h"
#include "remote/host.h"
#include "remote/ssh_hub.h"
#include "remote/ssh_types.h"
#include "session/node_prober.h"
#include "session/node_topology.h"

#include <QElapsedTimer>
#include <QObject>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sb {

class SshHost;

// One node as it stands. A value: it crosses threads.
struct NodeStatus {
    std::string name;
    SshStatus ssh;                  // with the probing step; a local node is always Ready
    int sshPort = 22;               // and user: as signed in
    std::string user;               // empty for this machine
    std::optional<HostKey> hostKey; // that was verified; absent for this machine
    std::string address;            // by which this machine reaches it; empty if not known
    std::string workFolder;         // absolute; empty until probed
    std::string programFolder;      // where programs are put on the node; empty for this machine
    std::optional<NodeFacts> facts;
    int probes = 0; // that have ended

    bool operator==(const NodeStatus &) const = default;
};

inline constexpr const char *kLocalNode = "local";

// The nodes of a session: this machine and those over SSH. Connects them, probes each once it is connected.
// I/O thread.
class NodePool : public QObject {
    Q_OBJECT
public:
    // `sshConfig` replaces the user's ssh_config when it is not empty.
    explicit NodePool(std::string sshConfig, QObject *parent = nullptr);
    ~NodePool() override;

    // "local" or what parseNodeAddress takes. Connects at once; what is wrong stands in the status.
    void add(const std::string &name);
    void remove(const std::string &name);
    void connectNode(const std::string &name); // again, and probes
    void probe(const std::string &name);
    // Tells how the node is wired by topologyRead(), also when that fails.
    void readTopology(const std::string &name);
    void answer(std::uint64_t id, const SshAnswer &answer);

    std::map<std::string, Host *> hosts() const;

Q_SIGNALS:
    void statusChanged(const sb::NodeStatus &status);
    void topologyRead(const sb::NodeTopology &topology);
    void asked(const sb::SshQuestion &question);
    void questionGone(quint64 id);

private:
    struct Node {
        NodeStatus status;
        Host *host = nullptr;
        SshHost *ssh = nullptr;      // the same, or null for this machine
        NodeProbe *prober = nullptr; // child of the host
        QElapsedTimer clock;         // since it was asked
        SshStepReport probeStep;
        bool probing = false;
        bool readingTopology = false;
        bool wasReady = false;
    };

    Node *find(const std::string &name);
    void addSsh(Node &node);
    void refuse(Node &node, const Error &error);
    void sshChanged(const std::string &name);
    void probeAnswered(const std::string &name, const ProbeAnswer &answer);
    void probeEnded(Node &node, const ProbeAnswer &answer);
    void tell(Node &node);

    std::string m_sshConfig;
    std::unique_ptr<SshHub> m_hub; // made with the first SSH node
    std::map<std::string, std::unique_ptr<Node>> m_nodes;
};

} // namespace sb
