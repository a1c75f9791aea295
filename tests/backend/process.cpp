// SPDX-License-Identifier: Apache-2.0
#include "process.h"

#include "clock.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cctype>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace sbtrain::test {

namespace {

struct Reader {
    const std::string &text;
    std::size_t at = 0;

    bool take(char c)
    {
        if (at >= text.size() || text[at] != c)
            return false;
        ++at;
        return true;
    }

    std::optional<std::string> string()
    {
        if (!take('"'))
            return std::nullopt;
        std::string value;
        while (at < text.size() && text[at] != '"') {
            if (static_cast<unsigned char>(text[at]) < 0x20)
                return std::nullopt;
            if (text[at] != '\\') {
                value += text[at++];
                continue;
            }
            const char escape = at + 1 < text.size() ? text[at + 1] : '\0';
            const std::size_t length = escape == 'u' ? 6 : 2;
            if (std::strchr("\"\\/bfnrtu", escape) == nullptr || escape == '\0' || at + length > text.size())
                return std::nullopt;
            if (escape == 'u')
                value += static_cast<char>(std::strtol(text.substr(at + 2, 4).c_str(), nullptr, 16));
            else
                value += escape;
            at += length;
        }
        return take('"') ? std::optional(value) : std::nullopt;
    }

    std::optional<std::string> value()
    {
        if (at < text.size() && text[at] == '"')
            return string();
        const std::size_t begin = at;
        while (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 ||
                                    std::strchr("+-.", text[at]) != nullptr))
            ++at;
        const std::string word = text.substr(begin, at - begin);
        if (word == "null" || word == "true" || word == "false")
            return word;
        char *end = nullptr;
        std::strtod(word.c_str(), &end);
        const bool number = !word.empty() && *end == '\0' &&
                            (word[0] == '-' || std::isdigit(static_cast<unsigned char>(word[0])) != 0);
        return number ? std::optional(word) : std::nullopt;
    }
};

// Variables by which launchers tell ranks; the test may itself run under one.
bool is_launcher_variable(const std::string &entry)
{
    constexpr std::array kPrefixes{"RANK=",  "WORLD_SIZE=", "LOCAL_", "MASTER_", "OMPI_",
                                   "SLURM_", "PMI_",        "GLOO_",  "OMP_NUM"};
    return std::any_of(kPrefixes.begin(), kPrefixes.end(),
                       [&](const char *prefix) { return entry.starts_with(prefix); });
}

} // namespace

std::optional<Fields> parse_json_line(const std::string &line)
{
    Reader reader{line};
    Fields fields;
    if (!reader.take('{'))
        return std::nullopt;
    do {
        const auto key = reader.string();
        if (!key || !reader.take(':'))
            return std::nullopt;
        const auto value = reader.value();
        if (!value || !fields.emplace(*key, *value).second)
            return std::nullopt;
    } while (reader.take(','));
    return reader.take('}') && reader.at == line.size() ? std::optional(fields) : std::nullopt;
}

Process::Process(const Setup &setup)
    : m_folder(make_folder())
{
    m_out_path = setup.stdout_path.empty() ? m_folder + "/out" : setup.stdout_path;
    const std::string err_path = m_folder + "/err";
    std::vector<std::string> words{SBTRAIN_PROGRAM};
    words.insert(words.end(), setup.arguments.begin(), setup.arguments.end());
    std::vector<std::string> environment;
    for (char **entry = environ; *entry != nullptr; ++entry) {
        if (!is_launcher_variable(*entry))
            environment.emplace_back(*entry);
    }
    environment.insert(environment.end(), setup.environment.begin(), setup.environment.end());
    const auto pointers = [](std::vector<std::string> &strings) {
        std::vector<char *> list;
        for (std::string &string : strings)
            list.push_back(string.data());
        list.push_back(nullptr);
        return list;
    };
    const std::vector<char *> argv = pointers(words);
    const std::vector<char *> envp = pointers(environment);

    m_pid = fork();
    if (m_pid == 0) {
        const int out = open(m_out_path.c_str(), O_WRONLY | O_CREAT, 0600);
        const int err = open(err_path.c_str(), O_WRONLY | O_CREAT, 0600);
        dup2(out, STDOUT_FILENO);
        dup2(err, STDERR_FILENO);
        execve(argv[0], argv.data(), envp.data());
        _exit(127);
    }
}

Process::~Process()
{
    if (!m_status) {
        kill(m_pid, SIGKILL);
        waitpid(m_pid, nullptr, 0);
    }
    std::error_code ignored;
    std::filesystem::remove_all(m_folder, ignored);
}

std::optional<int> Process::wait(double timeout_s)
{
    const double deadline_s = monotonic_s() + timeout_s;
    while (!m_status) {
        int status = 0;
        if (waitpid(m_pid, &status, WNOHANG) == m_pid)
            m_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        else if (monotonic_s() > deadline_s)
            break;
        else
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return m_status;
}

void Process::signal(int number) const
{
    kill(m_pid, number);
}

bool Process::wait_for_step(int step, double timeout_s) const
{
    const std::string wanted = step == 0 ? "\"event\":\"ready\"" : "\"step\":" + std::to_string(step) + ",";
    const double deadline_s = monotonic_s() + timeout_s;
    while (out().find(wanted) == std::string::npos) {
        if (monotonic_s() > deadline_s)
            return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
}

std::string Process::out() const
{
    return read_file(m_out_path);
}

std::string Process::err() const
{
    return read_file(m_folder + "/err");
}

std::vector<Fields> Process::events() const
{
    std::vector<Fields> all;
    std::istringstream lines(out());
    for (std::string line; std::getline(lines, line);) {
        const auto fields = parse_json_line(line);
        EXPECT_TRUE(fields) << "no JSON object: " << line;
        if (fields)
            all.push_back(*fields);
    }
    return all;
}

std::vector<Fields> Process::steps() const
{
    std::vector<Fields> all = events();
    std::erase_if(all, [](const Fields &fields) { return fields.at("event") != "step"; });
    return all;
}

int free_port()
{
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    bind(fd, reinterpret_cast<sockaddr *>(&address), length);
    getsockname(fd, reinterpret_cast<sockaddr *>(&address), &length);
    close(fd);
    return ntohs(address.sin_port);
}

std::vector<std::string> rank_environment(int rank, int world_size, int port)
{
    const std::string r = std::to_string(rank);
    const std::string n = std::to_string(world_size);
    return {"RANK=" + r,
            "WORLD_SIZE=" + n,
            "LOCAL_RANK=" + r,
            "LOCAL_WORLD_SIZE=" + n,
            "MASTER_ADDR=127.0.0.1",
            "MASTER_PORT=" + std::to_string(port)};
}

std::string make_folder()
{
    std::string path = (std::filesystem::temp_directory_path() / "sbtrain-test-XXXXXX").string();
    return mkdtemp(path.data()) != nullptr ? path : std::string();
}

std::string read_file(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace sbtrain::test
