// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/start_page.h"

#include "core/units.h"
#include "models/presets.h"
#include "models/recent_model.h"
#include "pages/appearance_panel.h"
#include "pages/recent_delegate.h"
#include "widgets/banner.h"
#include "widgets/door.h"
#include "widgets/form_rows.h"
#include "widgets/icon.h"
#include "widgets/panel.h"
#include "widgets/remembering_splitter.h"
#include "widgets/sb_style.h"

#include <QDragEnterEvent>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeySequence>
#include <QMimeData>
#include <QPushButton>
#include <QTableView>
#include <QUrl>
#include <QVBoxLayout>

namespace sb {

namespace {

enum MachineRow { Processor, Memory, Gpu, Containers, FirstStudy, kMachineRows };

// A folder, or a plan file; nothing else can be dropped.
QString droppedPath(const QMimeData *data)
{
    const QList<QUrl> urls = data->urls();
    if (urls.size() != 1 || !urls.front().isLocalFile())
        return {};
    const QFileInfo info(urls.front().toLocalFile());
    return info.isDir() || info.suffix() == QStringLiteral("json") ? info.absoluteFilePath() : QString();
}

} // namespace

StartPage::StartPage(SessionModel &session, Settings &settings, QWidget *parent)
    : QWidget(parent)
    , m_session(session)
    , m_settings(settings)
    , m_header(new PageHeader(this))
    , m_banner(new Banner(this))
    , m_splitter(new RememberingSplitter(settings, QStringLiteral("start"), Qt::Horizontal, this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 0, 16, 12);
    layout->setSpacing(0);
    layout->addWidget(m_header);
    layout->addWidget(m_banner);
    layout->addWidget(buildDoors());
    layout->addSpacing(12);
    auto *side = new QWidget(this);
    auto *sideLayout = new QVBoxLayout(side);
    sideLayout->setContentsMargins(0, 0, 0, 0);
    sideLayout->setSpacing(12);
    Panel *recents = buildRecents();
    sideLayout->addWidget(buildMachine());
    sideLayout->addWidget(buildAppearance(), 1);
    m_splitter->addWidget(recents);
    m_splitter->addWidget(side);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 0);
    m_splitter->setDefaultSizes({770, 376});
    layout->addWidget(m_splitter, 1);
    setAcceptDrops(true);

    m_texts.add([this] {
        m_header->setTitle(tr("Start"));
        m_header->setSubtitle(
            tr("Measure training on one machine or a cluster, and leave with curves and a report."));
    });
    connect(&session, &SessionModel::nodesChanged, this, &StartPage::showMachine);
    connect(&settings, &Settings::recentsChanged, this, &StartPage::showRecents);
    showMachine();
    showRecents();
    setFocusProxy(m_first->button());
}

QWidget *StartPage::appearance()
{
    return m_appearance;
}

QWidget *StartPage::buildDoors()
{
    auto *row = new QWidget(this);
    row->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    m_first = new Door(QStringLiteral("first-study"), true, row);
    m_node = new Door(QStringLiteral("nodes"), false, row);
    m_open = new Door(QStringLiteral("folder"), false, row);
    for (Door *door : {m_first, m_node, m_open})
        layout->addWidget(door, 1);
    m_node->setShortcutText(
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N).toString(QKeySequence::NativeText));
    m_open->setShortcutText(QKeySequence(QKeySequence::Open).toString(QKeySequence::NativeText));
    m_first->setShortcutText(
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F).toString(QKeySequence::NativeText));
    connect(m_first->button(), &QPushButton::clicked, this, &StartPage::firstStudyWanted);
    connect(m_node->button(), &QPushButton::clicked, this, &StartPage::nodeWanted);
    connect(m_open->button(), &QPushButton::clicked, this, &StartPage::openWanted);
    m_texts.add([this] {
        m_first->setTexts(
            tr("Run the first study"),
            tr("Trains one model on this machine with one device, then with more, and draws how it "
               "scales. Nothing leaves this computer."),
            tr("Start the first study"));
        m_node->setTexts(
            tr("Add a node"),
            tr("Connect over SSH with your own keys and known_hosts. Reads GPUs and versions as a plain "
               "user; installs nothing."),
            tr("Add a node…"));
        m_open->setTexts(
            tr("Open results"),
            tr("A workspace folder with its runs, logs and curves. You can also drop a folder or a plan "
               "file here."),
            tr("Open…"));
    });
    return row;
}

