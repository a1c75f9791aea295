// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent_filter.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace sb {

namespace {

constexpr char kRequestIdentities = 11; // of the agent's protocol
constexpr char kIdentitiesAnswer = 12;
constexpr std::uint32_t kLongestMessage = 256 * 1024; // as OpenSSH's agent

std::uint32_t numberAt(const std::string &bytes, std::size_t at)
{
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < 4; ++i)
        number = number << 8U | static_cast<unsigned char>(bytes[at + i]);
    return number;
}

std::string numberBytes(std::size_t number)
{
    std::string bytes;
    for (const unsigned shift : {24U, 16U, 8U, 0U})
        bytes += static_cast<char>(static_cast<std::uint32_t>(number) >> shift & 0xFFU);
    return bytes;
}

bool readWhole(int descriptor, int stop, char *bytes, std::size_t size)
{
    while (size > 0) {
        pollfd waits[2] = {{descriptor, POLLIN, 0}, {stop, POLLIN, 0}};
        if (::poll(waits, 2, -1) < 0 && errno == EINTR)
            continue;
        if (waits[1].revents != 0)
            return false;
        const ssize_t got = ::read(descriptor, bytes, size);
        if (got <= 0)
            return false;
        bytes += got;
        size -= static_cast<std::size_t>(got);
    }
    return true;
}

std::optional<std::string> readMessage(int descriptor, int stop)
{
    std::string head(4, '\0');
    if (!readWhole(descriptor, stop, head.data(), head.size()))
        return std::nullopt;
    const std::uint32_t size = numberAt(head, 0);
    if (size == 0 || size > kLongestMessage)
        return std::nullopt;
    std::string message(size, '\0');
    if (!readWhole(descriptor, stop, message.data(), message.size()))
        return std::nullopt;
    return message;
}

bool writeMessage(int descriptor, const std::string &message)
{
    const std::string whole = numberBytes(message.size()) + message;
    std::size_t done = 0;
    while (done < whole.size()) {
        const ssize_t sent = ::send(descriptor, whole.data() + done, whole.size() - done, MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        done += static_cast<std::size_t>(sent);
    }
    return true;
}

std::optional<sockaddr_un> addressOf(const std::string &path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path)
        return std::nullopt;
    std::memcpy(address.sun_path, path.data(), path.size());
    return address;
}

int connectTo(const std::string &path)
{
    const auto address = addressOf(path);
    const int descriptor = address ? ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
    if (descriptor >= 0 &&
        ::connect(descriptor, reinterpret_cast<const sockaddr *>(&*address), sizeof *address) != 0) {
        ::close(descriptor);
        return -1;
    }
    return descriptor;
}

} // namespace

std::string filteredIdentities(const std::string &answer, const std::vector<std::string> &blobs)
{
    std::string kept;
    std::size_t count = 0;
    if (answer.size() >= 5 && answer[0] == kIdentitiesAnswer) {
        std::size_t at = 5;
        for (std::uint32_t left = numberAt(answer, 1); left > 0; --left) { // each: key, comment
            const std::size_t begin = at;
            std::string key;
            bool whole = true;
            for (int part = 0; part < 2 && whole; ++part) {
                const std::size_t size = at + 4 <= answer.size() ? numberAt(answer, at) : answer.size();
                whole = at + 4 <= answer.size() && size <= answer.size() - at - 4;
                if (whole && part == 0)
                    key = answer.substr(at + 4, size);
                at += 4 + size;
            }
            if (!whole)
                break;
            if (std::find(blobs.begin(), blobs.end(), key) == blobs.end())
                continue;
            kept += answer.substr(begin, at - begin);
            ++count;
        }
    }
    return kIdentitiesAnswer + numberBytes(count) + kept;
}

Result<std::unique_ptr<AgentFilter>> AgentFilter::start(const std::string &agent,
                                                        std::vector<std::string> blobs)
{
    std::unique_ptr<AgentFilter> filter(new AgentFilter);
    filter->m_agent = agent;
    filter->m_blobs = std::move(blobs);
    const char *place = std::getenv("XDG_RUNTIME_DIR");
    std::string folder = std::string(place && *place ? place : "/tmp") + "/scaleboard-XXXXXX";
    const auto failed = [&folder] {
        return Error{ErrorCode::Io, "A socket for the ssh-agent cannot be made in " + folder + " (" +
                                        std::strerror(errno) + ")."};
    };
    if (::mkdtemp(folder.data()) == nullptr) // mode 700
        return failed();
    filter->m_folder = folder;
    filter->m_path = folder + "/agent";
    const auto address = addressOf(filter->m_path);
    filter->m_listener = address ? ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
    if (filter->m_listener < 0 ||
        ::bind(filter->m_listener, reinterpret_cast<const sockaddr *>(&*address), sizeof *address) != 0 ||
        ::listen(filter->m_listener, 4) != 0 || ::pipe2(filter->m_stop, O_CLOEXEC) != 0)
        return failed();
    filter->m_thread = std::thread([one = filter.get()] { one->serve(); });
    return filter;
}

AgentFilter::~AgentFilter()
{
    if (m_stop[1] >= 0)
        ::close(m_stop[1]);
    if (m_thread.joinable())
        m_thread.join();
    for (const int descriptor : {m_stop[0], m_listener})
        if (descriptor >= 0)
            ::close(descriptor);
    if (!m_folder.empty()) {
        ::unlink(m_path.c_str());
        ::rmdir(m_folder.c_str());
    }
}

// One client at a time: libssh, which asks and waits.
void AgentFilter::serve() const
{
    while (true) {
        pollfd waits[2] = {{m_listener, POLLIN, 0}, {m_stop[0], POLLIN, 0}};
        if (::poll(waits, 2, -1) < 0 && errno == EINTR)
            continue;
        if (waits[1].revents != 0)
            return;
        const int client = ::accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
        const int agent = client < 0 ? -1 : connectTo(m_agent);
        while (client >= 0 && agent >= 0) {
            const auto question = readMessage(client, m_stop[0]);
            if (!question || !writeMessage(agent, *question))
                break;
            const auto answer = readMessage(agent, m_stop[0]);
            if (!answer || !writeMessage(client, (*question)[0] == kRequestIdentities
                                                     ? filteredIdentities(*answer, m_blobs)
                                                     : *answer))
                break;
        }
        for (const int descriptor : {client, agent})
            if (descriptor >= 0)
                ::close(descriptor);
    }
}

} // namespace sb
