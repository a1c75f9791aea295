// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/report_page.h"

#include "pages/report_export_panel.h"
#include "pages/report_preview.h"
#include "sentences/sentence.h"
#include "session/install_paths.h"
#include "session/kept_comparisons.h"
#include "widgets/empty_state.h"
#include "widgets/icon.h"
#include "widgets/remembering_splitter.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QVBoxLayout>

#include <set>

namespace sb {

namespace {
constexpr int kRebuildMs = 120; // long enough for a burst of clicks, short enough to feel immediate
constexpr int kIdRole = Qt::UserRole;
constexpr int kPageRole = Qt::UserRole + 1;
constexpr int kNumberWidth = 34;

// A section's name, and at the right the page that it begins on.
class SectionDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        if (selected)
            painter->fillRect(option.rect, option.palette.highlight());
        QStyleOptionViewItem name = option;
        name.rect.setRight(option.rect.right() - kNumberWidth);
        QStyledItemDelegate::paint(painter, name, index);
        const Tokens &tokens = Tokens::of(option.palette);
        painter->setPen(selected ? tokens.onSel : tokens.text2);
        painter->setFont(option.font);
        painter->drawText(option.rect.adjusted(0, 0, -10, 0), Qt::AlignRight | Qt::AlignVCenter,
                          index.data(kPageRole).toString());
    }
};
} // namespace

ReportPage::ReportPage(SessionModel &session, Settings &settings, QWidget *parent)
    : PageFrame(QStringLiteral("report"), parent)
    , m_session(session)
    , m_sectionPanel(new Panel(Panel::TitleRow::Normal, this))
    , m_sections(new QListWidget(this))
    , m_sums(new TextLabel(TextRole::Secondary, Tone::Muted, this))
    , m_preview(new ReportPreview(this))
    , m_export(new ReportExportPanel(this))
    , m_timer(new QTimer(this))
{
    auto *columns = new RememberingSplitter(settings, QStringLiteral("report"), Qt::Horizontal, this);
    columns->addWidget(buildSections());
    columns->addWidget(m_preview);
    columns->addWidget(m_export);
    columns->setStretchFactor(1, 1);
    columns->setDefaultSizes({228, 670, 236});
    column()->addWidget(columns, 1);
    buildHeader();
    m_timer->setSingleShot(true);
    m_timer->setInterval(kRebuildMs);
    connect(m_timer, &QTimer::timeout, this, &ReportPage::rebuild);
    connect(&session, &SessionModel::resultsChanged, this, &ReportPage::schedule);
    connect(&session, &SessionModel::workspaceChanged, this, &ReportPage::schedule);
    connect(m_export, &ReportExportPanel::changed, this, &ReportPage::schedule);
    connect(m_export, &ReportExportPanel::exportWanted, this, &ReportPage::askExport);
    connect(m_export, &ReportExportPanel::exported, this,
            [this](const QString &folder) { Q_EMIT exported(folder); });
    connect(m_preview, &ReportPreview::paletteChosen, this, &ReportPage::schedule);
    connect(empty()->button(), &QPushButton::clicked, this, &ReportPage::planWanted);
    texts().add([this] {
        header()->setTitle(tr("Report"));
        empty()->setTexts(tr("Nothing to report yet"), tr("A report needs at least one measured run."),
                          tr("Plan"));
        m_sectionPanel->setTitle(tr("Sections"));
        m_sectionPanel->setHint(tr("drag to reorder"));
        m_sections->setAccessibleName(tr("Sections"));
    });
    rebuild();
}

void ReportPage::buildHeader()
{
    auto *house = new QPushButton(this);
    connect(house, &QPushButton::clicked, this, &ReportPage::askTemplate);
    header()->addTool(house);
    texts().add([house] {
        house->setText(tr("House style…"));
        house->setToolTip(tr("A file with order of sections, titles, logo, colours and figures."));
    });
    auto *copy = new QPushButton(toneIcon(QStringLiteral("terminal")), QString(), this);
    connect(copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(commandLine()); });
    header()->addTool(copy);
    texts().add([copy] { copy->setText(tr("Copy command line")); });
}