Panel *StartPage::buildRecents()
{
    auto *panel = new Panel(Panel::TitleRow::Normal, this);
    panel->setBodyMargins(0, 0, 0, 0);
    auto *fresh = new QPushButton(toneIcon(QStringLiteral("plus")), QString(), panel);
    setControlSize(fresh, ControlSize::Small);
    auto *bring = new QPushButton(QString(), panel);
    setControlSize(bring, ControlSize::Small);
    panel->addTool(bring);
    connect(bring, &QPushButton::clicked, this, &StartPage::importWanted);
    panel->addTool(fresh);
    m_recents = new QTableView(panel);
    m_recentModel = new RecentModel(this);
    m_recents->setModel(m_recentModel);
    m_recents->setItemDelegate(new RecentDelegate(this));
    m_recents->setFrameShape(QFrame::NoFrame);
    m_recents->setShowGrid(false);
    m_recents->setTabKeyNavigation(false);
    m_recents->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_recents->setSelectionMode(QAbstractItemView::SingleSelection);
    m_recents->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_recents->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_recents->horizontalHeader()->hide();
    m_recents->verticalHeader()->hide();
    m_recents->verticalHeader()->setDefaultSectionSize(std::max(28, m_recents->fontMetrics().height() + 10));
    m_recents->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_recents->horizontalHeader()->setSectionResizeMode(RecentModel::Folder, QHeaderView::Stretch);
    m_noRecents = new TextLabel(TextRole::Body, Tone::Muted, panel);
    m_noRecents->setContentsMargins(11, 10, 11, 8);
    m_noRecents->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_noRecents->setWordWrap(true);
    auto *hint = new TextLabel(TextRole::Secondary, panel);
    hint->setContentsMargins(11, 8, 11, 8);
    hint->setElided(true);
    panel->body()->setSpacing(0);
    panel->body()->addWidget(m_noRecents, 1);
    panel->body()->addWidget(m_recents, 1);
    panel->body()->addWidget(hint);
    connect(fresh, &QPushButton::clicked, this, &StartPage::newWanted);
    connect(m_recents, &QTableView::activated, this, &StartPage::openRecent);
    m_texts.add([this, panel, fresh, bring, hint] {
        panel->setTitle(tr("Recent workspaces"));
        fresh->setText(tr("New…"));
        bring->setText(tr("Import logs…"));
        m_noRecents->setText(
            tr("Nothing yet. The first study makes a workspace of its own in your home folder."));
        m_recents->setAccessibleName(tr("Recent workspaces"));
        hint->setText(
            tr("A workspace is one folder: the raw logs and an index that can be rebuilt from them."));
        m_recentModel->retranslate();
    });
    return panel;
}

Panel *StartPage::buildMachine()
{
    auto *panel = new Panel(Panel::TitleRow::Normal, this);
    auto *again = new QPushButton(toneIcon(QStringLiteral("refresh")), QString(), panel);
    setControlSize(again, ControlSize::Small);
    panel->addTool(again);
    m_machine = new FormRows(kMachineRows, FormRows::ValueSide::Left, panel);
    panel->body()->addWidget(m_machine);
    connect(again, &QPushButton::clicked, this, [this] { m_session.probeNodes(); });
    m_texts.add([this, panel, again] {
        panel->setTitle(tr("This machine"));
        again->setText(tr("Read again"));
        m_machine->setName(Processor, tr("Processor"));
        m_machine->setName(Memory, tr("Memory"));
        m_machine->setName(Gpu, tr("GPU"));
        m_machine->setName(Containers, tr("Containers"));
        m_machine->setName(FirstStudy, tr("First study"));
    });
    return panel;
}

Panel *StartPage::buildAppearance()
{
    auto *panel = new Panel(Panel::TitleRow::Normal, this);
    m_appearance = new AppearanceForm(m_settings, panel);
    panel->body()->addWidget(m_appearance);
    panel->body()->addStretch(1);
    m_texts.add([panel] { panel->setTitle(tr("Appearance")); });
    return panel;
}

