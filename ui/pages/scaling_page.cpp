// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/scaling_page.h"

#include "charts/chart_text.h"
#include "charts/painted_figure.h"
#include "charts/scaling_chart.h"
#include "pages/comm_menu.h"
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

#include <functional>

namespace sb {

ScalingPage::ScalingPage(SessionModel &session, Settings &settings, QWidget *parent)
    : PageFrame(QStringLiteral("scaling"), parent)
    , m_session(session)
    , m_settings(settings)
    , m_mode(new Segmented(2, this))
    , m_workload(new QComboBox(this))
    , m_precision(new QComboBox(this))
    , m_batch(new QComboBox(this))
    , m_fit(new QComboBox(this))
    , m_until(new QSpinBox(this))
    , m_comm(new CommMenu(session, this))
    , m_scale(new Segmented(2, this))
    , m_measure(new Segmented(4, this))
    , m_throughputPanel(new Panel(Panel::TitleRow::Normal, this))
    , m_speedupPanel(new Panel(Panel::TitleRow::Normal, this))
    , m_throughput(new ScalingChart(this))
    , m_speedup(new ScalingChart(this))
    , m_rightStack(new QStackedWidget(this))
    , m_painted(new PaintedChart(this))
    , m_evidence(new TextLabel(TextRole::Secondary, this))
    , m_table(new QTableView(this))
    , m_model(new ScalingTableModel(this))
    , m_note(new TextLabel(TextRole::Secondary, Tone::Muted, this))
{
    column()->addWidget(buildFilters());
    auto *rows = new RememberingSplitter(settings, QStringLiteral("scaling"), Qt::Vertical, this);
    rows->addWidget(buildCharts());
    rows->addWidget(buildTable());
    rows->setStretchFactor(0, 1);
    rows->setDefaultSizes({328, 252});
    column()->addWidget(rows, 1);
    buildHeader();
    connectParts();
    texts().add([this] { writeTexts(); });
}

void ScalingPage::connectParts()
{
    for (QComboBox *combo : {m_workload, m_precision, m_batch})
        connect(combo, &QComboBox::currentIndexChanged, this, [this] {
            if (m_filling)
                return;
            fillFilters();
            showGroup();
        });
    for (Segmented *choice : {m_scale, m_measure})
        connect(choice, &Segmented::chosen, this, &ScalingPage::showFigures);
    connect(m_mode, &Segmented::chosen, this, [this](int mode) { setStrong(mode == 1); });
    for (ScalingChart *chart : {m_throughput, m_speedup}) {
        connect(chart, &ScalingChart::curveClicked, this, &ScalingPage::emphasise);
        connect(chart, &ScalingChart::logRequested, this, &ScalingPage::showRunsOf);
    }
    connect(m_painted, &PaintedChart::partClicked, this, &ScalingPage::showEvidence);
    connect(m_table, &QTableView::doubleClicked, this, &ScalingPage::showPointRuns);
    connect(m_comm, &CommMenu::changed, this, &ScalingPage::showFigures);
    connect(m_comm, &CommMenu::failed, m_note, &QLabel::setText);
    connect(empty()->button(), &QPushButton::clicked, this, &ScalingPage::planWanted);
    connect(&m_session, &SessionModel::resultsChanged, this, &ScalingPage::takeResults);
    connect(&m_session, &SessionModel::workspaceChanged, this, &ScalingPage::takeResults);
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
    auto *runs = new QPushButton(this);
    connect(runs, &QPushButton::clicked, this, [this] { showPointRuns(m_table->currentIndex()); });
    m_published = new QPushButton(this);
    m_published->setCheckable(true);
    connect(m_published, &QPushButton::toggled, this, &ScalingPage::setPublishedShown);
    for (QPushButton *button : {m_published, m_showData, runs, copy, figures})
        header()->addTool(button);
    texts().add([this, runs, copy, csv, markdown, figures] {
        m_published->setText(tr("Published results"));
        m_published->setToolTip(
            tr("Lay the tables of the 2020-10 report over your results, with their source."));
        m_showData->setText(tr("Show data"));
        runs->setText(tr("Runs…"));
        runs->setToolTip(tr("The runs behind the chosen cell: their steps, percentiles and ranks."));
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
        texts().add([label, combo, name] {
            label->setText(name());
            combo->setAccessibleName(name());
        });
    };
    row->addWidget(m_mode);
    row->addSpacing(4);
    add(m_workload, [] { return tr("Workload"); });
    add(m_precision, [] { return tr("Precision"); });
    add(m_batch, [this] { return m_strong ? tr("Global batch") : tr("Batch per device"); });
    row->addStretch();
    row->addWidget(m_scale);
    row->addSpacing(4);
    add(m_fit, [] { return tr("Fit"); });
    buildFitChoice(bar);
    row->addWidget(m_comm);
    row->addWidget(m_until);
    return bar;
}

void ScalingPage::buildFitChoice(QWidget *bar)
{
    m_fit->addItems({QString(), QStringLiteral("Amdahl"), QStringLiteral("USL"), QStringLiteral("α–β")});
    m_until->setParent(bar);
    m_until->setMinimumHeight(24);
    m_until->setRange(2, 100000);
    m_until->setValue(64);
    m_until->hide();
    m_comm->setMinimumHeight(24);
    m_comm->hide();
    connect(m_until, &QSpinBox::valueChanged, this, &ScalingPage::showFigures);
    connect(m_fit, &QComboBox::currentIndexChanged, this, [this](int fit) {
        m_until->setVisible(fit > 0);
        m_comm->setVisible(fit == static_cast<int>(Fit::AlphaBeta));
        showFigures();
    });
    texts().add([this] {
        m_fit->setItemText(0, tr("None"));
        m_until->setPrefix(tr("to "));
        m_until->setAccessibleName(tr("Devices that the fit is drawn to"));
    });
}

QWidget *ScalingPage::buildCharts()
{
    m_charts = new RememberingSplitter(m_settings, QStringLiteral("scaling-charts"), Qt::Horizontal, this);
    auto *insight = new QWidget(this);
    auto *stacked = new QVBoxLayout(insight);
    stacked->setContentsMargins(4, 0, 4, 4);
    stacked->setSpacing(4);
    m_evidence->setWordWrap(true);
    m_evidence->setContentsMargins(8, 0, 8, 0);
    stacked->addWidget(m_painted, 1);
    stacked->addWidget(m_evidence);
    m_rightStack->addWidget(m_speedup);
    m_rightStack->addWidget(insight);
    m_speedupPanel->addTool(m_measure);
    const std::vector<std::pair<Panel *, QWidget *>> sides{{m_throughputPanel, m_throughput},
                                                           {m_speedupPanel, m_rightStack}};
    for (const auto &[panel, body] : sides) {
        panel->setBodyMargins(1, 0, 1, 1);
        panel->body()->addWidget(body);
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
    header()->setTitle(tr("Scaling"));
    m_mode->setTexts({tr("Weak"), tr("Strong")});
    m_mode->setAccessibleName(tr("Kind of scaling"));
    empty()->setTexts(tr("No results yet"), tr("Run a plan, or open a workspace with results."), tr("Plan"));
    m_scale->setTexts({tr("Linear"), QStringLiteral("log₂")});
    m_scale->setAccessibleName(tr("Scale of the axes"));
    m_measure->setTexts({tr("Speedup"), tr("Efficiency"), tr("Loss"), tr("Roofline")});
    m_measure->setAccessibleName(tr("Right chart"));
    m_table->setAccessibleName(tr("Results"));
    m_throughputPanel->setTitle(tr("Throughput"));
    m_model->retranslate();
    takeResults(); // names of curves are in the window's language, too
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
    const std::string text =
        markdown ? tableMarkdown(table, windowLanguage()) : tableCsv(table, windowLanguage());
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

} // namespace sb
