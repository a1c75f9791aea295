// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sbtrain::test {

using Fields = std::map<std::string, std::string>; // key -> raw value; strings without quotes, unescaped

// One flat JSON object, strictly; nothing if the line is anything else.
std::optional<Fields> parse_json_line(const std::string &line);

// A sbtrain process of its own, with its output in a temporary folder. Killed if it outlives the object.
class Process {
public:
    struct Setup {
        std::vector<std::string> arguments;
        std::vector<std::string> environment; // NAME=value, on top of ours without any launcher's variables
        std::string stdout_path;              // empty: a file of our own
    };
    explicit Process(const Setup &setup);
    ~Process();
    Process(const Process &) = delete;
    Process &operator=(const Process &) = delete;

    // The exit status, 128 + signal if a signal ended it; nothing if it still runs after the time.
    std::optional<int> wait(double timeout_s);
    void signal(int number) const;
    // Waits until the event with this step number (or, for 0, "ready") is in the output.
    bool wait_for_step(int step, double timeout_s) const;

    std::string out() const;
    std::string err() const;
    // All events; a line that is no JSON object is a test failure.
    std::vector<Fields> events() const;
    std::vector<Fields> steps() const;

private:
    int m_pid = -1;
    std::optional<int> m_status;
    std::string m_folder, m_out_path;
};

// Environment of rank r of n on this host; every call of free_port() gives another port.
int free_port();
std::vector<std::string> rank_environment(int rank, int world_size, int port);

std::string make_folder();
std::string read_file(const std::string &path);

} // namespace sbtrain::test
