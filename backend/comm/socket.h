// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../result.h"

#include <cstdint>
#include <span>
#include <string>

namespace sbtrain {

// A TCP socket that closes itself. All waiting is bounded by deadlines (monotonic_s()).
class Socket {
public:
    Socket() = default;
    explicit Socket(int fd)
        : m_fd(fd)
    {
    }
    Socket(Socket &&other) noexcept
        : m_fd(other.release())
    {
    }
    Socket &operator=(Socket &&other) noexcept;
    Socket(const Socket &) = delete;
    Socket &operator=(const Socket &) = delete;
    ~Socket();

    int fd() const { return m_fd; }
    bool valid() const { return m_fd >= 0; }
    int release();

private:
    int m_fd = -1;
};

struct HostPort {
    std::string host;
    std::uint16_t port = 0;
};

// Listens on the addresses of the host if they are ours, on all addresses otherwise.
Result<Socket> listen_on(const HostPort &at);
// Tries again until the deadline: the other side may start later than we do.
Result<Socket> connect_to(const HostPort &at, double deadline_s);

// Whole buffers. False: the other side is gone, or the deadline has passed.
bool send_all(const Socket &socket, std::span<const char> data, double deadline_s);
bool receive_all(const Socket &socket, std::span<char> data, double deadline_s);

// Our own address on the way to a host: what other hosts can reach us by. Empty if there is no way.
std::string address_towards(const std::string &host);

} // namespace sbtrain
