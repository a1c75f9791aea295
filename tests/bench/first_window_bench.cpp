// SPDX-License-Identifier: GPL-3.0-or-later
// From the start of the process to the first painted window, without a display. Each iteration is a process
// of its own, so nothing is warm but the disk.
#include "main_window.h"
#include "session/install_paths.h"
#include "session/session_model.h"
#include "settings/appearance.h"
#include "settings/settings.h"
#include "widgets/sb_style.h"

#include <QApplication>
#include <QProcess>
#include <QTemporaryDir>

#include <benchmark/benchmark.h>

#include <cstring>

namespace {

constexpr const char *kChild = "--child";

// Ends the program when the window has painted itself for the first time.
class FirstPaint : public QObject {
public:
    using QObject::QObject;
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::Paint)
            QMetaObject::invokeMethod(qApp, &QCoreApplication::quit, Qt::QueuedConnection);
        return QObject::eventFilter(watched, event);
    }
};

int showWindow(int argc, char **argv)
{
    QApplication::setStyle(new sb::SbStyle);
    QApplication application(argc, argv);
    const sb::InstallPaths paths = sb::installPaths(QCoreApplication::applicationDirPath().toStdString());
    sb::Settings settings;
    sb::Appearance appearance(settings);
    sb::SessionModel session({paths.pluginFolder, paths.programFolders, {}});
    sb::MainWindow window(session, settings);
    FirstPaint firstPaint;
    window.centralWidget()->installEventFilter(&firstPaint);
    window.resize(1366, 738);
    window.show();
    const int status = QApplication::exec();
    // What comes after the first window (joining threads) is not what a user waits for.
    std::fflush(nullptr);
    std::_Exit(status);
}

void firstWindow(benchmark::State &state, const char *program)
{
    const QTemporaryDir home;
    for (auto _ : state) {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), home.path());
        process.setProcessEnvironment(environment);
        process.start(QString::fromLocal8Bit(program), {QString::fromLatin1(kChild)});
        if (!process.waitForFinished(30000) || process.exitCode() != 0) {
            state.SkipWithError("the window did not come up");
            return;
        }
    }
}

} // namespace

int main(int argc, char **argv)
{
    if (argc > 1 && std::strcmp(argv[1], kChild) == 0)
        return showWindow(argc, argv);
    benchmark::RegisterBenchmark("firstWindow",
                                 [argv](benchmark::State &state) { firstWindow(state, argv[0]); })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
