// SPDX-License-Identifier: Apache-2.0
#include "tcp_store.h"

#include "../clock.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace sbtrain {

namespace {

constexpr std::string_view kMagic = "SBT1";
constexpr std::size_t kHeader = 4 + 1 + 4 + 4;

void append_size(std::string &out, std::size_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        out += static_cast<char>((value >> shift) & 0xFF);
}

std::size_t read_size(std::string_view bytes)
{
    std::size_t value = 0;
    for (const char c : bytes.substr(0, 4))
        value = value << 8 | static_cast<unsigned char>(c);
    return value;
}

} // namespace

Result<std::unique_ptr<TcpStoreServer>> TcpStoreServer::start(const HostPort &at, std::size_t max_connections)
{
    Result<Socket> listener = listen_on(at);
    if (!listener)
        return listener.error();
    std::array<int, 2> wake{};
    if (pipe2(wake.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        return Error{ExitCode::Internal, std::string("cannot make a pipe: ") + std::strerror(errno)};
    return std::unique_ptr<TcpStoreServer>(
        new TcpStoreServer(std::move(*listener), Socket(wake[0]), Socket(wake[1]), max_connections));
}

TcpStoreServer::TcpStoreServer(Socket listener, Socket wake_read, Socket wake_write,
                               std::size_t max_connections)
    : m_listener(std::move(listener))
    , m_wake_read(std::move(wake_read))
    , m_wake_write(std::move(wake_write))
    , m_max_connections(max_connections)
    , m_thread([this] { serve(); })
{
}

TcpStoreServer::~TcpStoreServer()
{
    const char stop = 0;
    if (write(m_wake_write.fd(), &stop, 1) == 1)
        m_thread.join();
    else
        m_thread.detach();
}

void TcpStoreServer::serve()
{
    for (;;) {
        std::vector<pollfd> entries{{m_wake_read.fd(), POLLIN, 0}, {m_listener.fd(), POLLIN, 0}};
        for (const auto &connection : m_connections) {
            const short out = connection->out.empty() ? short{0} : short{POLLOUT};
            entries.push_back({connection->socket.fd(), static_cast<short>(POLLIN | out), 0});
        }
        if (poll(entries.data(), entries.size(), -1) < 0 && errno != EINTR)
            return;
        if (entries[0].revents != 0)
            return;
        // Answers may go out on connections other than the one that is read, so sizes are taken first.
        const std::size_t count = m_connections.size();
        for (std::size_t i = 0; i < count; ++i) {
            if ((entries[i + 2].revents & (POLLIN | POLLHUP | POLLERR)) != 0)
                read_from(*m_connections[i]);
            write_to(*m_connections[i]);
        }
        if (entries[1].revents != 0)
            accept_one();
        std::erase_if(m_connections, [](const auto &connection) { return connection->closed; });
    }
}

void TcpStoreServer::accept_one()
{
    Socket socket(accept4(m_listener.fd(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!socket.valid() || m_connections.size() >= m_max_connections)
        return;
    m_connections.push_back(std::make_unique<Connection>());
    m_connections.back()->socket = std::move(socket);
}

void TcpStoreServer::read_from(Connection &connection)
{
    std::array<char, 16384> piece{};
    const ssize_t received = recv(connection.socket.fd(), piece.data(), piece.size(), 0);
    if (received < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (received <= 0) {
        connection.closed = true;
        return;
    }
    connection.in.append(piece.data(), static_cast<std::size_t>(received));
    if (!take_request(connection))
        connection.closed = true;
}

// Handles the request at the front, if all of it is there. False: nonsense.
bool TcpStoreServer::take_request(Connection &connection)
{
    std::string &in = connection.in;
    const std::size_t known = std::min(in.size(), kMagic.size());
    if (in.compare(0, known, kMagic, 0, known) != 0 || !connection.waiting_for.empty())
        return false;
    if (in.size() < kHeader)
        return true;
    const char op = in[4];
    const std::size_t key_size = read_size(std::string_view(in).substr(5));
    const std::size_t value_size = read_size(std::string_view(in).substr(9));
    if ((op != 'S' && op != 'G') || key_size == 0 || key_size > kMaxStoreKey || value_size > kMaxStoreValue)
        return false;
    if (in.size() < kHeader + key_size + value_size)
        return true;
    if (in.size() > kHeader + key_size + value_size)
        return false; // the next request before the answer to this one
    const std::string key = in.substr(kHeader, key_size);
    std::string value = in.substr(kHeader + key_size);
    in.clear();
    if (op == 'S') {
        m_values[key] = std::move(value);
        answer(connection, {});
        answer_waiting(key);
    } else if (const auto found = m_values.find(key); found != m_values.end()) {
        answer(connection, found->second);
    } else {
        connection.waiting_for = key;
    }
    return true;
}

void TcpStoreServer::answer(Connection &connection, const std::string &value)
{
    append_size(connection.out, value.size());
    connection.out += value;
    connection.waiting_for.clear();
    write_to(connection);
}

void TcpStoreServer::answer_waiting(const std::string &key)
{
    for (const auto &connection : m_connections) {
        if (connection->waiting_for == key)
            answer(*connection, m_values[key]);
    }
}

void TcpStoreServer::write_to(Connection &connection)
{
    if (connection.out.empty() || connection.closed)
        return;
    const ssize_t sent =
        send(connection.socket.fd(), connection.out.data(), connection.out.size(), MSG_NOSIGNAL);
    if (sent > 0)
        connection.out.erase(0, static_cast<std::size_t>(sent));
    else if (errno != EAGAIN && errno != EINTR)
        connection.closed = true;
}

Result<TcpStoreClient> TcpStoreClient::connect(const HostPort &at, double timeout_s)
{
    Result<Socket> socket = connect_to(at, monotonic_s() + timeout_s);
    if (!socket)
        return socket.error();
    return TcpStoreClient(std::move(*socket), timeout_s);
}

Result<void> TcpStoreClient::set(const std::string &key, const std::string &value)
{
    const Result<std::string> answer = ask('S', key, value, m_timeout_s);
    return answer ? Result<void>() : Result<void>(answer.error());
}

Result<std::string> TcpStoreClient::get(const std::string &key, double timeout_s)
{
    return ask('G', key, {}, timeout_s);
}

Result<std::string> TcpStoreClient::ask(char op, const std::string &key, const std::string &value,
                                        double timeout_s)
{
    if (key.empty() || key.size() > kMaxStoreKey || value.size() > kMaxStoreValue)
        return Error{ExitCode::Rendezvous, "a rendezvous key or value is too large: too many processes"};
    std::string request(kMagic);
    request += op;
    append_size(request, key.size());
    append_size(request, value.size());
    request += key + value;

    const double deadline_s = monotonic_s() + timeout_s;
    const auto lost = [&] {
        const bool late = monotonic_s() >= deadline_s;
        return Error{ExitCode::Rendezvous,
                     late ? "not all processes arrived within " + std::to_string(std::lround(timeout_s)) +
                                " s (--timeout): check that every rank was started"
                          : std::string("rank 0 went away while the processes were finding each other")};
    };
    std::array<char, 4> size_bytes{};
    if (!send_all(m_socket, request, deadline_s) || !receive_all(m_socket, size_bytes, deadline_s))
        return lost();
    const std::size_t size = read_size({size_bytes.data(), size_bytes.size()});
    if (size > kMaxStoreValue)
        return Error{ExitCode::Rendezvous, "what listens at MASTER_ADDR and MASTER_PORT is no sbtrain"};
    std::string answer(size, '\0');
    if (!receive_all(m_socket, answer, deadline_s))
        return lost();
    return answer;
}

} // namespace sbtrain
