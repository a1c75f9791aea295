// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_dialogs.h"

#include "pages/appearance_panel.h"
#include "settings/settings.h"
#include "widgets/icon.h"
#include "widgets/text.h"

#include <QCoreApplication>
#include <QDialog>
#include <QGridLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace sb {

namespace {

struct DialogText {
    Q_DECLARE_TR_FUNCTIONS(DialogText)
};

// A dialog with a title line and a Close button at the foot.
QVBoxLayout *makeDialog(const QString &title, QWidget *parent)
{
    auto *dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    auto *layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(20, 16, 20, 14);
    layout->setSpacing(12);
    auto *close = new QPushButton(DialogText::tr("Close"), dialog);
    close->setDefault(true);
    QObject::connect(close, &QPushButton::clicked, dialog, &QDialog::close);
    layout->addStretch(1);
    layout->addWidget(close, 0, Qt::AlignRight);
    return layout;
}

QDialog *dialogOf(QVBoxLayout *layout)
{
    return static_cast<QDialog *>(layout->parentWidget());
}

} // namespace

void openSettings(Settings &settings, QWidget *parent)
{
    QVBoxLayout *layout = makeDialog(DialogText::tr("Settings"), parent);
    layout->insertWidget(0, new AppearanceForm(settings, dialogOf(layout)));
    dialogOf(layout)->setMinimumWidth(520);
    dialogOf(layout)->show();
}

void showShortcuts(const QStringList &lines, QWidget *parent)
{
    QVBoxLayout *layout = makeDialog(DialogText::tr("Keyboard shortcuts"), parent);
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(24);
    grid->setVerticalSpacing(5);
    int row = 0;
    for (const QString &line : lines) {
        auto *keys = new TextLabel(TextRole::Mono, dialogOf(layout));
        auto *text = new TextLabel(TextRole::Body, dialogOf(layout));
        keys->setText(line.section(u'\t', 0, 0));
        text->setText(line.section(u'\t', 1));
        grid->addWidget(keys, row, 0);
        grid->addWidget(text, row++, 1);
    }
    grid->setColumnStretch(1, 1);
    layout->insertLayout(0, grid);
    dialogOf(layout)->show();
}

void showAbout(QWidget *parent)
{
    QVBoxLayout *layout = makeDialog(DialogText::tr("About Scaleboard"), parent);
    auto *head = new QHBoxLayout;
    head->setSpacing(16);
    auto *picture = new QLabel(dialogOf(layout));
    picture->setPixmap(toneIcon(QStringLiteral("scaleboard")).pixmap(64, 64));
    auto *texts = new QVBoxLayout;
    texts->setSpacing(4);
    auto *name = new TextLabel(TextRole::PageTitle, dialogOf(layout));
    name->setText(QStringLiteral("Scaleboard %1").arg(QCoreApplication::applicationVersion()));
    auto *what = new TextLabel(TextRole::Body, dialogOf(layout));
    what->setText(DialogText::tr("Measures how training scales over devices and nodes."));
    auto *license = new TextLabel(TextRole::Secondary, dialogOf(layout));
    license->setText(
        DialogText::tr("Free software under the GNU General Public License, version 3 or later.\n"
                       "Built on Qt %1 and QCustomPlot.")
            .arg(QString::fromLatin1(qVersion())));
    for (TextLabel *text : {name, what, license})
        texts->addWidget(text);
    head->addWidget(picture, 0, Qt::AlignTop);
    head->addLayout(texts, 1);
    layout->insertLayout(0, head);
    dialogOf(layout)->show();
}

} // namespace sb
