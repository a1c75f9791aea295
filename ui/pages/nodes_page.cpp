// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/nodes_page.h"

#include "pages/host_key_dialog.h"
#include "pages/node_delegate.h"
#include "pages/node_details.h"
#include "pages/secret_dialog.h"
#include "sentences/sentence.h"
#include "widgets/banner.h"
#include "widgets/icon.h"
#include "widgets/panel.h"
#include "widgets/remembering_splitter.h"
#include "widgets/sb_style.h"

#include <QCompleter>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QStandardItemModel>
#include <QStringListModel>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>
#include <map>

namespace sb {

NodesPage::NodesPage(SessionModel &session, Settings &settings, QWidget *parent)
    : QWidget(parent)
    , m_session(session)
    , m_header(new PageHeader(this))
    , m_banner(new Banner(this))
    , m_field(new QLineEdit(this))
    , m_connect(new QPushButton(toneIcon(QStringLiteral("plus"), Tone::OnAccent), QString(), this))
    , m_remove(new QPushButton(this))
    , m_table(new QTableView(this))
    , m_model(new NodeModel(this))
    , m_details(new NodeDetails(this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 0, 16, 12);
    layout->setSpacing(0);
    layout->addWidget(m_header);
    layout->addWidget(m_banner);
    layout->addWidget(buildField());
    layout->addSpacing(10);
    auto *columns = new RememberingSplitter(settings, QStringLiteral("nodes"), Qt::Horizontal, this);
    auto *rows = new RememberingSplitter(settings, QStringLiteral("nodes-rows"), Qt::Vertical, columns);
    buildTable();
    auto *list = new Panel(Panel::TitleRow::None, rows);
    list->setBodyMargins(0, 0, 0, 0);
    list->body()->addWidget(m_table);
    rows->addWidget(list);
    rows->addWidget(buildVersions());
    rows->setDefaultSizes({300, 240});
    columns->addWidget(rows);
    columns->addWidget(m_details);
    columns->setStretchFactor(0, 1);
    columns->setStretchFactor(1, 0);
    columns->setDefaultSizes({774, 372});
    layout->addWidget(columns, 1);

    auto *probe = new QPushButton(toneIcon(QStringLiteral("refresh")), QString(), this);
    m_header->addTool(probe);
    m_header->addTool(m_remove);
    connect(probe, &QPushButton::clicked, this, [this] { m_session.probeNodes(); });
    connect(m_remove, &QPushButton::clicked, this, &NodesPage::removeNode);
    connect(m_details, &NodeDetails::retryWanted, this, [this](const QString &name) {
        m_toldKeys.clear(); // asked for again, so told again
        m_session.connectNode(name.toStdString());
    });
    connect(&session, &SessionModel::nodesChanged, this, &NodesPage::takeNodes);
    connect(&session, &SessionModel::questionsChanged, this, &NodesPage::askNext);
    m_texts.add([this, probe] {
        m_header->setTitle(tr("Nodes"));
        probe->setText(tr("Probe all"));
        m_remove->setText(tr("Remove"));
        m_connect->setText(tr("Connect"));
        m_field->setPlaceholderText(tr("user@host:port, an ssh alias, or a range such as node[01-16]"));
        m_field->setAccessibleName(tr("Nodes to add"));
        m_table->setAccessibleName(tr("Nodes"));
        m_versions->setTitle(tr("Versions alike?"));
        m_versionTable->setAccessibleName(tr("Versions alike?"));
        m_model->retranslate();
        m_details->show(nullptr); // so that the same node is written again, in the new language
        takeNodes();
    });
    setFocusProxy(m_field);
}

QWidget *NodesPage::buildField()
{
    auto *row = new QWidget(this);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(m_field, 1);
    layout->addWidget(m_connect);
    setButtonRole(m_connect, ButtonRole::Primary);
    auto *completer = new QCompleter(this);
    completer->setModel(new QStringListModel(completer));
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    m_field->setCompleter(completer);
    connect(m_field, &QLineEdit::returnPressed, this, &NodesPage::addNodes);
    connect(m_connect, &QPushButton::clicked, this, &NodesPage::addNodes);
    return row;
}

void NodesPage::buildTable()
{
    m_table->setModel(m_model);
    m_table->setItemDelegate(new NodeDelegate(m_table));
    m_table->setHorizontalHeader(new NodeHeader(m_table));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(NodeModel::State, QHeaderView::Stretch);
    m_table->setTabKeyNavigation(false);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &NodesPage::showDetails);
}

