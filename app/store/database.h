// SPDX-License-Identifier: GPL-3.0-or-later
// The SQLite index of a workspace. One connection, one thread. Everything in it can be made again.
#pragma once

#include "core/result.h"
#include "core/sample.h"

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sb {

class Database {
public:
    static constexpr int kSchema = 1;

    // Opens or makes the file. Newer: made by a newer version. BadInput: not a database or damaged.
    static Result<std::unique_ptr<Database>> open(const std::string &path);
    ~Database();

    bool isNew() const; // made by this open()

    Result<void> saveRun(const std::string &id, const std::string &caseName, const std::string &record);
    Result<std::vector<std::pair<std::string, std::string>>> runs() const; // id, record; by id
    Result<void> appendSamples(const std::string &runId, std::span<const Sample> samples);
    Result<void> dropSamples(const std::string &runId);
    Result<std::vector<Sample>> samples(const std::string &runId, int rank) const;

private:
    Database();
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace sb
