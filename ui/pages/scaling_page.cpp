// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/scaling_page.h"

#include "charts/scaling_chart.h"
#include "pages/scaling_table.h"
#include "report/report_texts.h"
#include "widgets/empty_state.h"
#include "widgets/icon.h"
#include "widgets/panel.h"
#include "widgets/remembering_splitter.h"
#include "widgets/segmented.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>

namespace sb {

ScalingPage::ScalingPage(SessionModel &session, Settings &settings, QWidget *parent)
    : QWidget(parent)
    , m_session(session)
    , m_settings(settings)
    , m_header(new PageHeader(this))
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyState(QStringLiteral("scaling"), this))
    , m_workload(new QComboBox(this))
    , m_precision(new QComboBox(this))
    , m_batch(new QComboBox(this))
    , m_fit(new QComboBox(this))
    , m_until(new QSpinBox(this))
    , m_scale(new Segmented(2, this))
    , m_measure(new Segmented(2, this))
    , m_throughputPanel(new Panel(Panel::TitleRow::Normal, this))
    , m_speedupPanel(new Panel(Panel::TitleRow::Normal, this))
    , m_throughput(new ScalingChart(this))
    , m_speedup(new ScalingChart(this))
    , m_table(new QTableView(this))
    , m_model(new ScalingTableModel(this))
    , m_note(new TextLabel(TextRole::Secondary, Tone::Muted, this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 0, 16, 12);
    layout->setSpacing(0);
    layout->addWidget(m_header);
    auto *content = new QWidget(this);
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(10);
    column->addWidget(buildFilters());
    auto *rows = new RememberingSplitter(settings, QStringLiteral("scaling"), Qt::Vertical, content);
    rows->addWidget(buildCharts());
    rows->addWidget(buildTable());
    rows->setStretchFactor(0, 1);
    rows->setDefaultSizes({328, 252});
    column->addWidget(rows, 1);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(content);
    layout->addWidget(m_stack, 1);
    buildHeader();

    for (QComboBox *combo : {m_workload, m_precision, m_batch})
        connect(combo, &QComboBox::currentIndexChanged, this, [this] {
            if (m_filling)
                return;
            fillFilters();
            showGroup();
        });
    for (Segmented *choice : {m_scale, m_measure})
        connect(choice, &Segmented::chosen, this, &ScalingPage::showFigures);
    for (ScalingChart *chart : {m_throughput, m_speedup})
        connect(chart, &ScalingChart::curveClicked, this, &ScalingPage::emphasise);
    connect(m_empty->button(), &QPushButton::clicked, this, &ScalingPage::planWanted);
    connect(&session, &SessionModel::resultsChanged, this, &ScalingPage::takeResults);
    connect(&session, &SessionModel::workspaceChanged, this, &ScalingPage::takeResults);
    m_texts.add([this] { writeTexts(); });
    takeResults();
}

void ScalingPage::buildHeader()
{
    m_showData = new QPushButton(this);
    m_showData->setCheckable(true);
    m_showData->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_T));
    connect(m_showData, &QPushButton::toggled, this, &ScalingPage::setDataShown);
    auto *copy = new QPushButton(toneIcon(QStringLiteral("copy")), QString(), this);
    auto *menu = new QMenu(copy);
    QAction *csv = menu->addAction(QString());
    QAction *markdown = menu->addAction(QString());
    connect(csv, &QAction::triggered, this, [this] { copyTable(false); });
    connect(markdown, &QAction::triggered, this, [this] { copyTable(true); });
    copy->setMenu(menu);
    auto *figures = new QPushButton(toneIcon(QStringLiteral("save")), QString(), this);
    connect(figures, &QPushButton::clicked, this, &ScalingPage::exportFigures);
    m_published = new QPushButton(this);
    m_published->setCheckable(true);
    connect(m_published, &QPushButton::toggled, this, &ScalingPage::setPublishedShown);
    for (QPushButton *button : {m_published, m_showData, copy, figures})
        m_header->addTool(button);
    m_texts.add([this, copy, csv, markdown, figures] {
        m_published->setText(tr("Published results"));
        m_published->setToolTip(
            tr("Lay the tables of the 2020-10 report over your results, with their source."));
        m_showData->setText(tr("Show data"));
        copy->setText(tr("Copy table"));
        csv->setText(tr("As CSV"));
        markdown->setText(tr("As Markdown"));
        figures->setText(tr("Export figures…"));
    });
}