Panel *NodesPage::buildVersions()
{
    m_versions = new Panel(Panel::TitleRow::Normal, this);
    m_versions->setBodyMargins(0, 0, 0, 0);
    m_versionModel = new QStandardItemModel(this);
    m_versionTable = new QTableView(m_versions);
    m_versionTable->setModel(m_versionModel);
    m_versionTable->setShowGrid(false);
    m_versionTable->setFrameShape(QFrame::NoFrame);
    m_versionTable->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_versionTable->setSelectionMode(QAbstractItemView::NoSelection);
    m_versionTable->setTabKeyNavigation(false);
    m_versionTable->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_versionTable->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_versions->body()->addWidget(m_versionTable);
    return m_versions;
}

void NodesPage::addNodes()
{
    if (m_field->text().trimmed().isEmpty())
        return m_field->setFocus();
    if (const auto added = m_session.addNodes(m_field->text().toStdString()); !added)
        return fail(added.error());
    m_field->clear();
    m_banner->clear();
    if (const int row = m_model->rowOf(m_session.nodeStatuses().back().name); row >= 0)
        m_table->setCurrentIndex(m_model->index(row, 0)); // its steps are shown beside
}

void NodesPage::removeNode()
{
    const NodeStatus *node = m_model->nodeAt(m_table->currentIndex().row());
    if (!node)
        return;
    if (const auto removed = m_session.removeNode(node->name); !removed)
        fail(removed.error());
}

void NodesPage::fail(const Error &error)
{
    m_banner->showMessage(Banner::Kind::Error, translateSentence(error.message));
}

void NodesPage::takeNodes()
{
    const NodeStatus *chosen = m_model->nodeAt(m_table->currentIndex().row());
    const std::string name = chosen ? chosen->name : std::string();
    m_model->setNodes(m_session.nodeStatuses());
    const int row = std::max(0, m_model->rowOf(name));
    if (m_model->rowCount() > 0 && m_table->currentIndex().row() != row)
        m_table->setCurrentIndex(m_model->index(row, 0));
    int gpus = 0;
    for (const NodeFacts &node : m_session.nodes())
        gpus += static_cast<int>(node.gpus.size());
    QString summary = tr("%1 of %2 ready").arg(m_session.nodes().size()).arg(m_session.nodeStatuses().size());
    if (gpus > 0)
        summary += QStringLiteral(" · ") + tr("GPUs: %1").arg(gpus);
    if (const auto network = m_session.network(static_cast<int>(m_session.nodes().size())))
        summary += QStringLiteral(" · ") +
                   tr("they meet in %1 over %2")
                       .arg(toQString(network->network), toQString(network->places.front().interface));
    else if (m_session.nodes().size() > 1)
        summary += QStringLiteral(" · ") + tr("they share no network");
    m_header->setSubtitle(summary);
    const bool local = m_model->rowCount() == 1 && m_model->nodeAt(0)->name == kLocalNode;
    m_remove->setEnabled(!local && !m_session.progress().active);
    showVersions();
    showDetails();
    showRefusedKeys();
}

