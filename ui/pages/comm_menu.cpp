// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/comm_menu.h"

#include "sentences/sentence.h"
#include "widgets/text.h"

#include <QEvent>
#include <QFileDialog>
#include <QMenu>

#include <algorithm>

namespace sb {

CommMenu::CommMenu(SessionModel &session, QWidget *parent)
    : QPushButton(parent)
    , m_session(session)
{
    setMenu(new QMenu(this));
    connect(&session, &SessionModel::workspaceChanged, this, &CommMenu::reload);
    reload();
}

void CommMenu::reload()
{
    m_files = m_session.hasWorkspace() ? collectiveFiles(m_session.workspaceFolder())
                                       : std::vector<CollectiveFile>();
    choose(0);
}

QString CommMenu::chosenName() const
{
    return m_chosen < m_files.size() ? toQString(m_files[m_chosen].name) : QString();
}

void CommMenu::choose(std::size_t index)
{
    m_chosen = index;
    m_fit = index < m_files.size() ? std::optional(fitCommunication(m_files[index].bench)) : std::nullopt;
    fill();
    Q_EMIT changed();
}

void CommMenu::fill()
{
    menu()->clear();
    for (std::size_t i = 0; i < m_files.size(); ++i) {
        const CollectiveFile &file = m_files[i];
        QAction *action = menu()->addAction(tr("%1 · %2, %n rank(s)", nullptr, file.bench.ranks)
                                                .arg(toQString(file.name), toQString(file.bench.program)));
        action->setCheckable(true);
        action->setChecked(i == m_chosen);
        connect(action, &QAction::triggered, this, [this, i] { choose(i); });
    }
    if (!m_files.empty())
        menu()->addSeparator();
    connect(menu()->addAction(tr("Open measured all-reduce…")), &QAction::triggered, this, &CommMenu::ask);
    setText(m_files.empty() ? tr("No all-reduce measured") : chosenName());
    setToolTip(
        tr("The output of sbtrain bench allreduce or of all_reduce_perf, from which latency and bandwidth "
           "are fitted."));
}

std::optional<QString> CommMenu::open(const QString &path)
{
    const bool keep = m_session.hasWorkspace() && !m_session.readOnly();
    auto file = keep ? keepCollectiveFile(m_session.workspaceFolder(), path.toStdString())
                     : readCollectiveFile(path.toStdString());
    if (!file)
        return translateSentence(file.error().message);
    std::erase_if(m_files, [&file](const CollectiveFile &known) { return known.name == file->name; });
    m_files.push_back(std::move(*file));
    choose(m_files.size() - 1);
    return std::nullopt;
}

void CommMenu::ask()
{
    auto *dialog = new QFileDialog(this, tr("Measured all-reduce"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &path) {
        if (const auto wrong = open(path))
            Q_EMIT failed(*wrong);
    });
    dialog->open();
}

void CommMenu::changeEvent(QEvent *event)
{
    QPushButton::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        fill();
}

} // namespace sb
