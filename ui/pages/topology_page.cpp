// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/topology_page.h"

#include "core/topology_parser.h"
#include "sentences/sentence.h"
#include "topology/graph_view.h"
#include "topology/link_legend.h"
#include "topology/matrix_view.h"
#include "topology/measured_labels.h"
#include "topology/topology_panels.h"
#include "widgets/banner.h"
#include "widgets/empty_state.h"
#include "widgets/icon.h"
#include "widgets/remembering_splitter.h"
#include "widgets/segmented.h"

#include <QComboBox>
#include <QEvent>
#include <QFileDialog>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace sb {

namespace {

constexpr int kAgeMs = 30000;
constexpr std::size_t kMostColumns = 13; // beside which the lower panels still fit
} // namespace

TopologyPage::TopologyPage(Settings &settings, QWidget *parent)
    : PageFrame(QStringLiteral("topology"), parent)
    , m_banner(new Banner(this))
    , m_names(new QComboBox(this))
    , m_rates(new Segmented(2, this))
    , m_again(new QPushButton(toneIcon(QStringLiteral("refresh")), QString(), this))
    , m_open(new QPushButton(toneIcon(QStringLiteral("folder")), QString(), this))
    , m_paste(new QPushButton(this))
    , m_export(new QPushButton(toneIcon(QStringLiteral("save")), QString(), this))
    , m_matrixPanel(new Panel(Panel::TitleRow::Normal, this))
    , m_graphPanel(new Panel(Panel::TitleRow::Normal, this))
    , m_matrix(new MatrixView(this))
    , m_graph(new GraphView(this))
    , m_legend(new LinkLegend(this))
    , m_meaningPanel(new MeaningPanel(this))
    , m_pairPanel(new PairPanel(this))
    , m_setsPanel(new SetsPanel(this))
{
    setAcceptDrops(true);
    addBanner(m_banner);
    column()->addWidget(buildBody(settings), 1);

    connect(empty()->button(), &QPushButton::clicked, this, &TopologyPage::askPaste);
    connect(m_names, &QComboBox::activated, this, &TopologyPage::showEntry);
    connect(m_matrix, &MatrixView::pairSelected, this, &TopologyPage::select);
    connect(m_graph, &GraphView::pairSelected, this, &TopologyPage::select);
    connect(m_matrix, &MatrixView::pairHovered, this, &TopologyPage::hover);
    connect(m_graph, &GraphView::pairHovered, this, &TopologyPage::hover);
    m_age.setInterval(kAgeMs);
    connect(&m_age, &QTimer::timeout, this, &TopologyPage::showTexts);
    buildHeader();
}

void TopologyPage::buildHeader()
{
    header()->addTool(m_names);
    header()->addTool(m_rates);
    header()->addTool(m_again);
    header()->addTool(m_open);
    header()->addTool(m_paste);
    header()->addTool(m_export);
    m_names->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(m_open, &QPushButton::clicked, this, [this] {
        auto *dialog = new QFileDialog(this, tr("Open a topology text"));
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(QFileDialog::ExistingFile);
        connect(dialog, &QFileDialog::fileSelected, this, &TopologyPage::openFile);
        dialog->open();
    });
    connect(m_rates, &Segmented::chosen, this, &TopologyPage::showMeasured);
    connect(m_again, &QPushButton::clicked, this, [this] {
        if (shown())
            Q_EMIT readAgainWanted(shown()->source.name);
    });
    connect(m_setsPanel, &SetsPanel::useInPlanWanted, this, &TopologyPage::useInPlanWanted);
    connect(m_paste, &QPushButton::clicked, this, &TopologyPage::askPaste);
    connect(m_export, &QPushButton::clicked, this, &TopologyPage::askExport);
    texts().add([this] {
        header()->setTitle(tr("Topology"));
        m_rates->setTexts({tr("Nominal"), tr("Measured")});
        m_again->setText(tr("Read again"));
        m_open->setText(tr("Open…"));
        m_paste->setText(tr("Paste text…"));
        m_export->setText(tr("Export…"));
        m_names->setAccessibleName(tr("Node"));
        m_matrix->setAccessibleName(tr("Matrix"));
        m_graph->setAccessibleName(tr("Graph"));
        m_rates->setAccessibleName(tr("Nominal or measured rates"));
        m_matrixPanel->setTitle(tr("Matrix"));
        m_matrixPanel->setHint(tr("arrow keys move; Enter selects a pair"));
        m_graphPanel->setTitle(tr("Graph"));
        m_tabs->setTexts({tr("Meaning"), tr("Pair"), tr("Best sets")});
        empty()->setTexts(tr("Nothing yet"),
                          tr("Connect a node with GPUs, or paste what nvidia-smi topo -m printed there."),
                          tr("Paste text…"));
        showTexts();
    });
}