QWidget *ReportPage::buildSections()
{
    m_sectionPanel->setBodyMargins(1, 4, 1, 1);
    m_sections->setFrameShape(QFrame::NoFrame);
    m_sections->setDragDropMode(QAbstractItemView::InternalMove);
    m_sections->setItemDelegate(new SectionDelegate(m_sections));
    m_sections->setUniformItemSizes(true);
    m_sections->setTextElideMode(Qt::ElideRight);
    m_sections->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_sectionPanel->body()->addWidget(m_sections, 1);
    m_sums->setWordWrap(true);
    m_sums->setContentsMargins(12, 8, 12, 8);
    m_sectionPanel->body()->addWidget(m_sums);
    connect(m_sections, &QListWidget::itemChanged, this, [this] {
        if (!m_filling)
            schedule();
    });
    connect(m_sections->model(), &QAbstractItemModel::rowsMoved, this, &ReportPage::schedule);
    connect(m_sections, &QListWidget::currentItemChanged, this, [this](QListWidgetItem *item) {
        if (!item || m_filling || !m_pages)
            return;
        if (const auto page = m_pages->pageOf(item->data(kIdRole).toString().toStdString()))
            m_preview->showPage(*page);
    });
    return m_sectionPanel;
}

void ReportPage::schedule()
{
    m_outdated = true;
    if (isVisible())
        m_timer->start();
}

void ReportPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (m_outdated)
        m_timer->start();
}

ReportOptions ReportPage::reportOptions() const
{
    ReportOptions options;
    options.language = m_export->language();
    options.neutralNames = m_export->neutralNames();
    options.program = "Scaleboard " + QApplication::applicationVersion().toStdString();
    options.comparisons = comparisons();
    options.sections.emplace();
    for (int i = 0; i < m_sections->count(); ++i)
        if (m_sections->item(i)->checkState() == Qt::Checked)
            options.sections->push_back(m_sections->item(i)->data(kIdRole).toString().toStdString());
    return options;
}

PageStyle ReportPage::pageStyle() const
{
    PageStyle style = m_houseStyle;
    style.palette = m_preview->grey() ? ChartPalette::Grey : m_export->palette();
    style.figureWidthMm = m_export->figureWidthMm();
    return style;
}

// Keeps order and choice of the sections that are still there; new ones go where they usually stand.
void ReportPage::fillSections()
{
    const auto names = sectionNames();
    m_filling = true;
    std::vector<std::string> order;
    std::set<std::string> off;
    for (int i = 0; i < m_sections->count(); ++i) {
        const std::string id = m_sections->item(i)->data(kIdRole).toString().toStdString();
        order.push_back(id);
        if (m_sections->item(i)->checkState() != Qt::Checked)
            off.insert(id);
    }
    std::erase_if(order, [&names](const std::string &id) {
        return std::none_of(names.begin(), names.end(), [&id](const auto &name) { return name.id == id; });
    });
    for (std::size_t i = 0; i < names.size(); ++i)
        if (std::find(order.begin(), order.end(), names[i].id) == order.end())
            order.insert(order.begin() + static_cast<std::ptrdiff_t>(std::min(i, order.size())), names[i].id);
    const int current = m_sections->currentRow();
    m_sections->clear();
    for (const std::string &id : order) {
        const auto name =
            std::find_if(names.begin(), names.end(), [&id](const auto &n) { return n.id == id; });
        auto *item = new QListWidgetItem(m_sections);
        item->setData(kIdRole, QString::fromStdString(id));
        item->setText(QString::fromStdString(name->title));
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable |
                       Qt::ItemIsDragEnabled);
        item->setCheckState(off.contains(id) ? Qt::Unchecked : Qt::Checked);
        item->setSizeHint(QSize(100, 28));
    }
    m_sections->setCurrentRow(current);
    m_filling = false;
}

void ReportPage::writePageNumbers()
{
    m_filling = true;
    for (int i = 0; i < m_sections->count(); ++i) {
        QListWidgetItem *item = m_sections->item(i);
        const auto page = m_pages->pageOf(item->data(kIdRole).toString().toStdString());
        item->setData(kPageRole, page ? QString::number(*page + 1) : QStringLiteral("—"));
        item->setToolTip(item->text());
    }
    m_filling = false;
}

void ReportPage::rebuild()
{
    m_outdated = false;
    const bool something = !m_session.results().empty();
    showContent(something);
    for (QPushButton *button : header()->findChildren<QPushButton *>())
        button->setEnabled(something);
    if (!something) {
        m_pages.reset();
        m_preview->setPages(nullptr);
        header()->setSubtitle(QString());
        m_export->setReady(false, QString());
        return;
    }
    fillSections();
    const Report report = builtReport();
    m_pages = std::make_shared<const ReportPages>(report, pageStyle());
    m_preview->setPages(m_pages);
    writePageNumbers();
    int figures = 0;
    int tables = 0;
    for (const ReportSection &section : report.sections)
        for (const ReportBlock &block : section.blocks) {
            figures += std::holds_alternative<ReportFigure>(block) ? 1 : 0;
            tables += std::holds_alternative<ReportTable>(block) ? 1 : 0;
        }
    m_sums->setText(tr("%1, %2. Each number leads back to its runs.")
                        .arg(tr("%n figure(s)", nullptr, figures), tr("%n table(s)", nullptr, tables)));
    header()->setSubtitle(tr("%1 · %n page(s)", nullptr, m_pages->count()).arg(toQString(report.title)));
    m_export->setReady(!report.sections.empty(), missingGlyphs(report, QString()));
}