namespace {

QString processorText(const NodeFacts &node)
{
    QStringList parts;
    if (node.cores)
        parts << StartPage::tr("%n core(s)", nullptr, *node.cores);
    if (node.simd)
        parts << toQString(*node.simd);
    if (node.cpuModel)
        parts << toQString(*node.cpuModel);
    return parts.isEmpty() ? QStringLiteral("—") : parts.join(QStringLiteral(", "));
}

QString memoryText(const NodeFacts &node)
{
    if (!node.memoryBytes)
        return QStringLiteral("—");
    const QString all = toQString(formatBytes(*node.memoryBytes));
    return node.memoryFreeBytes
               ? StartPage::tr("%1 of %2 free").arg(toQString(formatBytes(*node.memoryFreeBytes)), all)
               : all;
}

QString gpuText(const NodeFacts &node)
{
    if (node.gpus.empty())
        return StartPage::tr("none found · trains on the CPU");
    return QStringLiteral("%1 × %2").arg(node.gpus.size()).arg(toQString(node.gpus.front().name));
}

QString firstStudyText(const SessionModel &session)
{
    const std::optional<Plan> plan = firstStudyPlan(session.frameworks(), session.nodes());
    if (!plan)
        return StartPage::tr("no framework runs here");
    const std::vector<PlannedCase> cases = expandPlan(*plan, session.frameworks(), session.nodes());
    double totalS = 0;
    for (const PlannedCase &planned : cases)
        totalS += planned.estimatedRunTimeS.value_or(0) * plan->measurement.repeats;
    QString title = toQString(plan->workloads.front().name);
    for (const Framework &framework : session.frameworks())
        if (const Workload *workload = framework.findWorkload(plan->workloads.front().name))
            title = toQString(workload->title);
    const int most = plan->scales.back().devices();
    return totalS > 0 ? StartPage::tr("%1, 1 → %2, about %3").arg(title).arg(most).arg(durationText(totalS))
                      : StartPage::tr("%1, 1 → %2").arg(title).arg(most);
}

} // namespace

void StartPage::showMachine()
{
    const bool known = !m_session.nodes().empty();
    const QString waiting = m_session.probing() ? tr("reading…") : QStringLiteral("—");
    const NodeFacts node = known ? m_session.nodes().front() : NodeFacts{};
    m_machine->setValue(Processor, known ? processorText(node) : waiting);
    m_machine->setValue(Memory, known ? memoryText(node) : waiting);
    m_machine->setValue(Gpu, known ? gpuText(node) : waiting);
    QStringList engines;
    for (const std::string &engine : node.containerEngines)
        engines << toQString(engine);
    m_machine->setValue(Containers, engines.join(QStringLiteral(", ")));
    m_machine->setRowVisible(Containers, !engines.isEmpty());
    m_machine->setValue(FirstStudy, known ? firstStudyText(m_session) : waiting);
}

void StartPage::showRecents()
{
    m_recentModel->setRecents(m_settings.recents());
    const bool any = m_recentModel->rowCount() > 0;
    m_recents->setVisible(any);
    m_noRecents->setVisible(!any);
    if (any)
        m_recents->setCurrentIndex(m_recentModel->index(0, 0));
}

void StartPage::openRecent(const QModelIndex &index)
{
    const QString folder = index.data(RecentModel::FolderPathRole).toString();
    if (index.data(RecentModel::MissingRole).toBool())
        Q_EMIT locateWanted(folder);
    else
        Q_EMIT folderChosen(folder);
}

void StartPage::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        m_texts.refresh();
        showMachine();
    }
}

void StartPage::dragEnterEvent(QDragEnterEvent *event)
{
    if (!droppedPath(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void StartPage::dropEvent(QDropEvent *event)
{
    const QString path = droppedPath(event->mimeData());
    if (path.isEmpty())
        return;
    event->acceptProposedAction();
    if (QFileInfo(path).isDir())
        Q_EMIT folderChosen(path);
    else
        Q_EMIT planFileChosen(path);
}

} // namespace sb
