// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/import_task.h"

#include <QMetaObject>

namespace sb {

ImportTask::ImportTask(const Catalog &catalog, QObject *parent)
    : QObject(parent)
    , m_catalog(catalog)
{
}

ImportTask::~ImportTask()
{
    m_cancel = true;
    if (m_thread.joinable())
        m_thread.join();
}

void ImportTask::start(const std::string &path, const ImportOptions &options)
{
    m_path = path;
    m_options = options;
    if (busy()) {
        m_cancel = true;
        m_again = true;
        return;
    }
    begin();
}

void ImportTask::begin()
{
    m_cancel = false;
    m_again = false;
    m_thread = std::thread([this, path = m_path, options = m_options] {
        auto made =
            std::make_shared<Result<ImportPreview>>(previewImport(path, m_catalog, options, &m_cancel));
        QMetaObject::invokeMethod(
            this, [this, made] { take(std::move(*made)); }, Qt::QueuedConnection);
    });
}

void ImportTask::take(Result<ImportPreview> result)
{
    m_thread.join();
    if (m_again)
        return begin();
    m_result = std::move(result);
    Q_EMIT finished();
}

} // namespace sb
