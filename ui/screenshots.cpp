// SPDX-License-Identifier: GPL-3.0-or-later
#include "screenshots.h"

#include "main_window.h"

#include <QDir>
#include <QPixmap>
#include <QTimer>

namespace sb {

namespace {

constexpr int kSettleMs = 400; // the pages' own timers (40 ms) have drawn by then

QString fileName(PageId page)
{
    static const char *const kNames[] = {"start", "nodes",   "topology", "plan",
                                         "live",  "scaling", "compare",  "report"};
    return QLatin1String(kNames[static_cast<int>(page)]) + QStringLiteral(".png");
}

} // namespace

Screenshots::Screenshots(MainWindow &window, const QString &folder, QObject *parent)
    : QObject(parent)
    , m_window(window)
    , m_folder(folder)
{
}

void Screenshots::start()
{
    if (!QDir().mkpath(m_folder))
        return Q_EMIT finished(tr("The folder %1 cannot be made.").arg(m_folder));
    take(0);
}

void Screenshots::take(std::size_t index)
{
    const std::vector<PageId> pages = m_window.pages();
    if (index >= pages.size())
        return Q_EMIT finished(QString());
    m_window.showPage(pages[index]);
    QTimer::singleShot(kSettleMs, this, [this, page = pages[index], index] {
        const QString path = m_folder + u'/' + fileName(page);
        if (!m_window.grab().save(path))
            return Q_EMIT finished(tr("%1 cannot be written.").arg(path));
        take(index + 1);
    });
}

} // namespace sb