void NodesPage::showVersions()
{
    using Read = std::function<std::string(const NodeFacts &)>;
    const std::vector<std::pair<QString, Read>> facts{
        {tr("Driver"), [](const NodeFacts &f) { return f.driverVersion.value_or(""); }},
        {tr("CUDA"), [](const NodeFacts &f) { return f.cudaVersion.value_or(""); }},
        {tr("GPUs"),
         [](const NodeFacts &f) {
             return f.gpus.empty() ? std::string()
                                   : std::to_string(f.gpus.size()) + " × " + f.gpus.front().name;
         }},
        {tr("System"), [](const NodeFacts &f) { return f.os.value_or(""); }},
        {tr("Kernel"), [](const NodeFacts &f) { return f.kernel.value_or(""); }},
        {tr("Processor"), [](const NodeFacts &f) { return f.cpuModel.value_or(""); }},
        {tr("Cores"), [](const NodeFacts &f) { return f.cores ? std::to_string(*f.cores) : std::string(); }},
        {tr("Containers"), [](const NodeFacts &f) {
             return f.containerEngines.empty() ? std::string() : f.containerEngines.front();
         }}};
    const std::vector<NodeFacts> &nodes = m_session.nodes();
    m_versionModel->clear();
    QStringList names;
    for (const NodeFacts &node : nodes)
        names << (node.name == kLocalNode ? tr("This machine") : toQString(node.name));
    m_versionModel->setHorizontalHeaderLabels(names);
    const Tokens &tokens = Tokens::of(palette());
    int differing = 0;
    for (const auto &[title, read] : facts) {
        std::map<std::string, int> counts;
        for (const NodeFacts &node : nodes)
            ++counts[read(node)];
        const auto usual = std::max_element(counts.begin(), counts.end(),
                                            [](const auto &a, const auto &b) { return a.second < b.second; });
        QList<QStandardItem *> row;
        for (const NodeFacts &node : nodes) {
            const std::string value = read(node);
            auto *item = new QStandardItem(value.empty() ? QStringLiteral("—") : toQString(value));
            if (value != usual->first) { // the minority
                item->setBackground(tokens.errBg);
                item->setForeground(tokens.err);
                item->setText(QStringLiteral("⚠ ") + item->text());
            }
            row << item;
        }
        if (row.isEmpty())
            continue;
        differing += counts.size() > 1 ? 1 : 0;
        m_versionModel->appendRow(row);
        m_versionModel->setVerticalHeaderItem(m_versionModel->rowCount() - 1, new QStandardItem(title));
    }
    m_versions->setHint(nodes.size() < 2 ? tr("Two nodes are needed to compare.")
                        : differing == 0 ? tr("Every fact is the same on all nodes.")
                                         : tr("%1 of %2 differ").arg(differing).arg(facts.size()));
}

void NodesPage::showDetails()
{
    m_details->show(m_model->nodeAt(m_table->currentIndex().row()));
}

void NodesPage::askNext()
{
    if (m_dialog || m_session.questions().empty())
        return;
    const SshQuestion question = m_session.questions().front();
    const auto answer = [this, id = question.id](const SshAnswer &given) { m_session.answer(id, given); };
    if (question.kind == SshQuestion::Kind::HostKey) {
        auto *dialog = new UnknownKeyDialog(question, window());
        connect(dialog, &UnknownKeyDialog::answered, this, answer);
        openDialog(dialog);
    } else {
        auto *dialog =
            new SecretDialog(question, static_cast<int>(m_session.questions().size()) - 1, window());
        connect(dialog, &SecretDialog::answered, this, answer);
        openDialog(dialog);
    }
}

// A changed or revoked key stops everything else: it is told by a dialog of its own, once.
void NodesPage::showRefusedKeys()
{
    for (const NodeStatus &node : m_session.nodeStatuses()) {
        if (m_dialog || !node.ssh.problem || !node.ssh.problem->hostKey || !node.ssh.problem->shownKey)
            continue;
        if (!m_toldKeys.insert(node.name + hostKeyFingerprint(*node.ssh.problem->shownKey)).second)
            continue;
        auto *dialog = new RefusedKeyDialog(node, window());
        connect(dialog, &RefusedKeyDialog::removeWanted, this, [this](const QString &name) {
            if (const auto removed = m_session.removeNode(name.toStdString()); !removed)
                fail(removed.error());
        });
        openDialog(dialog);
    }
}

void NodesPage::openDialog(QDialog *dialog)
{
    m_dialog = dialog;
    // The next one only when this one has gone; its answer takes a moment to come back.
    connect(dialog, &QObject::destroyed, this, [this] {
        m_dialog.clear();
        askNext();
        showRefusedKeys();
    });
    dialog->open();
}

void NodesPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    QStringList aliases;
    for (const std::string &alias : m_session.knownAliases())
        aliases << toQString(alias);
    static_cast<QStringListModel *>(m_field->completer()->model())->setStringList(aliases);
}

void NodesPage::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        m_texts.refresh();
    else if (event->type() == QEvent::PaletteChange)
        showVersions();
}

} // namespace sb