QWidget *TopologyPage::buildBody(Settings &settings)
{
    m_matrixPanel->setBodyMargins(12, 8, 12, 8);
    m_matrixPanel->body()->addWidget(m_matrix, 1);
    m_matrixPanel->body()->addWidget(m_legend);
    m_graphPanel->setBodyMargins(0, 0, 0, 0);
    m_graphPanel->body()->addWidget(m_graph);
    auto *tabbed = new QWidget(this);
    auto *column = new QVBoxLayout(tabbed);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    m_tabs = new Segmented(3, tabbed);
    m_stack = new QStackedWidget(tabbed);
    column->addWidget(m_tabs, 0, Qt::AlignLeft);
    column->addWidget(m_stack, 1);
    connect(m_tabs, &Segmented::chosen, m_stack, &QStackedWidget::setCurrentIndex);

    m_right = new RememberingSplitter(settings, QStringLiteral("topology-right"), Qt::Vertical, this);
    m_right->addWidget(m_graphPanel);
    m_right->addWidget(tabbed);
    m_right->setStretchFactor(0, 1);
    tabbed->hide();
    m_top = new RememberingSplitter(settings, QStringLiteral("topology-top"), Qt::Horizontal, this);
    m_top->addWidget(m_matrixPanel);
    m_top->addWidget(m_right);
    m_top->setStretchFactor(0, 632);
    m_top->setStretchFactor(1, 514);
    m_top->setSizes({632, 514});
    m_below = new RememberingSplitter(settings, QStringLiteral("topology-below"), Qt::Horizontal, this);
    m_below->addWidget(m_meaningPanel);
    m_below->addWidget(m_pairPanel);
    m_below->addWidget(m_setsPanel);
    m_below->setSizes({420, 294, 420});
    auto *rows = new RememberingSplitter(settings, QStringLiteral("topology"), Qt::Vertical, this);
    rows->addWidget(m_top);
    rows->addWidget(m_below);
    rows->setStretchFactor(0, 1);
    rows->setStretchFactor(1, 0);
    rows->setDefaultSizes({424, 188});
    return rows;
}

// Many columns need the whole height: the lower panels become tabs under the graph.
void TopologyPage::arrange(bool wide)
{
    if (wide == m_wide)
        return;
    m_wide = wide;
    for (QWidget *panel : {static_cast<QWidget *>(m_meaningPanel), static_cast<QWidget *>(m_pairPanel),
                           static_cast<QWidget *>(m_setsPanel)}) {
        if (wide)
            m_stack->addWidget(panel);
        else
            m_below->addWidget(panel);
        panel->setVisible(true);
    }
    m_right->widget(1)->setVisible(wide);
    m_below->setVisible(!wide);
    if (wide) {
        m_stack->setCurrentIndex(m_tabs->current());
        m_top->setSizes({806, 340});
        m_right->setSizes({350, 264});
    } else {
        m_top->setSizes({632, 514});
        m_below->setSizes({420, 294, 420});
    }
}

WordLanguage TopologyPage::language() const
{
    return tr("en", "code of the language of this file: en or zh") == QStringLiteral("zh")
               ? WordLanguage::Chinese
               : WordLanguage::English;
}

