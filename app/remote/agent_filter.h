// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/result.h"

#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace sb {

// A door to the user's ssh-agent behind which only some of its keys are seen: IdentitiesOnly, which libssh
// does not know for agents. A socket in a private folder; a thread of its own carries messages, since libssh
// waits for the agent's answers. Made and deleted in any one thread.
class AgentFilter {
public:
    // `blobs`: public keys in wire form that may be seen. Error: there can be no socket.
    static Result<std::unique_ptr<AgentFilter>> start(const std::string &agent,
                                                      std::vector<std::string> blobs);
    ~AgentFilter();
    AgentFilter(const AgentFilter &) = delete;
    AgentFilter &operator=(const AgentFilter &) = delete;

    const std::string &path() const { return m_path; }

private:
    AgentFilter() = default;
    void serve() const;

    std::string m_agent;
    std::vector<std::string> m_blobs;
    std::string m_folder;
    std::string m_path;
    int m_listener = -1;
    int m_stop[2] = {-1, -1}; // closing the second end stops the thread
    std::thread m_thread;
};

// The agent's answer to "which keys are there" without the keys that are not among `blobs`; for tests, too.
// A damaged answer gives one without keys.
std::string filteredIdentities(const std::string &answer, const std::vector<std::string> &blobs);

} // namespace sb
