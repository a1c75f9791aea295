// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/compare_page.h"

#include "charts/painted_figure.h"
#include "pages/compare_models.h"
#include "widgets/empty_state.h"
#include "widgets/icon.h"
#include "widgets/panel.h"
#include "widgets/remembering_splitter.h"
#include "widgets/segmented.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QTableWidget>
#include <QVBoxLayout>

namespace sb {

ComparePage::ComparePage(SessionModel &session, Settings &settings, QWidget *parent)
    : PageFrame(QStringLiteral("compare"), parent)
    , m_session(session)
    , m_settings(settings)
    , m_a(new QComboBox(this))
    , m_b(new QComboBox(this))
    , m_onlyDifferences(new QCheckBox(this))
    , m_anyway(new QCheckBox(this))
    , m_keysPanel(new Panel(Panel::TitleRow::Normal, this))
    , m_verdictPanel(new Panel(Panel::TitleRow::Normal, this))
    , m_casesPanel(new Panel(Panel::TitleRow::Normal, this))
    , m_keyTable(new QTableView(this))
    , m_caseTable(new QTableView(this))
    , m_keys(new KeyTableModel(this))
    , m_cases(new CaseTableModel(this))
    , m_ratio(new TextLabel(TextRole::Figure, this))
    , m_interval(new TextLabel(TextRole::Secondary, Tone::Muted, this))
    , m_sentence(new TextLabel(TextRole::Body, this))
    , m_note(new TextLabel(TextRole::Secondary, Tone::Muted, this))
    , m_dots(new PaintedChart(this))
    , m_view(new Segmented(2, this))
    , m_views(new QStackedWidget(this))
    , m_historyChart(new PaintedChart(this))
    , m_historyTable(new QTableWidget(this))
{
    column()->addWidget(buildSides());
    auto *rows = new RememberingSplitter(settings, QStringLiteral("compare"), Qt::Vertical, this);
    rows->addWidget(buildTop());
    rows->addWidget(buildCases());
    rows->setStretchFactor(0, 1);
    rows->setDefaultSizes({318, 262});
    column()->addWidget(rows, 1);
    buildHeader();
    connectParts();
    texts().add([this] { writeTexts(); });
}

void ComparePage::connectParts()
{
    for (QComboBox *combo : {m_a, m_b})
        connect(combo, &QComboBox::currentIndexChanged, this, &ComparePage::compare);
    for (QCheckBox *box : {m_onlyDifferences, m_anyway})
        connect(box, &QCheckBox::toggled, this, &ComparePage::compare);
    connect(m_view, &Segmented::chosen, this, [this](int view) { setHistoryShown(view == 1); });
    connect(m_report, &QPushButton::clicked, this, &ComparePage::setInReport);
    connect(m_export, &QPushButton::clicked, this, &ComparePage::exportFigures);
    connect(empty()->button(), &QPushButton::clicked, this, [this] { setPublishedShown(true); });
    connect(&m_session, &SessionModel::resultsChanged, this, &ComparePage::takeResults);
    connect(&m_session, &SessionModel::workspaceChanged, this, [this] {
        m_others.clear();
        takeResults();
    });
}

void ComparePage::buildHeader()
{
    m_published = new QPushButton(this);
    m_published->setCheckable(true);
    connect(m_published, &QPushButton::toggled, this, &ComparePage::setPublishedShown);
    auto *other = new QPushButton(this);
    auto *kinds = new QMenu(other);
    QAction *folder = kinds->addAction(QString());
    QAction *bundle = kinds->addAction(QString());
    connect(folder, &QAction::triggered, this, [this] { askOther(false); });
    connect(bundle, &QAction::triggered, this, [this] { askOther(true); });
    other->setMenu(kinds);
    m_report = new QPushButton(this);
    m_report->setCheckable(true);
    m_export = new QPushButton(toneIcon(QStringLiteral("save")), QString(), this);
    auto *copy = new QPushButton(toneIcon(QStringLiteral("copy")), QString(), this);
    connect(copy, &QPushButton::clicked, this,
            [this] { QApplication::clipboard()->setText(m_cases->asTabs()); });
    for (QPushButton *button : {m_published, other, m_report, m_export})
        header()->addTool(button);
    m_casesPanel->addTool(m_view);
    m_casesPanel->addTool(copy);
    texts().add([this, other, folder, bundle, copy] {
        m_published->setText(tr("Published results"));
        m_published->setToolTip(tr("Offer the tables of the 2020-10 report and of its repository, too."));
        other->setText(tr("Add results…"));
        folder->setText(tr("A workspace…"));
        bundle->setText(tr("A bundle…"));
        other->setToolTip(tr("Offer the results of another workspace or of a bundle, too."));
        m_export->setText(tr("Export figures…"));
        copy->setText(tr("Copy table"));
        m_view->setTexts({tr("Cases"), tr("History")});
        m_view->setAccessibleName(tr("All cases, or one over time"));
    });
}

QWidget *ComparePage::buildSides()
{
    auto *bar = new QWidget(this);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    const auto add = [&](QComboBox *combo, const QString &name) {
        auto *label = new TextLabel(TextRole::Strong, bar);
        label->setText(name);
        label->setBuddy(combo);
        combo->setAccessibleName(name);
        combo->setMinimumHeight(24);
        combo->setMaxVisibleItems(24);
        combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        combo->setMinimumContentsLength(30);
        row->addWidget(label);
        row->addWidget(combo, 1);
    };
    add(m_a, QStringLiteral("A"));
    auto *swap = new QPushButton(bar);
    connect(swap, &QPushButton::clicked, this, [this] {
        const int before = m_a->currentIndex();
        m_a->setCurrentIndex(m_b->currentIndex());
        m_b->setCurrentIndex(before);
    });
    row->addWidget(swap);
    add(m_b, QStringLiteral("B"));
    row->addWidget(m_anyway);
    texts().add([this, swap] {
        swap->setText(QStringLiteral("⇄ ") + tr("Swap"));
        m_anyway->setText(tr("Compare anyway"));
        m_anyway->setToolTip(tr("Give a ratio although workload, precision or batch differ, and mark it."));
    });
    return bar;
}

namespace {

void dressTable(QTableView *table, QAbstractItemModel *model)
{
    table->setModel(model);
    table->setItemDelegate(new CompareDelegate(table));
    table->setFrameShape(QFrame::NoFrame);
    table->setShowGrid(false);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setTabKeyNavigation(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table->verticalHeader()->setDefaultSectionSize(26);
    table->horizontalHeader()->setFixedHeight(26);
    table->horizontalHeader()->setHighlightSections(false);
}

} // namespace

QWidget *ComparePage::buildTop()
{
    auto *top = new RememberingSplitter(m_settings, QStringLiteral("compare-top"), Qt::Horizontal, this);
    dressTable(m_keyTable, m_keys);
    m_keysPanel->setBodyMargins(8, 1, 8, 1);
    m_keysPanel->body()->addWidget(m_keyTable);
    m_keysPanel->addTool(m_onlyDifferences);
    auto *ratioRow = new QHBoxLayout;
    ratioRow->setSpacing(12);
    ratioRow->addWidget(m_ratio);
    ratioRow->addWidget(m_interval, 1);
    m_sentence->setWordWrap(true);
    m_verdictPanel->body()->addLayout(ratioRow);
    m_verdictPanel->body()->addWidget(m_sentence);
    m_verdictPanel->body()->addWidget(m_dots, 1);
    top->addWidget(m_keysPanel);
    top->addWidget(m_verdictPanel);
    top->setStretchFactor(1, 1);
    top->setDefaultSizes({552, 594});
    return top;
}

QWidget *ComparePage::buildCases()
{
    dressTable(m_caseTable, m_cases);
    m_casesPanel->setBodyMargins(8, 1, 8, 1);
    m_casesPanel->body()->setSpacing(0);
    m_views->addWidget(m_caseTable);
    m_views->addWidget(buildHistory());
    m_casesPanel->body()->addWidget(m_views, 1);
    m_note->setWordWrap(true);
    m_note->setContentsMargins(4, 3, 4, 5);
    m_casesPanel->body()->addWidget(m_note);
    connect(m_caseTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &ComparePage::showCase);
    return m_casesPanel;
}

QWidget *ComparePage::buildHistory()
{
    auto *both = new RememberingSplitter(m_settings, QStringLiteral("compare-history"), Qt::Horizontal, this);
    m_historyTable->setColumnCount(7);
    m_historyTable->setFrameShape(QFrame::NoFrame);
    m_historyTable->setShowGrid(false);
    m_historyTable->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_historyTable->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_historyTable->setSelectionMode(QAbstractItemView::SingleSelection);
    m_historyTable->verticalHeader()->hide();
    m_historyTable->verticalHeader()->setDefaultSectionSize(24);
    m_historyTable->horizontalHeader()->setStretchLastSection(true);
    m_historyTable->horizontalHeader()->setHighlightSections(false);
    both->addWidget(m_historyChart);
    both->addWidget(m_historyTable);
    both->setStretchFactor(0, 1);
    both->setDefaultSizes({560, 580});
    return both;
}

void ComparePage::writeTexts()
{
    header()->setTitle(tr("Compare"));
    empty()->setTexts(tr("Nothing to compare yet"),
                      tr("Run a plan, open a workspace with results, or look at published ones."),
                      tr("Published results"));
    m_onlyDifferences->setText(tr("Only differences"));
    m_keysPanel->setTitle(tr("Keys"));
    m_historyTable->setAccessibleName(tr("The case over time"));
    m_keyTable->setAccessibleName(tr("Keys of A and B"));
    m_caseTable->setAccessibleName(tr("Cases of A and B"));
    takeResults();
}

const CompareSide *ComparePage::sideOf(const QComboBox *combo) const
{
    const int index = combo->currentIndex();
    return index >= 0 && index < static_cast<int>(m_sides.size()) ? &m_sides[static_cast<std::size_t>(index)]
                                                                  : nullptr;
}

bool ComparePage::choose(const QString &a, const QString &b)
{
    const int first = m_a->findText(a);
    const int second = m_b->findText(b);
    if (first < 0 || second < 0)
        return false;
    m_a->setCurrentIndex(first);
    m_b->setCurrentIndex(second);
    return true;
}

void ComparePage::setPublishedShown(bool shown)
{
    if (m_published->isChecked() != shown)
        m_published->setChecked(shown);
    else
        takeResults();
}

void ComparePage::changeEvent(QEvent *event)
{
    const int a = m_a->currentIndex(); // names change with the language, places do not
    const int b = m_b->currentIndex();
    PageFrame::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        m_a->setCurrentIndex(a);
        m_b->setCurrentIndex(b);
    }
}

QString ComparePage::note() const
{
    return m_note->text();
}

QString ComparePage::sentence() const
{
    return m_sentence->text();
}

std::optional<Verdict> ComparePage::verdict() const
{
    return m_cases->cases().empty() ? std::nullopt : std::optional(m_cases->cases().back().verdict);
}

} // namespace sb