const TopologyEntry *TopologyPage::shown() const
{
    return m_shown < 0 ? nullptr : &m_entries.at(m_shown);
}

bool TopologyPage::takeText(const QString &text, const Source &source)
{
    const Topology topology = parseTopology(text.toStdString());
    if (topology.error) {
        if (takeMeasured(text))
            return true;
        m_banner->showMessage(Banner::Kind::Error, tr("%1 holds no topology.").arg(source.name),
                              translateSentence(topology.error->text));
        return false;
    }
    m_banner->clear();
    const int at = m_entries.put(source, topology);
    m_age.start();
    const bool stay = source.node && m_shown >= 0 && at != m_shown;
    showNames();
    showEntry(stay ? m_shown : at);
    return true;
}

// Rates belong to the machine that is looked at.
bool TopologyPage::takeMeasured(const QString &text)
{
    const auto measured = readLinkMeasurements(text.toStdString());
    if (!measured)
        return false;
    if (m_shown < 0) {
        m_banner->showMessage(Banner::Kind::Error, tr("These are measured rates; show a topology first."),
                              tr("They are drawn on its links."));
        return true;
    }
    m_banner->clear();
    m_entries.setMeasured(m_shown, *measured);
    m_rates->setCurrent(1);
    showEntry(m_shown);
    return true;
}

void TopologyPage::keepNodes(const QSet<QString> &names)
{
    const QString current = shown() ? shown()->source.name : QString();
    bool changed = false;
    for (int i = m_entries.count() - 1; i >= 0; --i)
        if (m_entries.at(i).source.node && !names.contains(m_entries.at(i).source.name)) {
            m_entries.remove(i);
            changed = true;
        }
    if (!changed)
        return;
    m_shown = -1;
    showNames();
    if (m_entries.count() > 0)
        return showEntry(std::max(0, m_entries.find(current)));
    showContent(false);
    m_pair.reset();
    showTexts();
    Q_EMIT topologyChanged();
}

// A warning sign beside each node that is not like the others.
void TopologyPage::showNames()
{
    const int current = m_shown;
    m_names->clear();
    for (int i = 0; i < m_entries.count(); ++i) {
        const QString name = m_entries.at(i).source.name;
        m_names->addItem(m_entries.differs(i) ? name + QStringLiteral(" ⚠") : name);
        m_names->setItemData(i, m_entries.likeness(i), Qt::ToolTipRole);
    }
    m_names->setCurrentIndex(current);
}

void TopologyPage::showMeasured()
{
    const TopologyEntry *entry = shown();
    const bool measured = entry && entry->measured && m_rates->current() == 1;
    m_matrix->setMeasured(measured ? entry->measured : std::nullopt);
    m_graph->setMeasured(measured ? entry->measured : std::nullopt);
    showTexts();
}

void TopologyPage::showEntry(int index)
{
    if (index < 0 || index >= m_entries.count())
        return;
    // The same pair of names stays chosen when another node is shown.
    std::pair<std::string, std::string> names;
    if (const TopologyEntry *before = shown(); before && m_pair)
        names = {before->topology.devices[m_pair->first].name, before->topology.devices[m_pair->second].name};
    m_shown = index;
    m_names->setCurrentIndex(index);
    const TopologyEntry &entry = *shown();
    showContent(true);
    arrange(entry.topology.size() > kMostColumns);
    m_matrix->setTopology(entry.topology);
    m_graph->setTopology(entry.topology);
    m_legend->setTopology(entry.topology);
    std::optional<DevicePair> pair;
    const auto a = entry.topology.indexOf(names.first);
    const auto b = entry.topology.indexOf(names.second);
    if (a && b)
        pair = DevicePair{*a, *b};
    select(pair);
    m_rates->setSegmentEnabled(1, entry.measured.has_value());
    if (!entry.measured)
        m_rates->setCurrent(0);
    showMeasured();
    Q_EMIT topologyChanged();
}

