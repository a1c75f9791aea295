// SPDX-License-Identifier: GPL-3.0-or-later
// The dashboard: makes the parts and puts them together. The only file of app/ that knows ui/.
#include "core/text.h"
#include "main_window.h"
#include "report/report_exporter.h"
#include "screenshots.h"
#include "session/install_paths.h"
#include "session/session_model.h"
#include "settings/appearance.h"
#include "settings/settings.h"
#include "store/workspace.h"
#include "widgets/sb_style.h"
#include "workspace_actions.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QIcon>
#include <QRegularExpression>
#include <QTextStream>
#include <QTimer>

#include <cstring>
#include <memory>
#include <optional>

namespace {

struct Arguments {
    QString workspace;
    sb::Language language = sb::Language::Desktop;
    sb::Theme theme = sb::Theme::Desktop;
    QString screenshotFolder;
    QSize windowSize;
};

int fail(const QString &sentence)
{
    QTextStream(stderr) << "scaleboard: " << sentence << '\n';
    return 2;
}

void describe(QCommandLineParser &parser)
{
    parser.setApplicationDescription(
        QStringLiteral("Measures how training scales over devices and nodes.\n"
                       "\"scaleboard report --help\" explains how to write a report without a window."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("WORKSPACE"), QStringLiteral("Folder of results to open."),
                                 QStringLiteral("[WORKSPACE]"));
    parser.addOption(
        {QStringLiteral("workspace"), QStringLiteral("Folder of results to open."), QStringLiteral("DIR")});
    parser.addOption({QStringLiteral("language"), QStringLiteral("Language of the window: en or zh."),
                      QStringLiteral("LANG")});
    parser.addOption({QStringLiteral("theme"), QStringLiteral("light or dark."), QStringLiteral("THEME")});
    parser.addOption({QStringLiteral("screenshot-dir"),
                      QStringLiteral("Render every page to PNG files in DIR and quit."),
                      QStringLiteral("DIR")});
    parser.addOption({QStringLiteral("window-size"), QStringLiteral("Size of the window, such as 1366x768."),
                      QStringLiteral("WxH")});
}

// Reads the options; on a wrong one, the sentence for the user.
std::optional<QString> readArguments(const QCommandLineParser &parser, Arguments &arguments)
{
    const QStringList positional = parser.positionalArguments();
    if (positional.size() > 1)
        return QStringLiteral("only one WORKSPACE can be opened; %1 were given.").arg(positional.size());
    arguments.workspace =
        positional.isEmpty() ? parser.value(QStringLiteral("workspace")) : positional.front();
    if (!arguments.workspace.isEmpty() && !QFileInfo(arguments.workspace).isDir())
        return QStringLiteral("%1 is not a folder; give the folder of a workspace.").arg(arguments.workspace);
    const QString language = parser.value(QStringLiteral("language"));
    if (!language.isEmpty() && language != u"en" && language != u"zh")
        return QStringLiteral("--language is \"%1\"; it must be en or zh.").arg(language);
    if (!language.isEmpty())
        arguments.language = language == u"zh" ? sb::Language::Chinese : sb::Language::English;
    const QString theme = parser.value(QStringLiteral("theme"));
    if (!theme.isEmpty() && theme != u"light" && theme != u"dark")
        return QStringLiteral("--theme is \"%1\"; it must be light or dark.").arg(theme);
    if (!theme.isEmpty())
        arguments.theme = theme == u"dark" ? sb::Theme::Dark : sb::Theme::Light;
    arguments.screenshotFolder = parser.value(QStringLiteral("screenshot-dir"));
    if (const QString size = parser.value(QStringLiteral("window-size")); !size.isEmpty()) {
        const auto match = QRegularExpression(QStringLiteral("^(\\d{3,5})x(\\d{3,5})$")).match(size);
        if (!match.hasMatch())
            return QStringLiteral("--window-size is \"%1\"; write it like 1366x768.").arg(size);
        arguments.windowSize = QSize(match.captured(1).toInt(), match.captured(2).toInt());
    }
    return std::nullopt;
}

bool asks(int argc, char **argv, const char *option, const char *brief)
{
    for (int i = 1; i < argc; ++i)
        if (std::strcmp(argv[i], option) == 0 || std::strcmp(argv[i], brief) == 0)
            return true;
    return false;
}

// scaleboard report: from a workspace to a folder of files, without a window.
struct ReportArguments {
    std::string workspace;
    sb::ReportOptions report;
    sb::ReportExportOptions output;
};

void describeReport(QCommandLineParser &parser)
{
    parser.setApplicationDescription(QStringLiteral(
        "scaleboard report: writes the report, figures and tables of a workspace to a folder."));
    parser.addHelpOption();
    parser.addOption(
        {QStringLiteral("workspace"), QStringLiteral("Folder of results."), QStringLiteral("DIR")});
    parser.addOption({QStringLiteral("out"),
                      QStringLiteral("Folder to write to; empty, new, or holding an earlier report."),
                      QStringLiteral("DIR")});
    parser.addOption({QStringLiteral("lang"), QStringLiteral("Language of the report: en or zh."),
                      QStringLiteral("LANG"), QStringLiteral("en")});
    parser.addOption({QStringLiteral("formats"),
                      QStringLiteral("Any of pdf, html, md, csv, json for the report and its tables and "
                                     "png, svg for its figures, separated by commas."),
                      QStringLiteral("LIST"), QStringLiteral("pdf,html,md,csv,png,svg")});
}

std::optional<QString> readReportArguments(const QCommandLineParser &parser, ReportArguments &arguments)
{
    if (!parser.isSet(QStringLiteral("workspace")) || !parser.isSet(QStringLiteral("out")))
        return QStringLiteral("report needs --workspace DIR and --out DIR.");
    arguments.workspace = parser.value(QStringLiteral("workspace")).toStdString();
    arguments.output.folder = parser.value(QStringLiteral("out")).toStdString();
    const QString language = parser.value(QStringLiteral("lang"));
    if (language != u"en" && language != u"zh")
        return QStringLiteral("--lang is \"%1\"; it must be en or zh.").arg(language);
    arguments.report.language = language == u"zh" ? sb::ReportLanguage::Chinese : sb::ReportLanguage::English;
    arguments.output.formats.clear();
    arguments.output.figures.clear();
    for (const std::string_view name :
         sb::split(parser.value(QStringLiteral("formats")).toStdString(), ',')) {
        if (name == "png" || name == "svg")
            arguments.output.figures.insert(name == "png" ? sb::FigureFormat::Png : sb::FigureFormat::Svg);
        else if (const auto format = sb::reportFormatFromName(name))
            arguments.output.formats.insert(*format);
        else
            return QStringLiteral("--formats names \"%1\"; known are pdf, html, md, csv, json, png, svg.")
                .arg(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())));
    }
    return std::nullopt;
}

