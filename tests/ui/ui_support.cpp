// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui_support.h"

#include "session/install_paths.h"
#include "widgets/text.h"

#include <QAbstractButton>
#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QPixmap>
#include <QTest>

#include <algorithm>

namespace sb::test {

Desk::Desk()
    : m_settings(std::make_unique<Settings>(m_folder.filePath(QStringLiteral("settings.ini"))))
{
    const InstallPaths paths = installPaths(QCoreApplication::applicationDirPath().toStdString());
    m_session = std::make_unique<SessionModel>(
        SessionModel::Options{.pluginFolder = paths.pluginFolder,
                              .programFolders = paths.programFolders,
                              .nodeWorkFolder = m_folder.filePath(QStringLiteral("node")).toStdString()});
    m_appearance = std::make_unique<Appearance>(*m_settings);
    m_appearance->overrideLanguage(Language::English);
    m_window = std::make_unique<MainWindow>(*m_session, *m_settings);
}

Desk::~Desk() = default;

bool Desk::waitForNodes()
{
    return waitFor([this] { return !m_session->nodes().empty() && !m_session->cases().empty(); }, 20000);
}

bool waitFor(const std::function<bool()> &done, int timeoutMs)
{
    QElapsedTimer timer;
    timer.start();
    while (!done()) {
        if (timer.elapsed() > timeoutMs)
            return false;
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 20);
    }
    return true;
}

void picture(QWidget &widget, const QString &name)
{
    const QString folder = qEnvironmentVariable("SCALEBOARD_PICTURES");
    if (folder.isEmpty())
        return;
    QDir().mkpath(folder);
    QTest::qWait(120);
    widget.grab().save(folder + QLatin1Char('/') + name + QStringLiteral(".png"));
}

namespace {

// Width of the part of a widget that no ancestor hides. Height is not asked: forms scroll up and down.
int widthInSight(const QWidget *widget)
{
    QRect rect = widget->rect();
    const QWidget *at = widget;
    while (!at->isWindow() && at->parentWidget()) {
        rect.translate(at->pos());
        at = at->parentWidget();
        rect.setLeft(std::max(rect.left(), 0));
        rect.setRight(std::min(rect.right(), at->width() - 1));
    }
    return rect.width();
}

} // namespace

QStringList cutTexts(QWidget &root)
{
    // A text that was set at the very end of a wait has asked for room, but not been given it.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    QStringList cut;
    const auto note = [&cut](const QWidget *widget, const QString &text, const QSize &wanted) {
        cut << QStringLiteral("\"%1\" has %2×%3, wants %4×%5")
                   .arg(text)
                   .arg(widget->width())
                   .arg(widget->height())
                   .arg(wanted.width())
                   .arg(wanted.height());
    };
    for (const QLabel *label : root.findChildren<QLabel *>()) {
        const auto *text = qobject_cast<const TextLabel *>(label);
        if (!label->isVisible() || label->text().isEmpty() || (text && text->isElided()))
            continue;
        const QSize wanted =
            label->wordWrap() ? QSize(0, label->heightForWidth(label->width())) : label->sizeHint();
        if (widthInSight(label) < wanted.width() || label->height() < wanted.height())
            note(label, label->text(), wanted);
    }
    for (const QAbstractButton *button : root.findChildren<QAbstractButton *>()) {
        if (!button->isVisible() || button->text().isEmpty())
            continue;
        const QSize wanted = button->sizeHint();
        if (widthInSight(button) < wanted.width() || button->height() < wanted.height())
            note(button, button->text(), wanted);
    }
    return cut;
}

Plan tinyPlan(int warmupSteps, int measuredSteps, int repeats)
{
    Plan plan;
    plan.name = "tiny";
    plan.frameworks = {"native"};
    plan.workloads = {{"resnet20-cifar", {"fp32"}, {8}}};
    plan.scales = {{1, 1}, {1, 2}};
    plan.device = "cpu";
    plan.measurement = {warmupSteps, measuredSteps, repeats};
    return plan;
}

} // namespace sb::test