void TopologyPage::showTexts()
{
    const TopologyEntry *entry = shown();
    m_names->setVisible(m_entries.count() > 1);
    m_again->setVisible(entry && entry->source.node);
    m_rates->setVisible(entry != nullptr);
    m_export->setEnabled(entry != nullptr);
    if (!entry)
        return header()->setSubtitle({});
    const qint64 minutes = entry->source.readUtc.secsTo(QDateTime::currentDateTimeUtc()) / 60;
    // The list beside it names the node; what says that it was asked is the button "Read again".
    QString text = m_entries.count() > 1 ? QString() : entry->source.name + QStringLiteral(" · ");
    text += entry->topology.kind == TopologyKind::PciTree ? tr("From the PCI tree; NVLink unknown")
                                                          : toQString(topologyCommand(entry->topology.kind));
    if (!entry->source.node)
        text += QStringLiteral(", ") + entry->source.origin;
    text += QStringLiteral(" · ");
    text += minutes < 1 ? tr("read just now") : tr("read %n min ago", nullptr, static_cast<int>(minutes));
    if (const QString likeness = m_entries.likeness(m_shown); !likeness.isEmpty())
        text += QStringLiteral(" · ") + likeness;
    if (entry->measured && m_rates->current() == 1)
        text += QStringLiteral(" · ") + tr("GB/s measured by %1").arg(toQString(entry->measured->tool));
    header()->setSubtitle(text);
    const Topology &topology = entry->topology;
    m_matrixPanel->setHint(tr("%n GPU(s)", nullptr, topology.gpuCount()) + QStringLiteral(", ") +
                           tr("%n network card(s)", nullptr, static_cast<int>(topology.nics().size())));
    m_graphPanel->setHint(!m_graph->graph().bars.empty()                ? tr("bar = all to all")
                          : topology.kind == TopologyKind::NvidiaMatrix ? tr("n lines = n NVLinks")
                                                                        : QString());
    m_graph->setLanguage(language());
    QStringList remarks = m_entries.differenceTexts(m_shown);
    if (!remarks.isEmpty())
        remarks = {tr("Unlike the other nodes: %1.").arg(remarks.join(QStringLiteral("; ")))};
    if (!entry->source.note.isEmpty())
        remarks << entry->source.note;
    if (entry->measured && entry->measured->group)
        remarks << tr("Bus bandwidth over %1 GPUs, measured: %2 GB/s")
                       .arg(entry->measured->group->gpus.size())
                       .arg(toQString(rateFigure(entry->measured->group->busGBps)));
    m_meaningPanel->show(topology, entry->meaning, {language(), remarks});
    m_setsPanel->show(topology, entry->meaning, language());
    m_pairPanel->show(topology, m_pair, entry->measured);
    QString spoken;
    for (const Sentence &sentence : entry->meaning.sentences)
        if (spoken.isEmpty())
            spoken = toQString(sentenceText(sentence, language()));
    m_graph->setAccessibleDescription(spoken);
}

void TopologyPage::select(std::optional<DevicePair> pair)
{
    m_pair = pair;
    m_matrix->setSelected(pair);
    m_graph->setSelected(pair);
    if (const TopologyEntry *entry = shown())
        m_pairPanel->show(entry->topology, pair, entry->measured);
}

void TopologyPage::hover(std::optional<DevicePair> pair)
{
    m_matrix->setHovered(pair);
    m_graph->setHovered(pair);
}

TopologySummary TopologyPage::summary() const
{
    TopologySummary summary;
    summary.nodes = m_entries.count();
    if (const TopologyEntry *entry = shown()) {
        summary.islands = static_cast<int>(entry->meaning.islands.size());
        summary.damagedRows =
            static_cast<int>(std::count_if(entry->topology.devices.begin(), entry->topology.devices.end(),
                                           [](const TopologyDevice &d) { return d.damaged; }));
    }
    return summary;
}

void TopologyPage::changeEvent(QEvent *event)
{
    PageFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showTexts();
}

} // namespace sb
