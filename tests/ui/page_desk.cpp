// SPDX-License-Identifier: GPL-3.0-or-later
#include "page_desk.h"

#include "charts/tokens.h"
#include "store/workspace.h"

#include <QApplication>

namespace sb::test {

PageDesk::PageDesk()
    : m_settings(m_home.filePath(QStringLiteral("settings.ini")))
    , m_session({.pluginFolder = m_home.path().toStdString(), .programFolders = {}, .nodeWorkFolder = {}})
{
    useTheme(false);
    speak(false);
}

PageDesk::~PageDesk()
{
    QApplication::removeTranslator(&m_translator);
}

bool PageDesk::open(const std::vector<Run> &runs, const SamplesOf &samples)
{
    const std::string folder = m_home.filePath(QStringLiteral("study")).toStdString();
    {
        auto workspace = Workspace::create(folder);
        if (!workspace)
            return false;
        for (const Run &run : runs)
            if (!(*workspace)->saveRun(run))
                return false;
        for (const Run &run : samples ? runs : std::vector<Run>())
            for (int rank = 0; rank < run.ranks(); ++rank)
                if (!(*workspace)->appendSamples(run.id, samples(run, rank)))
                    return false;
    }
    return m_session.openWorkspace(folder).ok();
}

void PageDesk::speak(bool chinese)
{
    QApplication::removeTranslator(&m_translator);
    const QString name = chinese ? QStringLiteral("scaleboard_zh_CN") : QStringLiteral("scaleboard_en");
    if (m_translator.load(QStringLiteral(":/i18n/") + name))
        QApplication::installTranslator(&m_translator);
    QApplication::processEvents();
}

void PageDesk::useTheme(bool dark)
{
    QApplication::setPalette((dark ? Tokens::dark() : Tokens::light()).toPalette());
    QApplication::processEvents();
}

} // namespace sb::test
