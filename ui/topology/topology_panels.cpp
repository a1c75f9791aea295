// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology/topology_panels.h"

#include "core/topology_rates.h"
#include "core/units.h"
#include "topology/measured_labels.h"
#include "widgets/icon.h"
#include "widgets/sb_style.h"

#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>
#include <QEvent>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace sb {

// Core says it in English; the kinds that a table can have are said here in the window's language.
QString MeaningPanel::findingText(const TopologyFinding &finding)
{
    const QString subject = toQString(finding.subject);
    switch (finding.kind) {
    case FindingKind::DamagedRow:
        return tr("Row %1 is damaged; values come from its column where that is whole").arg(subject);
    case FindingKind::UnknownWord:
        return tr("The word %1 is not known here; it is kept as read.").arg(subject);
    case FindingKind::LoneGpu:
        return tr("%1 has no NVLink, but all other GPUs have. Its links may be broken.").arg(subject);
    case FindingKind::NotSymmetric:
        return subject.isEmpty() ? toQString(finding.text)
                                 : tr("%1: there and back have different words.").arg(subject);
    case FindingKind::DiagonalNotSelf:
        return tr("%1 to itself is not X.").arg(subject);
    default:
        return finding.kind == FindingKind::Note ? tr("From the PCI tree; NVLink unknown")
                                                 : toQString(finding.text);
    }
}

MeaningPanel::MeaningPanel(QWidget *parent)
    : Panel(TitleRow::Normal, parent)
    , m_text(new QLabel)
{
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::RichText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_text->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_text->setFont(roleFont(TextRole::Secondary));
    auto *scroll = new QScrollArea(this);
    scroll->setWidget(m_text);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->viewport()->setAutoFillBackground(false);
    m_text->setAutoFillBackground(false);
    body()->addWidget(scroll);
}

// Cards and cores near each GPU; GPUs that have the same are drawn together.
QString MeaningPanel::adviceText(const Topology &topology, const TopologyMeaning &meaning)
{
    QString rows;
    for (std::size_t first = 0; first < meaning.advice.size();) {
        const GpuAdvice &advice = meaning.advice[first];
        std::size_t end = first;
        std::vector<std::string> names;
        while (end < meaning.advice.size() && meaning.advice[end].nearest == advice.nearest &&
               meaning.advice[end].cores == advice.cores)
            names.push_back(topology.devices[meaning.advice[end++].device].name);
        first = end;
        QStringList cards;
        for (const std::size_t card : advice.nearest)
            cards << toQString(topology.displayName(card));
        const bool many = cards.size() > 3;
        QString near = many ? tr("%n network card(s)", nullptr, static_cast<int>(cards.size()))
                            : cards.join(QStringLiteral(", "));
        if (!near.isEmpty())
            near += QStringLiteral(" (%1)").arg(toQString(advice.nearestWord));
        if (near.isEmpty() && (!advice.cores || advice.cores->empty()))
            continue;
        const QString cores =
            advice.cores && !advice.cores->empty() ? tr("cores %1").arg(toQString(*advice.cores)) : QString();
        rows += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td>%2&nbsp;&nbsp;</td><td>%3</td></tr>")
                    .arg(toQString(nameRanges(names)).toHtmlEscaped(), near.toHtmlEscaped(),
                         cores.toHtmlEscaped());
    }
    return rows.isEmpty() ? rows
                          : QStringLiteral("<p style=\"margin:0 0 2px 0\"><b>%1</b></p><table>%2</table>")
                                .arg(tr("Near each GPU").toHtmlEscaped(), rows);
}

void MeaningPanel::show(const Topology &topology, const TopologyMeaning &meaning, const Words &words)
{
    const int gpus = topology.gpuCount();
    setTitle(tr("What it means"));
    m_text->setAccessibleName(tr("What it means"));
    setHint(tr("%n GPU pair(s)", nullptr, gpus * (gpus - 1) / 2));
    QString html;
    const QString muted = Tokens::of(palette()).text2.name();
    const auto warn = [this](const QString &text) {
        return QStringLiteral("<p style=\"margin:0 0 6px 0; color:%1\">⚠ ")
                   .arg(Tokens::of(palette()).warn.name()) +
               text.toHtmlEscaped() + QStringLiteral("</p>");
    };
    QString first;
    for (const QString &remark : words.remarks)
        first += warn(remark);
    for (const Sentence &sentence : meaning.sentences) {
        const QString text = toQString(sentenceText(sentence, words.language)).toHtmlEscaped();
        if (sentence.role != SentenceRole::Text)
            html += (html.isEmpty() ? QString() : QStringLiteral("</p>")) +
                    QStringLiteral("<p style=\"margin:0 0 6px 0\">");
        if (sentence.role == SentenceRole::Lead)
            html += QStringLiteral("<b>") + text + QStringLiteral("</b> ");
        else if (sentence.role == SentenceRole::Quiet)
            html +=
                QStringLiteral("<span style=\"color:%1\">").arg(muted) + text + QStringLiteral("</span> ");
        else
            html += text + QLatin1Char(' ');
    }
    for (const TopologyFinding &finding : topology.findings)
        html += warn(findingText(finding));
    m_text->setText(first + html + adviceText(topology, meaning));
}

