// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/import.h"

#include <QObject>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>

namespace sb {

// Makes previews of imports in a thread of its own, one after the other; a new one replaces the one that is
// being made. Lives in the UI thread; `catalog` must outlive it.
class ImportTask : public QObject {
    Q_OBJECT
public:
    explicit ImportTask(const Catalog &catalog, QObject *parent = nullptr);
    ~ImportTask() override; // waits for the file that is being read

    void start(const std::string &path, const ImportOptions &options);
    bool busy() const { return m_thread.joinable(); }
    // Of the last preview; empty before the first.
    const std::optional<Result<ImportPreview>> &result() const { return m_result; }

Q_SIGNALS:
    void finished();

private:
    void begin();
    void take(Result<ImportPreview> result);

    const Catalog &m_catalog;
    std::thread m_thread;
    std::atomic<bool> m_cancel = false;
    std::string m_path;
    ImportOptions m_options;
    bool m_again = false; // another was asked for meanwhile
    std::optional<Result<ImportPreview>> m_result;
};

} // namespace sb
