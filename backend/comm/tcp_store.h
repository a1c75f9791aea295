// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "socket.h"

#include <atomic>
#include <map>
#include <memory>
#include <thread>
#include <vector>

namespace sbtrain {

// A table of keys and values that rank 0 serves while the processes of a job find each other.
//
// Request:  "SBT1", op ('S' set, 'G' get), key length and value length (32 bits, big endian), key, value.
// Answer:   value length (32 bits, big endian), value. To 'S' at once and empty; to 'G' when the key is
// there. One request at a time on a connection. A peer that sends anything else, or more than the limits
// allow, is disconnected.
constexpr std::size_t kMaxStoreKey = 512;
constexpr std::size_t kMaxStoreValue = std::size_t{1} << 20;

// The serving side: a thread of its own between start() and the destructor.
class TcpStoreServer {
public:
    // Failure: ExitCode::Rendezvous.
    static Result<std::unique_ptr<TcpStoreServer>> start(const HostPort &at, std::size_t max_connections);
    ~TcpStoreServer();
    TcpStoreServer(const TcpStoreServer &) = delete;
    TcpStoreServer &operator=(const TcpStoreServer &) = delete;

private:
    struct Connection {
        Socket socket;
        std::string in;          // bytes of an unfinished request
        std::string out;         // bytes not sent yet
        std::string waiting_for; // key of an unanswered 'G'
        bool closed = false;
    };

    TcpStoreServer(Socket listener, Socket wake_read, Socket wake_write, std::size_t max_connections);
    void serve();
    void accept_one();
    void read_from(Connection &connection);
    bool take_request(Connection &connection);
    void answer(Connection &connection, const std::string &value);
    void answer_waiting(const std::string &key);
    static void write_to(Connection &connection);

    Socket m_listener, m_wake_read, m_wake_write;
    std::size_t m_max_connections;
    std::vector<std::unique_ptr<Connection>> m_connections;
    std::map<std::string, std::string> m_values;
    std::thread m_thread;
};

// The asking side. One thread at a time. Failure: ExitCode::Rendezvous (rank 0 is gone, the time is up, or
// the arguments are over the limits).
class TcpStoreClient {
public:
    static Result<TcpStoreClient> connect(const HostPort &at, double timeout_s);

    Result<void> set(const std::string &key, const std::string &value);
    // Waits until somebody has set the key.
    Result<std::string> get(const std::string &key, double timeout_s);

private:
    TcpStoreClient(Socket socket, double timeout_s)
        : m_socket(std::move(socket))
        , m_timeout_s(timeout_s)
    {
    }
    Result<std::string> ask(char op, const std::string &key, const std::string &value, double timeout_s);

    Socket m_socket;
    double m_timeout_s;
};

} // namespace sbtrain
