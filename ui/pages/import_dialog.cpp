// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/import_dialog.h"

#include "charts/chart_text.h"
#include "core/units.h"
#include "pages/import_details.h"
#include "sentences/sentence.h"
#include "widgets/sb_style.h"
#include "widgets/text.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QStandardItemModel>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <set>

namespace sb {

namespace {

enum Column { File, Framework, Case, Values, Rate, Note, kColumns };
constexpr int kPauseMs = 300;
constexpr std::size_t kMostRows = 1000;

QString noteOf(const ImportItem &item)
{
    if (!item.good())
        return translateSentence(item.problem);
    if (item.failure)
        return toQString(item.failure->name + ": " + item.failure->line);
    if (!item.isRun())
        return toQString(item.links);
    if (const auto disagreement = item.measurement->disagreement())
        return toQString(*disagreement);
    return {};
}

QList<QStandardItem *> rowOf(const ImportItem &item, const QString &base)
{
    QStringList texts(kColumns);
    const QString path = toQString(item.path);
    texts[File] = path.startsWith(base) ? path.mid(base.size()) : QFileInfo(path).fileName();
    texts[Framework] = toQString(item.format);
    texts[Values] = QString::number(item.values);
    if (item.isRun()) {
        texts[Case] = toQString(item.key.workload + " " + item.key.scaleName() + " " + item.key.precision);
        if (item.key.batchSizePerDevice > 0) // else it is not said anywhere
            texts[Case] += QStringLiteral(" b%1").arg(item.key.batchSizePerDevice);
        texts[Rate] = toQString(formatThroughput(item.measurement->throughput)) + QLatin1Char(' ') +
                      rateUnit(item.unit);
    }
    texts[Note] = noteOf(item);
    QList<QStandardItem *> row;
    for (int i = 0; i < kColumns; ++i) {
        auto *cell = new QStandardItem(texts[i]);
        cell->setEnabled(item.good());
        cell->setToolTip(texts[i]);
        if (i == Values || i == Rate)
            cell->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        row << cell;
    }
    return row;
}

} // namespace

ImportDialog::ImportDialog(SessionModel &session, const QString &startFolder, QWidget *parent)
    : QDialog(parent)
    , m_task(session.catalog())
    , m_startFolder(startFolder)
    , m_path(new QLineEdit(this))
    , m_pattern(new QLineEdit(this))
    , m_model(new QStandardItemModel(0, kColumns, this))
    , m_table(new QTableView(this))
    , m_trialTitle(new TextLabel(TextRole::Secondary, Tone::Muted, this))
    , m_trial(new TrialView(this))
    , m_columns(new ColumnChooser(this))
    , m_verdict(new TextLabel(TextRole::Secondary, Tone::Muted, this))
    , m_accept(new QPushButton(tr("Import"), this))
{
    setWindowTitle(tr("Import results"));
    resize(1040, 640);
    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMs);
    buildForm();
    connect(m_path, &QLineEdit::textChanged, m_columns, &ColumnChooser::forget);
    connect(m_path, &QLineEdit::textChanged, &m_pause, qOverload<>(&QTimer::start));
    connect(m_pattern, &QLineEdit::textChanged, &m_pause, qOverload<>(&QTimer::start));
    connect(m_columns, &ColumnChooser::changed, this, &ImportDialog::read);
    connect(&m_pause, &QTimer::timeout, this, &ImportDialog::read);
    connect(&m_task, &ImportTask::finished, this, &ImportDialog::showPreview);
    connect(m_accept, &QPushButton::clicked, this, &QDialog::accept);
    m_accept->setEnabled(false);
    m_verdict->setText(tr(
        "Choose a folder or a file: logs of training, tables (CSV), results of the report's scripts (JSON), "
        "MLPerf logs, or what nccl-tests and nvbandwidth print. Nothing is changed before you import."));
}

void ImportDialog::buildForm()
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 12);
    layout->setSpacing(8);
    auto *form = new QFormLayout;
    auto *place = new QHBoxLayout;
    auto *folder = new QPushButton(tr("Folder…"), this);
    auto *file = new QPushButton(tr("File…"), this);
    place->addWidget(m_path, 1);
    place->addWidget(folder);
    place->addWidget(file);
    const auto label = [this](const QString &text, QLineEdit *field) {
        auto *made = new QLabel(text, this);
        made->setBuddy(field);
        made->setMinimumHeight(field->sizeHint().height()); // in the middle of its row
        return made;
    };
    form->addRow(label(tr("&From"), m_path), place);
    form->addRow(label(tr("&Pattern"), m_pattern), m_pattern);
    layout->addLayout(form);
    m_path->setAccessibleName(tr("From"));
    m_pattern->setFont(roleFont(TextRole::Mono));
    m_pattern->setAccessibleName(tr("Pattern"));
    m_pattern->setPlaceholderText(
        tr("only for logs of no known form, for example  step (?P<step>\\d+) .* (?P<rate>[\\d.]+) images"));
    buildPreview();
    layout->addWidget(m_columns);
    auto *split = new QSplitter(Qt::Vertical, this);
    auto *below = new QWidget(split);
    auto *belowLayout = new QVBoxLayout(below);
    belowLayout->setContentsMargins(0, 4, 0, 0);
    belowLayout->setSpacing(4);
    belowLayout->addWidget(m_trialTitle);
    belowLayout->addWidget(m_trial, 1);
    split->addWidget(m_table);
    split->addWidget(below);
    split->setChildrenCollapsible(false);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    below->hide();
    layout->addWidget(split, 1);
    m_verdict->setWordWrap(true);
    layout->addWidget(m_verdict);
    auto *cancel = new QPushButton(tr("Cancel"), this);
    setButtonRole(m_accept, ButtonRole::Primary);
    m_accept->setDefault(true);
    auto *buttons = new QHBoxLayout;
    buttons->addStretch();
    buttons->addWidget(m_accept);
    buttons->addWidget(cancel);
    layout->addLayout(buttons);
    connect(folder, &QPushButton::clicked, this, [this] { choose(true); });
    connect(file, &QPushButton::clicked, this, [this] { choose(false); });
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
}