QString MeaningPanel::text() const
{
    return m_text->text();
}

PairPanel::PairPanel(QWidget *parent)
    : Panel(TitleRow::Normal, parent)
{
}

void PairPanel::add(const QString &label, const QString &value)
{
    auto *name = new TextLabel(TextRole::Secondary, Tone::Muted, m_body);
    name->setText(label);
    auto *text = new TextLabel(TextRole::Secondary, m_body);
    text->setText(value);
    text->setWordWrap(true);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_form->addRow(name, text);
    m_shown.emplace_back(label, value);
}

namespace {

struct PairText {
    Q_DECLARE_TR_FUNCTIONS(sb::PairPanel)
};

QString wayText(const LinkKind &kind)
{
    switch (kind.linkClass) {
    case LinkClass::Fabric:
        return PairText::tr("%n link(s), direct", nullptr, kind.lanes);
    case LinkClass::Pix:
        return PairText::tr("PCIe, one bridge at most");
    case LinkClass::Pxb:
        return PairText::tr("PCIe, several bridges");
    case LinkClass::Phb:
        return PairText::tr("PCIe, through the host bridge");
    case LinkClass::Pcie:
        return PairText::tr("PCIe");
    case LinkClass::Node:
        return PairText::tr("PCIe, between host bridges of one NUMA node");
    case LinkClass::Sys:
        return PairText::tr("PCIe and the link between the sockets");
    default:
        return PairText::tr("not known here");
    }
}

// Two hops of fast links where there is no direct one.
QString detour(const Topology &topology, const DevicePair &pair)
{
    int best = 0;
    QString text;
    for (const std::size_t via : topology.gpus()) {
        const auto first = topology.link(pair.first, via);
        const auto second = topology.link(via, pair.second);
        if (!first || !second || via == pair.first || via == pair.second)
            continue;
        const LinkKind a = linkKind(*first);
        const LinkKind b = linkKind(*second);
        if (a.linkClass != LinkClass::Fabric || b.linkClass != LinkClass::Fabric ||
            std::min(a.lanes, b.lanes) <= best)
            continue;
        best = std::min(a.lanes, b.lanes);
        text = PairText::tr("by %1: %2, then %3")
                   .arg(toQString(topology.devices[via].name), toQString(*first), toQString(*second));
    }
    return text;
}

QString rateText(const NominalRate &rate)
{
    const QString figure = toQString(plainNumber(rate.gbps));
    return rate.atMost ? PairText::tr("at most %1 GB/s each way").arg(figure)
                       : PairText::tr("%1 GB/s each way").arg(figure);
}

} // namespace

void PairPanel::addMeasured(const Topology &topology, const DevicePair &pair,
                            const LinkMeasurements &measured)
{
    const auto there = measuredGBps(measured, topology, pair.first, pair.second);
    const auto back = measuredGBps(measured, topology, pair.second, pair.first);
    if (!there && !back)
        return;
    constexpr double kSame = 0.02; // both ways within this: one figure
    const double least = *measuredPairGBps(measured, topology, pair.first, pair.second);
    const bool oneFigure = !there || !back || std::abs(*there - *back) <= kSame * std::max(*there, *back);
    QString text =
        oneFigure
            ? tr("%1 GB/s").arg(toQString(rateFigure(least)))
            : tr("%1 GB/s there, %2 back").arg(toQString(rateFigure(*there)), toQString(rateFigure(*back)));
    if (const auto nominal = nominalRate(topology, pair.first, pair.second))
        text += QStringLiteral(" · %1\u00a0%").arg(std::lround(100 * least / nominal->gbps));
    add(tr("Measured"), text);
    add(tr("Measured by"), toQString(measured.tool));
}

