// SPDX-License-Identifier: GPL-3.0-or-later
// The dashboard: makes the parts and puts them together. The only file of app/ that knows ui/.
#include "main_window.h"
#include "report/report_command.h"
#include "screenshots.h"
#include "session/install_paths.h"
#include "session/session_model.h"
#include "session/user_plugins.h"
#include "settings/appearance.h"
#include "settings/settings.h"
#include "widgets/icon.h"
#include "widgets/sb_style.h"
#include "workspace_actions.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
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
    parser.addPositionalArgument(QStringLiteral("WORKSPACE"),
                                 QStringLiteral("Folder of results to open, or a bundle."),
                                 QStringLiteral("[WORKSPACE]"));
    parser.addOption({QStringLiteral("workspace"), QStringLiteral("Folder of results to open, or a bundle."),
                      QStringLiteral("DIR")});
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
    if (!arguments.workspace.isEmpty() && !QFileInfo::exists(arguments.workspace))
        return QStringLiteral("%1 is not there; give the folder of a workspace, or a bundle.")
            .arg(arguments.workspace);
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
void describeReport(QCommandLineParser &parser)
{
    const auto add = [&parser](const char *name, const char *text, const char *value,
                               const char *usual = "") {
        parser.addOption({QString::fromLatin1(name), QString::fromLatin1(text), QString::fromLatin1(value),
                          QString::fromLatin1(usual)});
    };
    parser.setApplicationDescription(QStringLiteral(
        "scaleboard report: writes the report, figures and tables of a workspace to a folder."));
    parser.addHelpOption();
    add("workspace", "Folder of results, or a bundle of them.", "DIR");
    add("reference", "Published results in place of a workspace: dlperf-2020-10.", "ID");
    add("out", "Folder to write to; empty, new, or holding an earlier report.", "DIR");
    add("lang", "Language of the report: en or zh.", "LANG", "en");
    add("formats",
        "Any of pdf, html, md, tex, csv, xlsx, json for the report and its tables, png, svg for its "
        "figures, and bundle for all of it with its logs in one file; separated by commas. tex brings its "
        "figures as PDF.",
        "LIST", "pdf,html,md,csv,png,svg");
    add("sections", "Sections by id, in order, separated by commas; all if left out.", "LIST");
    add("template", "House style: a file with order of sections, logo and colours.", "FILE");
    add("figure-width", "Width of figures in millimetres, 40 to 400; 85 if left out.", "MM");
    add("palette", "Colours of figures: print (the usual), light, dark or grey.", "NAME");
    parser.addOption({QStringLiteral("neutral-names"),
                      QStringLiteral("Replace host names, addresses and home folders by neutral ones.")});
}

std::vector<std::string> listOf(const QString &text)
{
    std::vector<std::string> parts;
    for (const QString &part : text.split(QLatin1Char(','), Qt::SkipEmptyParts))
        parts.push_back(part.trimmed().toStdString());
    return parts;
}

int writeReport(const QStringList &arguments)
{
    QCommandLineParser parser;
    describeReport(parser);
    if (!parser.parse(arguments))
        return fail(parser.errorText());
    const auto value = [&parser](const char *name) { return parser.value(QString::fromLatin1(name)); };
    if (parser.isSet(QStringLiteral("workspace")) == parser.isSet(QStringLiteral("reference")) ||
        !parser.isSet(QStringLiteral("out")))
        return fail(QStringLiteral("report needs --out DIR and either --workspace DIR or --reference ID."));
    sb::ReportCommandOptions wanted;
    wanted.workspace = value("workspace").toStdString();
    wanted.out = value("out").toStdString();
    wanted.language = value("lang").toStdString();
    for (const std::string &name : listOf(value("formats")))
        (name == "png" || name == "svg" ? wanted.figures : wanted.formats).push_back(name);
    wanted.sections = listOf(value("sections"));
    wanted.reference = value("reference").toStdString();
    wanted.houseStyle = value("template").toStdString();
    if (parser.isSet(QStringLiteral("figure-width")))
        wanted.figureWidthMm = value("figure-width").toDouble();
    wanted.palette = value("palette").toStdString();
    wanted.neutralNames = parser.isSet(QStringLiteral("neutral-names"));
    sb::InstallPaths paths = sb::installPaths(QCoreApplication::applicationDirPath().toStdString());
    paths.userPluginFolder = sb::userPluginFolder();
    const auto files = sb::runReportCommand(wanted, paths);
    if (!files)
        return fail(QString::fromStdString(files.error().message));
    QTextStream(stdout) << files->size() << " files written to " << value("out") << '\n';
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
        static char reportName[] = "scaleboard report"; // Qt shows the first argument as the usage
        if (report)
            argv[0] = reportName;
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
    // Qt itself would abort here.
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM") && !qEnvironmentVariableIsSet("DISPLAY") &&
        !qEnvironmentVariableIsSet("WAYLAND_DISPLAY")) {
        if (!asks(argc, argv, "--screenshot-dir", "--screenshot-dir"))
            return fail(
                QStringLiteral("there is no display; scaleboard-cli runs plans and \"scaleboard report\" "
                               "writes reports without one."));
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    QApplication::setStyle(new sb::SbStyle);
    QApplication app(argc, argv);
    app.setApplicationDisplayName(QStringLiteral("Scaleboard"));
    app.setDesktopFileName(QStringLiteral("scaleboard"));
    app.setWindowIcon(sb::toneIcon(QStringLiteral("scaleboard")));
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
    sb::SessionModel session({.pluginFolder = paths.pluginFolder,
                              .programFolders = paths.programFolders,
                              .readTopologies = true,
                              .sourceFolders = paths.sourceFolders,
                              .userPluginFolder = sb::userPluginFolder()});
    sb::MainWindow window(session, settings);
    if (arguments.windowSize.isValid())
        window.resize(arguments.windowSize);
    window.show();
    if (QFileInfo(arguments.workspace).isFile())
        window.workspaces().openBundle(arguments.workspace);
    else if (!arguments.workspace.isEmpty())
        window.workspaces().open(arguments.workspace);
    if (!arguments.screenshotFolder.isEmpty())
        takeScreenshots(window, arguments.screenshotFolder);
    return QApplication::exec();
}