Report ReportPage::builtReport() const
{
    Report report = buildReport(m_session.runs(), reportOptions());
    applyTemplate(m_house, report);
    return report;
}

std::vector<ReportSectionName> ReportPage::sectionNames() const
{
    auto names = reportSections(m_session.runs(), m_export->language(), comparisons());
    for (ReportSectionName &name : names)
        if (const auto title = m_house.titles.find(name.id); title != m_house.titles.end())
            name.title = title->second.in(m_export->language());
    return names;
}

std::vector<ReportComparison> ReportPage::comparisons() const
{
    if (!m_session.hasWorkspace())
        return {};
    const auto kept = readKeptComparisons(m_session.workspaceFolder());
    if (!kept)
        return {}; // the Compare page says what is wrong with the file
    const InstallPaths paths = installPaths(QApplication::applicationDirPath().toStdString());
    return reportComparisons(*kept, m_session.results(), paths.referenceFolder);
}

void ReportPage::takeComparisons()
{
    schedule();
}

void ReportPage::askTemplate()
{
    auto *dialog = new QFileDialog(this, tr("House style of reports"), QString(), tr("House style (*.json)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &path) {
        if (const auto wrong = useTemplate(path))
            m_export->say(*wrong);
    });
    dialog->open();
}

std::optional<QString> ReportPage::useTemplate(const QString &path)
{
    auto house = readReportTemplate(path.toStdString());
    if (!house)
        return translateSentence(house.error().message);
    PageStyle style;
    if (auto applied = applyTemplate(*house, style); !applied)
        return translateSentence(applied.error().message);
    m_house = std::move(*house);
    m_houseStyle = style;
    m_housePath = path;
    m_export->choose(style);
    // The order of the file; sections that it leaves out stay in the list, unchecked, at its end.
    std::vector<std::string> ids;
    for (const ReportSectionName &name : sectionNames())
        ids.push_back(name.id);
    const std::vector<std::string> chosen = templateSections(m_house, ids);
    m_filling = true;
    m_sections->clear();
    for (const bool wanted : {true, false})
        for (const std::string &id : wanted ? chosen : ids) {
            if (!wanted && std::find(chosen.begin(), chosen.end(), id) != chosen.end())
                continue;
            auto *item = new QListWidgetItem(m_sections);
            item->setData(kIdRole, toQString(id));
            item->setCheckState(wanted ? Qt::Checked : Qt::Unchecked);
        }
    m_filling = false;
    schedule();
    return std::nullopt;
}

int ReportPage::pageCount() const
{
    return m_pages ? m_pages->count() : 0;
}

QString ReportPage::folderName() const
{
    const Report report = builtReport();
    return QStringLiteral("scaleboard-report-%1-%2")
        .arg(toQString(report.date), toQString(reportLanguageName(report.language)));
}

void ReportPage::askExport()
{
    if (!m_export->canExport())
        return;
    auto *dialog =
        new QFileDialog(this, tr("Folder that the report's folder goes into"),
                        QDir(toQString(m_session.workspaceFolder())).filePath(QStringLiteral("..")));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString &parent) { exportTo(QDir(parent).filePath(folderName())); });
    dialog->open();
}

void ReportPage::exportTo(const QString &folder)
{
    ReportExportOptions options = m_export->options();
    options.folder = folder.toStdString();
    options.style = pageStyle();
    options.bundle = BundleSource{m_session.workspaceFolder(), m_session.workspaceName(), m_session.runs()};
    options.bundleOptions.pluginFolder = m_session.pluginFolder();
    options.bundleOptions.userPluginFolder = m_session.userPluginFolder();
    options.bundleOptions.neutralNames = m_export->neutralNames();
    m_export->start(builtReport(), options);
}

QString ReportPage::commandLine() const
{
    const auto quoted = [](const QString &word) {
        return QStringLiteral("'") + QString(word).replace(QLatin1Char('\''), QStringLiteral("'\\''")) +
               QStringLiteral("'");
    };
    QStringList words = m_export->commandWords();
    if (!m_housePath.isEmpty())
        words << QStringLiteral("--template") << quoted(m_housePath);
    return QStringLiteral("scaleboard report --workspace %1 --out %2 %3")
        .arg(quoted(toQString(m_session.workspaceFolder())), quoted(folderName()),
             words.join(QLatin1Char(' ')));
}

void ReportPage::changeEvent(QEvent *event)
{
    PageFrame::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        schedule();
}

} // namespace sb