QWidget *ScalingPage::buildFilters()
{
    auto *bar = new QWidget(this);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    const auto add = [&](QComboBox *combo, const std::function<QString()> &name) {
        auto *label = new TextLabel(TextRole::Secondary, Tone::Muted, bar);
        label->setBuddy(combo);
        combo->setMinimumHeight(24);
        combo->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        row->addWidget(label);
        row->addWidget(combo);
        row->addSpacing(4);
        m_texts.add([label, combo, name] {
            label->setText(name());
            combo->setAccessibleName(name());
        });
    };
    add(m_workload, [] { return tr("Workload"); });
    add(m_precision, [] { return tr("Precision"); });
    add(m_batch, [] { return tr("Batch per device"); });
    row->addStretch();
    row->addWidget(m_scale);
    row->addSpacing(4);
    row->addWidget(m_measure);
    row->addSpacing(4);
    add(m_fit, [] { return tr("Fit"); });
    buildFitChoice(bar);
    row->addWidget(m_until);
    return bar;
}

void ScalingPage::buildFitChoice(QWidget *bar)
{
    m_fit->addItems({QString(), QStringLiteral("Amdahl"), QStringLiteral("USL")});
    m_until->setParent(bar);
    m_until->setMinimumHeight(24);
    m_until->setRange(2, 100000);
    m_until->setValue(64);
    m_until->hide();
    connect(m_until, &QSpinBox::valueChanged, this, &ScalingPage::showFigures);
    connect(m_fit, &QComboBox::currentIndexChanged, this, [this](int fit) {
        m_until->setVisible(fit > 0);
        showFigures();
    });
    m_texts.add([this] {
        m_fit->setItemText(0, tr("None"));
        m_until->setPrefix(tr("to "));
        m_until->setAccessibleName(tr("Devices that the fit is drawn to"));
    });
}

QWidget *ScalingPage::buildCharts()
{
    m_charts = new RememberingSplitter(m_settings, QStringLiteral("scaling-charts"), Qt::Horizontal, this);
    const std::vector<std::pair<Panel *, ScalingChart *>> sides{{m_throughputPanel, m_throughput},
                                                                {m_speedupPanel, m_speedup}};
    for (const auto &[panel, chart] : sides) {
        panel->setBodyMargins(1, 0, 1, 1);
        panel->body()->addWidget(chart);
        m_charts->addWidget(panel);
    }
    static_cast<RememberingSplitter *>(m_charts)->setDefaultSizes({573, 573});
    return m_charts;
}

QWidget *ScalingPage::buildTable()
{
    auto *panel = new Panel(Panel::TitleRow::None, this);
    panel->setBodyMargins(8, 1, 8, 1);
    m_table->setModel(m_model);
    m_table->setItemDelegate(new ScalingTableDelegate(m_table));
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(24);
    m_table->horizontalHeader()->setFixedHeight(26);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->installEventFilter(this);
    m_table->viewport()->installEventFilter(this);
    connect(m_table, &QTableView::clicked, this,
            [this](const QModelIndex &index) { emphasise(index.row()); });
    m_note->setWordWrap(true);
    m_note->setContentsMargins(4, 3, 4, 5);
    panel->body()->setSpacing(0);
    panel->body()->addWidget(m_table, 1);
    panel->body()->addWidget(m_note);
    return panel;
}

void ScalingPage::writeTexts()
{
    m_header->setTitle(tr("Scaling"));
    m_empty->setTexts(tr("No results yet"), tr("Run a plan, or open a workspace with results."), tr("Plan"));
    m_scale->setTexts({tr("Linear"), QStringLiteral("log₂")});
    m_scale->setAccessibleName(tr("Scale of the axes"));
    m_measure->setTexts({tr("Speedup"), tr("Efficiency")});
    m_measure->setAccessibleName(tr("Right chart"));
    m_table->setAccessibleName(tr("Results"));
    m_throughputPanel->setTitle(tr("Throughput"));
    m_throughputPanel->setHint(tr("median; whiskers span the repeats"));
    m_model->retranslate();
    fitColumns();
    showFigures();
}

// Every column as wide as it needs; what is left over goes to the names. Narrower than that, it scrolls.
void ScalingPage::fitColumns()
{
    if (m_model->columnCount() == 0)
        return;
    m_table->resizeColumnsToContents();
    const int spare = m_table->viewport()->width() - m_table->horizontalHeader()->length();
    if (spare > 0)
        m_table->setColumnWidth(0, m_table->columnWidth(0) + spare);
}

