// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace_actions.h"

#include "models/presets.h"
#include "pages/import_dialog.h"
#include "sentences/sentence.h"
#include "session/bundle.h"
#include "widgets/text.h"

#include <QApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QPointer>
#include <QThreadPool>

#include <set>

namespace sb {

QString freeStudyFolder(const QString &parent)
{
    const QDir dir(parent);
    QString name = QStringLiteral("first-study");
    for (int i = 2; dir.exists(name); ++i)
        name = QStringLiteral("first-study-%1").arg(i);
    return dir.absoluteFilePath(name);
}

QString freeBundleFolder(const QString &file)
{
    const QFileInfo info(file);
    const QString stem = info.fileName().section(QLatin1Char('.'), 0, 0);
    const QString start = stem.isEmpty() ? QStringLiteral("study") : stem;
    QString name = start;
    for (int i = 2; info.absoluteDir().exists(name); ++i)
        name = QStringLiteral("%1-%2").arg(start).arg(i);
    return info.absoluteDir().absoluteFilePath(name);
}

WorkspaceActions::WorkspaceActions(SessionModel &session, Settings &settings, QWidget *window)
    : QObject(window)
    , m_session(session)
    , m_settings(settings)
    , m_window(window)
{
    connect(&session, &SessionModel::planFinished, this, &WorkspaceActions::remember);
}

bool WorkspaceActions::report(const QString &lead, const Result<void> &result)
{
    if (!result)
        Q_EMIT failed(lead, translateSentence(result.error().message));
    return result.ok();
}

bool WorkspaceActions::open(const QString &folder)
{
    remember();
    const bool opened = report(tr("The workspace was not opened."),
                               m_session.openWorkspace(QDir(folder).absolutePath().toStdString()));
    if (opened)
        remember();
    return opened;
}

bool WorkspaceActions::create(const QString &folder)
{
    remember();
    const bool created = report(tr("The workspace was not made."),
                                m_session.createWorkspace(QDir(folder).absolutePath().toStdString()));
    if (created)
        remember();
    return created;
}

void WorkspaceActions::remember()
{
    if (!m_session.hasWorkspace())
        return;
    std::set<std::string> hosts;
    for (const Run &run : m_session.runs())
        hosts.insert(run.hosts.begin(), run.hosts.end());
    m_settings.rememberWorkspace({toQString(m_session.workspaceFolder()),
                                  toQString(m_session.workspaceName()),
                                  static_cast<int>(m_session.runs().size()), static_cast<int>(hosts.size()),
                                  QDateTime::currentDateTimeUtc()});
}

void WorkspaceActions::askOpen()
{
    auto *dialog = new QFileDialog(m_window, tr("Open a workspace"), m_settings.startFolder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, &WorkspaceActions::open);
    dialog->open();
}

void WorkspaceActions::askOpenBundle()
{
    auto *dialog =
        new QFileDialog(m_window, tr("Open a bundle"), m_settings.startFolder(), tr("Bundles (*.tar.zst)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &WorkspaceActions::openBundle);
    dialog->open();
}

void WorkspaceActions::openBundle(const QString &file)
{
    const QString folder = freeBundleFolder(file);
    const QPointer<WorkspaceActions> self(this);
    QThreadPool::globalInstance()->start([self, file, folder] {
        const Result<void> unpacked = unpackBundle(file.toStdString(), folder.toStdString());
        // To the application, which outlives the window; the window is asked for in its own thread.
        QMetaObject::invokeMethod(qApp, [self, folder, unpacked] {
            if (self && self->report(tr("The bundle was not opened."), unpacked))
                self->open(folder);
        });
    });
}

void WorkspaceActions::askImport()
{
    if (!m_session.hasWorkspace())
        return askNew([this] { askImport(); });
    auto *dialog = new ImportDialog(m_session, m_settings.startFolder(), m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        const auto report = m_session.importRuns(*dialog->preview());
        if (!report)
            Q_EMIT failed(tr("Not everything was imported."), translateSentence(report.error().message));
        remember();
    });
    dialog->open();
}

void WorkspaceActions::askNew(std::function<void()> then)
{
    auto *dialog =
        new QFileDialog(m_window, tr("Make a workspace: where should results go?"), m_settings.startFolder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setFileMode(QFileDialog::AnyFile);
    dialog->setLabelText(QFileDialog::FileName, tr("New folder:"));
    dialog->setLabelText(QFileDialog::Accept, tr("Make"));
    dialog->selectFile(QStringLiteral("sweep"));
    connect(dialog, &QFileDialog::fileSelected, this, [this, then = std::move(then)](const QString &folder) {
        if (create(folder) && then)
            then();
    });
    dialog->open();
}

void WorkspaceActions::askLocate(const QString &oldFolder)
{
    auto *dialog = new QFileDialog(m_window, tr("Where is %1 now?").arg(QFileInfo(oldFolder).fileName()),
                                   m_settings.startFolder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this, [this, oldFolder](const QString &folder) {
        if (open(folder))
            m_settings.forgetWorkspace(oldFolder);
    });
    dialog->open();
}

void WorkspaceActions::close()
{
    remember();
    m_session.closeWorkspace();
}

bool WorkspaceActions::begin()
{
    const bool ok = report(tr("The plan was not started."), m_session.startPlan());
    if (ok)
        Q_EMIT started();
    return ok;
}

bool WorkspaceActions::startFirstStudy()
{
    if (m_session.progress().active) { // its plan stays on the page
        Q_EMIT failed(tr("The first study was not started."),
                      translateSentence(std::string("A plan is running already.")));
        return false;
    }
    const std::optional<Plan> plan = firstStudyPlan(m_session.frameworks(), m_session.nodes());
    if (!plan) {
        Q_EMIT failed(tr("The first study was not started."),
                      m_session.nodes().empty()
                          ? tr("This machine is still being read; try again in a moment.")
                          : tr("No framework of the plugin folder runs on this machine."));
        return false;
    }
    if (!m_session.hasWorkspace()) {
        const QDir parent(QDir::homePath() + QStringLiteral("/scaleboard"));
        if (!parent.mkpath(QStringLiteral("."))) {
            Q_EMIT failed(
                tr("The first study was not started."),
                tr("%1 cannot be made. Make a workspace elsewhere, then start again.").arg(parent.path()));
            return false;
        }
        if (!create(freeStudyFolder(parent.path())))
            return false;
    }
    m_session.setPlan(*plan);
    return begin();
}

void WorkspaceActions::startPlan()
{
    if (m_session.hasWorkspace())
        begin();
    else
        askNew([this] { begin(); });
}

} // namespace sb
