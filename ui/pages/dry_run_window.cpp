// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/dry_run_window.h"

#include "widgets/icon.h"
#include "widgets/sb_style.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSaveFile>
#include <QVBoxLayout>

namespace sb {

DryRunWindow::DryRunWindow(const QString &commands, const QString &startFolder, QWidget *parent)
    : QDialog(parent)
    , m_startFolder(startFolder)
    , m_text(new QPlainTextEdit(commands, this))
    , m_note(new TextLabel(TextRole::Secondary, this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Dry run"));
    resize(900, 560);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(10);
    m_note->setText(tr("These are the commands in the order they would run. Nothing has been started."));
    m_note->setElided(true);
    m_text->setReadOnly(true);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setFont(roleFont(TextRole::Mono));
    m_text->setAccessibleName(tr("Commands"));
    layout->addWidget(m_note);
    layout->addWidget(m_text, 1);
    auto *buttons = new QHBoxLayout;
    auto *copy = new QPushButton(toneIcon(QStringLiteral("copy")), tr("Copy"), this);
    auto *save = new QPushButton(toneIcon(QStringLiteral("save")), tr("Save…"), this);
    auto *close = new QPushButton(tr("Close"), this);
    close->setDefault(true);
    buttons->addWidget(copy);
    buttons->addWidget(save);
    buttons->addStretch(1);
    buttons->addWidget(close);
    layout->addLayout(buttons);
    connect(copy, &QPushButton::clicked, this,
            [this] { QApplication::clipboard()->setText(m_text->toPlainText()); });
    connect(save, &QPushButton::clicked, this, &DryRunWindow::askSave);
    connect(close, &QPushButton::clicked, this, &QDialog::close);
}

void DryRunWindow::askSave()
{
    auto *dialog = new QFileDialog(this, tr("Save commands"), m_startFolder);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->selectFile(QStringLiteral("commands.txt"));
    connect(dialog, &QFileDialog::fileSelected, this, &DryRunWindow::saveTo);
    dialog->open();
}

bool DryRunWindow::saveTo(const QString &path)
{
    QSaveFile file(path);
    const QByteArray bytes = m_text->toPlainText().toUtf8() + '\n';
    const bool saved = file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit();
    m_note->setTone(saved ? Tone::Ok : Tone::Err);
    m_note->setText(saved
                        ? tr("Saved to %1.").arg(path)
                        : tr("%1 was not written: %2. Choose another folder.").arg(path, file.errorString()));
    return saved;
}

} // namespace sb
