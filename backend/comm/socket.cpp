// SPDX-License-Identifier: Apache-2.0
#include "socket.h"

#include "../clock.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <thread>
#include <unistd.h>

namespace sbtrain {

namespace {

using Addresses = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

struct Lookup {
    Addresses addresses{nullptr, freeaddrinfo};
    std::string problem;
};

Lookup look_up(const char *host, std::uint16_t port, int flags)
{
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = flags | AI_NUMERICSERV;
    addrinfo *list = nullptr;
    const int status = getaddrinfo(host, std::to_string(port).c_str(), &hints, &list);
    Lookup lookup;
    lookup.addresses.reset(status == 0 ? list : nullptr);
    if (status != 0)
        lookup.problem = gai_strerror(status);
    return lookup;
}

std::string text_of(const HostPort &at)
{
    return at.host + " port " + std::to_string(at.port);
}

int milliseconds_until(double deadline_s)
{
    return static_cast<int>(std::clamp((deadline_s - monotonic_s()) * 1e3, 0.0, 1e9));
}

bool wait_for(int fd, short events, double deadline_s)
{
    for (;;) {
        pollfd entry{fd, events, 0};
        const int count = poll(&entry, 1, milliseconds_until(deadline_s));
        if (count < 0 && errno == EINTR)
            continue;
        return count > 0;
    }
}

Socket listen_at(const addrinfo &address)
{
    Socket socket(::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket.valid())
        return {};
    const int on = 1;
    setsockopt(socket.fd(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(socket.fd(), address.ai_addr, address.ai_addrlen) != 0 || listen(socket.fd(), 1024) != 0) {
        const int error = errno;
        socket = Socket();
        errno = error;
    }
    return socket;
}

Socket connect_at(const addrinfo &address, double deadline_s)
{
    Socket socket(::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket.valid())
        return {};
    if (connect(socket.fd(), address.ai_addr, address.ai_addrlen) != 0) {
        if (errno != EINPROGRESS || !wait_for(socket.fd(), POLLOUT, deadline_s))
            return {};
        int error = 0;
        socklen_t length = sizeof error;
        getsockopt(socket.fd(), SOL_SOCKET, SO_ERROR, &error, &length);
        if (error != 0) {
            errno = error;
            return {};
        }
    }
    const int on = 1;
    setsockopt(socket.fd(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return socket;
}

} // namespace

Socket &Socket::operator=(Socket &&other) noexcept
{
    std::swap(m_fd, other.m_fd);
    return *this;
}

Socket::~Socket()
{
    if (m_fd >= 0)
        close(m_fd);
}

int Socket::release()
{
    const int fd = m_fd;
    m_fd = -1;
    return fd;
}

Result<Socket> listen_on(const HostPort &at)
{
    const Lookup own = look_up(at.host.c_str(), at.port, 0);
    int error = EADDRNOTAVAIL;
    for (const addrinfo *address = own.addresses.get(); address != nullptr; address = address->ai_next) {
        Socket socket = listen_at(*address);
        if (socket.valid())
            return socket;
        error = errno;
    }
    if (error == EADDRNOTAVAIL) { // a name or an address that only others know us by
        const Lookup any = look_up(nullptr, at.port, AI_PASSIVE);
        for (const addrinfo *address = any.addresses.get(); address != nullptr; address = address->ai_next) {
            Socket socket = listen_at(*address);
            if (socket.valid())
                return socket;
            error = errno;
        }
    }
    return Error{ExitCode::Rendezvous, "rank 0 cannot listen on " + text_of(at) + ": " +
                                           std::strerror(error) +
                                           "; choose another MASTER_PORT or MASTER_ADDR"};
}

Result<Socket> connect_to(const HostPort &at, double deadline_s)
{
    std::string problem;
    do {
        const Lookup lookup = look_up(at.host.c_str(), at.port, 0);
        problem = lookup.problem;
        for (const addrinfo *address = lookup.addresses.get(); address != nullptr;
             address = address->ai_next) {
            errno = ETIMEDOUT;
            Socket socket = connect_at(*address, deadline_s);
            if (socket.valid())
                return socket;
            problem = std::strerror(errno);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    } while (monotonic_s() < deadline_s);
    return Error{ExitCode::Rendezvous,
                 "cannot reach rank 0 at " + text_of(at) + ": " + problem +
                     "; check that it runs and that MASTER_ADDR and MASTER_PORT are right"};
}

bool send_all(const Socket &socket, std::span<const char> data, double deadline_s)
{
    while (!data.empty()) {
        const ssize_t sent = send(socket.fd(), data.data(), data.size(), MSG_NOSIGNAL);
        if (sent > 0) {
            data = data.subspan(static_cast<std::size_t>(sent));
        } else if (errno != EINTR) {
            if (errno != EAGAIN || !wait_for(socket.fd(), POLLOUT, deadline_s))
                return false;
        }
    }
    return true;
}

bool receive_all(const Socket &socket, std::span<char> data, double deadline_s)
{
    while (!data.empty()) {
        const ssize_t received = recv(socket.fd(), data.data(), data.size(), 0);
        if (received > 0) {
            data = data.subspan(static_cast<std::size_t>(received));
        } else if (received == 0) {
            return false;
        } else if (errno != EINTR) {
            if (errno != EAGAIN || !wait_for(socket.fd(), POLLIN, deadline_s))
                return false;
        }
    }
    return true;
}

std::string address_towards(const std::string &host)
{
    const Lookup lookup = look_up(host.c_str(), 9, 0);
    for (const addrinfo *address = lookup.addresses.get(); address != nullptr; address = address->ai_next) {
        // Connecting a datagram socket sends nothing; it only asks the routing table.
        const Socket socket(::socket(address->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
        sockaddr_storage own{};
        socklen_t length = sizeof own;
        if (!socket.valid() || connect(socket.fd(), address->ai_addr, address->ai_addrlen) != 0 ||
            getsockname(socket.fd(), reinterpret_cast<sockaddr *>(&own), &length) != 0)
            continue;
        char text[NI_MAXHOST];
        if (getnameinfo(reinterpret_cast<sockaddr *>(&own), length, text, sizeof text, nullptr, 0,
                        NI_NUMERICHOST) == 0)
            return text;
    }
    return {};
}

} // namespace sbtrain