void ImportDialog::buildPreview()
{
    m_model->setHorizontalHeaderLabels(
        {tr("File"), tr("Printed by"), tr("Case"), tr("Values"), tr("Throughput"), tr("Note")});
    m_table->setModel(m_model);
    m_table->setAccessibleName(tr("What would be imported"));
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->verticalHeader()->hide();
    m_table->setWordWrap(false);
    m_table->horizontalHeader()->setSectionResizeMode(Note, QHeaderView::Stretch);
    m_trialTitle->setElided(true);
    m_trial->setAccessibleName(tr("Lines of the log"));
    m_columns->hide();
}

void ImportDialog::choose(bool folder)
{
    auto *dialog = new QFileDialog(this, windowTitle(), m_startFolder);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(folder ? QFileDialog::Directory : QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &ImportDialog::setPath);
    dialog->open();
}

void ImportDialog::setPath(const QString &path)
{
    m_path->setText(path);
    m_columns->forget();
    m_pause.stop();
    read();
}

void ImportDialog::read()
{
    m_accept->setEnabled(false);
    if (m_path->text().trimmed().isEmpty())
        return;
    ImportOptions options;
    options.pattern = m_pattern->text().trimmed().toStdString();
    options.columns = m_columns->chosen();
    options.trial = true;
    m_verdict->setText(tr("Reading…"));
    m_task.start(m_path->text().trimmed().toStdString(), options);
}

const ImportPreview *ImportDialog::preview() const
{
    const auto &result = m_task.result();
    return result && *result ? &**result : nullptr;
}

QString ImportDialog::verdict() const
{
    return m_verdict->text();
}

void ImportDialog::showPreview()
{
    m_model->removeRows(0, m_model->rowCount());
    const ImportPreview *found = preview();
    if (!found) {
        m_verdict->setText(translateSentence(m_task.result()->error().message));
        Q_EMIT previewed();
        return;
    }
    showRows(*found);
    showDetails(*found);
    Q_EMIT previewed();
}

// What will be taken first.
void ImportDialog::showRows(const ImportPreview &found)
{
    const QString base = m_path->text().trimmed() + QLatin1Char('/');
    std::set<CaseKey> cases;
    int good = 0, links = 0;
    for (const bool wanted : {true, false})
        for (const ImportItem &item : found.items) {
            if (item.good() != wanted)
                continue;
            good += wanted ? 1 : 0;
            links += wanted && !item.isRun() ? 1 : 0;
            if (item.isRun())
                cases.insert(item.key);
            if (m_model->rowCount() < static_cast<int>(kMostRows))
                m_model->appendRow(rowOf(item, base));
        }
    for (int column = 0; column < Note; ++column) // the note has the rest
        m_table->resizeColumnToContents(column);
    m_table->setColumnWidth(File, std::min(m_table->columnWidth(File), 320));
    QString verdict =
        tr("%1 of %2 files can be imported: %n case(s).", nullptr, static_cast<int>(cases.size()))
            .arg(good)
            .arg(found.items.size());
    if (links > 0)
        verdict += QLatin1Char(' ') + tr("%n measurement(s) of links.", nullptr, links);
    m_verdict->setText(verdict);
    m_accept->setEnabled(good > 0);
}

// The text of a log where a pattern is tried or nothing is known of it; the columns of a table.
void ImportDialog::showDetails(const ImportPreview &found)
{
    m_columns->setVisible(found.table.has_value());
    if (found.table)
        m_columns->setTable(*found.table);
    const bool asked = !m_pattern->text().trimmed().isEmpty();
    const bool known = std::any_of(found.items.begin(), found.items.end(),
                                   [](const ImportItem &item) { return item.good(); });
    const bool shown = found.trial && (asked || !known);
    m_trial->parentWidget()->setVisible(shown);
    if (!shown)
        return;
    m_trial->setTrial(*found.trial);
    const QString name = QFileInfo(toQString(found.trialPath)).fileName();
    QStringList numbers;
    for (const std::string &number : found.trial->numbers)
        numbers << toQString(number);
    if (!asked)
        m_trialTitle->setText(
            tr("First lines of %1. A pattern can tell which of their numbers is the throughput.").arg(name));
    else if (found.trial->matched == 0)
        m_trialTitle->setText(tr("No match in the first %1 lines of %2.").arg(found.trial->read).arg(name));
    else
        m_trialTitle->setText(tr("%1 of the first %2 lines of %3 match: %4 …")
                                  .arg(found.trial->matched)
                                  .arg(found.trial->read)
                                  .arg(name, numbers.join(QStringLiteral(", "))));
}

} // namespace sb