void PairPanel::show(const Topology &topology, std::optional<DevicePair> pair,
                     const std::optional<LinkMeasurements> &measured)
{
    delete m_body;
    m_body = new QWidget(this);
    m_form = new QFormLayout(m_body);
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setVerticalSpacing(4);
    m_form->setHorizontalSpacing(16);
    m_shown.clear();
    body()->addWidget(m_body);
    if (!pair || pair->first == pair->second) {
        setTitle(tr("Pair"));
        setHint({});
        auto *hint = new TextLabel(TextRole::Secondary, Tone::Muted, m_body);
        hint->setWordWrap(true);
        hint->setText(tr("Choose a cell of the matrix or a link of the graph."));
        m_form->addRow(hint);
        return;
    }
    const TopologyDevice &a = topology.devices[pair->first];
    const TopologyDevice &b = topology.devices[pair->second];
    setTitle(QStringLiteral("%1 – %2").arg(toQString(a.name), toQString(b.name)));
    const auto word = topology.link(pair->first, pair->second);
    setHint(word ? toQString(*word) : tr("could not be read"));
    if (!word)
        return add(tr("Path"), tr("Neither row can be read."));
    const LinkKind kind = linkKind(*word);
    add(tr("Path"), wayText(kind));
    if (const auto rate = nominalRate(topology, pair->first, pair->second)) {
        add(tr("Nominal"), rateText(*rate));
        add(tr("Source"), toQString(rate->source));
    } else if (a.gpu && b.gpu && kind.linkClass != LinkClass::Unknown) {
        add(tr("Nominal"), tr("unknown: the text does not name the GPU"));
    }
    if (measured)
        addMeasured(topology, *pair, *measured);
    if (a.numaAffinity && b.numaAffinity)
        add(tr("NUMA"),
            QStringLiteral("%1 → %2").arg(toQString(*a.numaAffinity), toQString(*b.numaAffinity)));
    if (kind.linkClass != LinkClass::Fabric && a.gpu && b.gpu)
        if (const QString way = detour(topology, *pair); !way.isEmpty())
            add(tr("Other way"), way);
}

SetsPanel::SetsPanel(QWidget *parent)
    : Panel(TitleRow::Normal, parent)
    , m_table(new QTableWidget(this))
    , m_copy(new QPushButton(toneIcon(QStringLiteral("copy")), QString(), this))
    , m_use(new QPushButton(this))
{
    setControlSize(m_copy, ControlSize::Small);
    setControlSize(m_use, ControlSize::Small);
    addTool(m_copy);
    addTool(m_use);
    setBodyMargins(1, 0, 1, 1);
    body()->addWidget(m_table);
    m_table->setColumnCount(3);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(28);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    connect(m_copy, &QPushButton::clicked, this,
            [this] { QApplication::clipboard()->setText(currentLine()); });
    connect(m_table, &QTableWidget::itemSelectionChanged, this,
            [this] { m_copy->setEnabled(!currentLine().isEmpty()); });
    connect(m_use, &QPushButton::clicked, this, [this] {
        const int row = m_table->currentRow();
        if (row >= 0)
            Q_EMIT useInPlanWanted(m_table->item(row, 0)->text().toInt(), m_table->item(row, 1)->text());
    });
    m_texts.add([this] {
        setTitle(tr("Best GPU sets"));
        m_copy->setText(tr("Copy line"));
        m_use->setText(tr("Use in plan"));
        m_use->setToolTip(tr("Cases on so many GPUs of a node take these"));
        m_table->setAccessibleName(tr("Best GPU sets"));
    });
}

void SetsPanel::show(const Topology &topology, const TopologyMeaning &meaning, WordLanguage language)
{
    const char *variable =
        topology.kind == TopologyKind::RocmTopology ? "HIP_VISIBLE_DEVICES" : "CUDA_VISIBLE_DEVICES";
    m_table->setHorizontalHeaderLabels({tr("GPUs"), QString::fromLatin1(variable), tr("Why")});
    m_lines.clear();
    m_table->setRowCount(static_cast<int>(meaning.bestSets.size()));
    for (std::size_t row = 0; row < meaning.bestSets.size(); ++row) {
        const BestSet &set = meaning.bestSets[row];
        m_lines.push_back(toQString(visibleDevicesLine(topology, set)));
        auto *count = new QTableWidgetItem(QString::number(set.gpus.size()));
        count->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        auto *line = new QTableWidgetItem(toQString(deviceNumbers(topology, set)));
        line->setFont(roleFont(TextRole::Mono));
        line->setToolTip(m_lines.back());
        auto *why = new QTableWidgetItem(toQString(reasonText(set, language)));
        why->setToolTip(why->text());
        const auto at = static_cast<int>(row);
        m_table->setItem(at, 0, count);
        m_table->setItem(at, 1, line);
        m_table->setItem(at, 2, why);
    }
    m_table->resizeColumnsToContents();
    m_table->setColumnWidth(1, std::clamp(m_table->columnWidth(1), 90, 210));
    m_table->horizontalHeader()->setStretchLastSection(false); // or it keeps the width of its contents
    m_table->horizontalHeader()->setStretchLastSection(true);
    const int choose = std::min(2, m_table->rowCount() - 1);
    if (choose >= 0)
        m_table->selectRow(choose);
    m_copy->setEnabled(!currentLine().isEmpty());
    // A plan chooses among NVIDIA's GPUs.
    m_use->setEnabled(m_copy->isEnabled() && topology.kind != TopologyKind::RocmTopology);
}

QString SetsPanel::currentLine() const
{
    const int row = m_table->currentRow();
    return row >= 0 && row < static_cast<int>(m_lines.size()) ? m_lines[static_cast<std::size_t>(row)]
                                                              : QString();
}

void SetsPanel::changeEvent(QEvent *event)
{
    Panel::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        m_texts.refresh();
}

} // namespace sb