int writeReport(const QStringList &arguments)
{
    QCommandLineParser parser;
    describeReport(parser);
    ReportArguments wanted;
    if (!parser.parse(arguments))
        return fail(parser.errorText());
    if (const auto wrong = readReportArguments(parser, wanted))
        return fail(*wrong);
    const auto workspace = sb::Workspace::open(wanted.workspace);
    if (!workspace)
        return fail(QString::fromStdString(workspace.error().message));
    const sb::Report report = sb::buildReport((*workspace)->runs(), wanted.report);
    if (report.groups.empty())
        return fail(QStringLiteral("%1 has no finished run to report.")
                        .arg(QString::fromStdString((*workspace)->folder())));
    const auto files = sb::exportReport(report, wanted.output);
    if (!files)
        return fail(QString::fromStdString(files.error().message));
    QTextStream(stdout) << files->size() << " files written to "
                        << QString::fromStdString(wanted.output.folder) << '\n';
    return 0;
}

void takeScreenshots(sb::MainWindow &window, const QString &folder)
{
    auto *shots = new sb::Screenshots(window, folder, &window);
    QObject::connect(shots, &sb::Screenshots::finished, &window, [](const QString &failure) {
        QCoreApplication::exit(failure.isEmpty() ? 0 : fail(failure));
    });
    // The machine has been read and the first plan laid out by then.
    QTimer::singleShot(1500, shots, &sb::Screenshots::start);
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication::setApplicationName(QStringLiteral("scaleboard"));
    QCoreApplication::setApplicationVersion(QStringLiteral(SCALEBOARD_VERSION));
    const bool report = argc > 1 && std::strcmp(argv[1], "report") == 0;
    QCommandLineParser parser;
    if (report)
        describeReport(parser);
    else
        describe(parser);
    if (asks(argc, argv, "--help", "-h") || asks(argc, argv, "--version", "-v")) { // need no display
        QCoreApplication app(argc, argv);
        parser.process(app);
        return 0;
    }

    if (report) {
        if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
            qputenv("QT_QPA_PLATFORM", "offscreen"); // draws, shows nothing
        QApplication app(argc, argv);
        return writeReport(app.arguments().mid(1));
    }
    QApplication::setStyle(new sb::SbStyle);
    QApplication app(argc, argv);
    app.setApplicationDisplayName(QStringLiteral("Scaleboard"));
    app.setDesktopFileName(QStringLiteral("scaleboard"));
    app.setWindowIcon(QIcon(QStringLiteral(":/icons/scaleboard.svg")));
    if (!parser.parse(app.arguments()))
        return fail(parser.errorText());
    Arguments arguments;
    if (const auto wrong = readArguments(parser, arguments))
        return fail(*wrong);

    const sb::InstallPaths paths = sb::installPaths(QCoreApplication::applicationDirPath().toStdString());
    if (paths.pluginFolder.empty())
        return fail(QStringLiteral("no plugins folder beside %1; install Scaleboard again.")
                        .arg(QCoreApplication::applicationFilePath()));
    sb::Settings settings;
    sb::Appearance appearance(settings);
    if (arguments.language != sb::Language::Desktop)
        appearance.overrideLanguage(arguments.language);
    if (arguments.theme != sb::Theme::Desktop)
        appearance.overrideTheme(arguments.theme);
    sb::SessionModel session(
        {.pluginFolder = paths.pluginFolder, .programFolders = paths.programFolders, .nodeWorkFolder = {}});
    sb::MainWindow window(session, settings);
    if (arguments.windowSize.isValid())
        window.resize(arguments.windowSize);
    window.show();
    if (!arguments.workspace.isEmpty())
        window.workspaces().open(arguments.workspace);
    if (!arguments.screenshotFolder.isEmpty())
        takeScreenshots(window, arguments.screenshotFolder);
    return QApplication::exec();
}