void ScalingPage::takeResults()
{
    m_groups = scalingGroups(m_session.results());
    for (ScalingGroup &one : m_groups)
        one.curves = rankedCurves(std::move(one.curves));
    if (m_published->isChecked())
        addPublished();
    fillFilters();
    showGroup();
}

void ScalingPage::fillFilters()
{
    m_filling = true;
    // Each list offers what the choices before it leave.
    const auto fill = [](QComboBox *combo, const std::vector<std::pair<QString, QString>> &entries) {
        const QString before = combo->currentData().toString();
        combo->clear();
        for (const auto &[text, id] : entries)
            if (combo->findData(id) < 0)
                combo->addItem(text, id);
        combo->setCurrentIndex(std::max(0, combo->findData(before)));
    };
    std::vector<std::pair<QString, QString>> workloads;
    std::vector<std::pair<QString, QString>> precisions;
    std::vector<std::pair<QString, QString>> batches;
    for (const ScalingGroup &one : m_groups)
        workloads.push_back({toQString(one.workloadTitle), toQString(one.workload)});
    fill(m_workload, workloads);
    for (const ScalingGroup &one : m_groups)
        if (toQString(one.workload) == m_workload->currentData())
            precisions.push_back({precisionText(one.precision), toQString(one.precision)});
    fill(m_precision, precisions);
    for (const ScalingGroup &one : m_groups)
        if (toQString(one.workload) == m_workload->currentData() &&
            toQString(one.precision) == m_precision->currentData())
            // The batch names the rest of the group too: device and data may differ.
            batches.push_back({QString::number(one.batchSizePerDevice), toQString(groupId(one))});
    fill(m_batch, batches);
    m_filling = false;
}

const ScalingGroup *ScalingPage::group() const
{
    for (const ScalingGroup &one : m_groups)
        if (toQString(groupId(one)) == m_batch->currentData())
            return &one;
    return nullptr;
}

void ScalingPage::showGroup()
{
    const ScalingGroup *shown = group();
    m_stack->setCurrentIndex(shown ? 1 : 0);
    for (QPushButton *button : m_header->findChildren<QPushButton *>())
        button->setEnabled(shown || button == m_published);
    if (!shown) {
        m_header->setSubtitle(QString());
        m_model->setGroup({});
        return;
    }
    if (*shown != m_model->group()) {
        m_hidden.clear();
        m_emphasised.reset();
        m_model->setGroup(*shown);
        fitColumns();
    }
    showFigures();
}

void ScalingPage::emphasise(int curve)
{
    const auto index = static_cast<std::size_t>(curve);
    if (m_emphasised == index) {
        m_emphasised.reset();
        m_table->clearSelection();
    } else {
        m_emphasised = index;
        m_table->selectRow(curve);
    }
    showFigures();
}

void ScalingPage::toggleHidden()
{
    const QModelIndex current = m_table->currentIndex();
    if (!current.isValid())
        return;
    const auto row = static_cast<std::size_t>(current.row());
    if (!m_hidden.insert(row).second)
        m_hidden.erase(row);
    if (m_emphasised == row)
        m_emphasised.reset();
    showFigures();
}

void ScalingPage::copyTable(bool markdown)
{
    const ReportTable table = m_model->asTable();
    const ReportLanguage language =
        tr("SIMULATED") != QStringLiteral("SIMULATED") ? ReportLanguage::Chinese : ReportLanguage::English;
    const std::string text = markdown ? tableMarkdown(table, language) : tableCsv(table, language);
    QApplication::clipboard()->setText(QString::fromStdString(text));
}

void ScalingPage::setDataShown(bool shown)
{
    m_charts->setVisible(!shown);
    if (m_showData->isChecked() != shown)
        m_showData->setChecked(shown);
    (shown ? static_cast<QWidget *>(m_table) : static_cast<QWidget *>(m_throughput))->setFocus();
}

bool ScalingPage::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_table->viewport() && event->type() == QEvent::Resize)
        fitColumns();
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_Space) {
            toggleHidden();
            return true;
        }
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            if (m_table->currentIndex().isValid())
                emphasise(m_table->currentIndex().row());
            return true;
        }
        if (key->matches(QKeySequence::Copy)) {
            QApplication::clipboard()->setText(m_model->asTabs());
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void ScalingPage::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        m_texts.refresh();
}

} // namespace sb
