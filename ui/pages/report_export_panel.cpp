// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/report_export_panel.h"

#include "sentences/sentence.h"
#include "widgets/form_rows.h"
#include "widgets/icon.h"
#include "widgets/sb_style.h"
#include "widgets/segmented.h"
#include "widgets/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

namespace sb {

ReportExportPanel::ReportExportPanel(QWidget *parent)
    : Panel(Panel::TitleRow::Normal, parent)
    , m_language(new Segmented(2, this))
    , m_width(new QComboBox(this))
    , m_palette(new QComboBox(this))
    , m_neutral(new QCheckBox(this))
    , m_check(new TextLabel(TextRole::Secondary, Tone::Muted, this))
    , m_message(new TextLabel(TextRole::Secondary, Tone::Muted, this))
    , m_progress(new ProgressLine(this))
    , m_export(new QPushButton(this))
    , m_cancel(new QPushButton(this))
    , m_timer(new QTimer(this))
{
    setObjectName(QStringLiteral("reportExport"));
    addChoices();
    body()->addStretch();
    m_check->setWordWrap(true);
    m_message->setWordWrap(true);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_progress->hide();
    m_cancel->hide();
    m_export->setIcon(toneIcon(QStringLiteral("save"), Tone::OnAccent));
    setButtonRole(m_export, ButtonRole::Primary);
    m_export->setMinimumHeight(32);
    for (QWidget *widget :
         std::initializer_list<QWidget *>{m_check, m_message, m_progress, m_cancel, m_export})
        body()->addWidget(widget);

    m_timer->setInterval(0);
    connect(m_timer, &QTimer::timeout, this, &ReportExportPanel::step);
    connect(m_language, &Segmented::chosen, this, &ReportExportPanel::changed);
    connect(m_width, &QComboBox::currentIndexChanged, this, &ReportExportPanel::changed);
    connect(m_palette, &QComboBox::currentIndexChanged, this, &ReportExportPanel::changed);
    connect(m_neutral, &QCheckBox::toggled, this, &ReportExportPanel::changed);
    for (const auto &[format, box] : m_formats)
        connect(box, &QCheckBox::toggled, this, &ReportExportPanel::refresh);
    connect(m_export, &QPushButton::clicked, this, &ReportExportPanel::exportWanted);
    connect(m_cancel, &QPushButton::clicked, this,
            [this] { end(tr("Cancelled; nothing was written."), false); });
    m_texts.add([this] {
        setTitle(tr("Export"));
        m_language->setAccessibleName(tr("Language of the report"));
        m_width->setAccessibleName(tr("Width of the figures"));
        m_width->setItemText(0, tr("85 mm, one column"));
        m_width->setItemText(1, tr("120 mm"));
        m_width->setItemText(2, tr("174 mm, two columns"));
        m_palette->setAccessibleName(tr("Colours of the figures"));
        m_palette->setItemText(0, tr("Print"));
        m_palette->setItemText(1, tr("Light"));
        m_palette->setItemText(2, tr("Dark"));
        m_palette->setItemText(3, tr("Grey"));
        for (const auto &[format, box] : m_formats)
            if (format == ReportFormat::Bundle) {
                box->setText(tr("Bundle"));
                box->setToolTip(tr("All of it, with the raw logs, in one file that opens elsewhere."));
            }
        m_neutral->setText(tr("Replace names and addresses"));
        m_export->setText(tr("Export to folder…"));
        m_cancel->setText(tr("Cancel"));
        m_progress->setAccessibleName(tr("Export"));
    });
    refresh();
}

void ReportExportPanel::addChoices()
{
    const auto heading = [this](const std::function<QString()> &text) {
        auto *label = new TextLabel(TextRole::Secondary, Tone::Muted, this);
        label->setContentsMargins(0, 8, 0, 0);
        body()->addWidget(label);
        m_texts.add([label, text] { label->setText(text()); });
    };
    body()->setSpacing(4);
    heading([] { return tr("Language"); });
    m_language->setTexts({QStringLiteral("English"), QStringLiteral("简体中文")});
    body()->addWidget(m_language);
    heading([] { return tr("Formats"); });
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(16);
    const ReportExportOptions usual;
    const std::vector<std::pair<ReportFormat, QString>> formats{
        {ReportFormat::Pdf, QStringLiteral("PDF")},           {ReportFormat::Html, QStringLiteral("HTML")},
        {ReportFormat::Markdown, QStringLiteral("Markdown")}, {ReportFormat::Latex, QStringLiteral("LaTeX")},
        {ReportFormat::Xlsx, QStringLiteral("XLSX")},         {ReportFormat::Csv, QStringLiteral("CSV")},
        {ReportFormat::Json, QStringLiteral("JSON")},         {ReportFormat::Bundle, QString()}};
    for (std::size_t i = 0; i < formats.size(); ++i) {
        auto *box = new QCheckBox(formats[i].second, this);
        box->setChecked(usual.formats.contains(formats[i].first));
        m_formats.push_back({formats[i].first, box});
        grid->addWidget(box, static_cast<int>(i / 2), static_cast<int>(i % 2));
    }
    body()->addLayout(grid);
    heading([] { return tr("Figures"); });
    auto *row = new QHBoxLayout;
    const std::vector<std::pair<FigureFormat, QString>> figures{{FigureFormat::Png, QStringLiteral("PNG")},
                                                                {FigureFormat::Svg, QStringLiteral("SVG")},
                                                                {FigureFormat::Pdf, QStringLiteral("PDF")}};
    for (const auto &[format, name] : figures) {
        auto *box = new QCheckBox(name, this);
        box->setChecked(format != FigureFormat::Pdf);
        m_figures.push_back({format, box});
        row->addWidget(box);
    }
    row->addStretch();
    body()->addLayout(row);
    heading([] { return tr("Width"); });
    for (const double width : {85.0, 120.0, 174.0})
        m_width->addItem(QString(), width);
    body()->addWidget(m_width);
    heading([] { return tr("Palette"); });
    for (const ChartPalette palette :
         {ChartPalette::Print, ChartPalette::Light, ChartPalette::Dark, ChartPalette::Grey})
        m_palette->addItem(QString(), static_cast<int>(palette));
    body()->addWidget(m_palette);
    body()->addSpacing(8);
    body()->addWidget(m_neutral);
}

ReportLanguage ReportExportPanel::language() const
{
    return m_language->current() == 1 ? ReportLanguage::Chinese : ReportLanguage::English;
}

bool ReportExportPanel::neutralNames() const
{
    return m_neutral->isChecked();
}

double ReportExportPanel::figureWidthMm() const
{
    return m_width->currentData().toDouble();
}

ChartPalette ReportExportPanel::palette() const
{
    return static_cast<ChartPalette>(m_palette->currentData().toInt());
}

void ReportExportPanel::choose(const PageStyle &style)
{
    m_palette->setCurrentIndex(m_palette->findData(static_cast<int>(style.palette)));
    int width = m_width->findData(style.figureWidthMm);
    if (width < 0) {
        m_width->addItem(tr("%1 mm").arg(style.figureWidthMm), style.figureWidthMm);
        width = m_width->count() - 1;
    }
    m_width->setCurrentIndex(width);
}

ReportExportOptions ReportExportPanel::options() const
{
    ReportExportOptions options;
    options.formats.clear();
    options.figures.clear();
    for (const auto &[format, box] : m_formats)
        if (box->isChecked())
            options.formats.insert(format);
    for (const auto &[format, box] : m_figures)
        if (box->isChecked())
            options.figures.insert(format);
    return options;
}

QStringList ReportExportPanel::commandWords() const
{
    QStringList formats;
    for (const auto &[format, box] : m_formats)
        if (box->isChecked())
            formats.append(toQString(reportFormatName(format)));
    for (const auto &[format, box] : m_figures)
        if (box->isChecked() &&
            format != FigureFormat::Pdf) // which comes with tex, and stands for the report
            formats.append(box->text().toLower());
    QStringList words{QStringLiteral("--lang"), toQString(reportLanguageName(language())),
                      QStringLiteral("--formats"), formats.join(QLatin1Char(','))};
    words << QStringLiteral("--figure-width") << QString::number(figureWidthMm());
    static const QStringList palettes{QStringLiteral("print"), QStringLiteral("light"),
                                      QStringLiteral("dark"), QStringLiteral("grey")};
    words << QStringLiteral("--palette") << palettes.value(m_palette->currentIndex());
    if (neutralNames())
        words << QStringLiteral("--neutral-names");
    return words;
}

void ReportExportPanel::setReady(bool ready, const QString &missingGlyphs)
{
    m_ready = ready;
    if (missingGlyphs.isEmpty()) {
        m_check->setTone(Tone::Muted);
        m_check->setText(ready ? tr("Fonts found · no missing glyph · text of figures at least 7 pt")
                               : QString());
    } else {
        m_check->setTone(Tone::Err);
        m_check->setText(
            missingGlyphs.size() > 20
                ? tr("No font here has the Chinese glyphs. Install Noto Sans CJK SC, then export again.")
                : tr("No font here has %1.").arg(missingGlyphs));
        m_ready = ready && missingGlyphs.size() <= 20;
    }
    refresh();
}

void ReportExportPanel::refresh()
{
    m_export->setEnabled(canExport());
}

bool ReportExportPanel::canExport() const
{
    return m_ready && !m_exporter && !options().formats.empty();
}

void ReportExportPanel::say(const QString &problem)
{
    m_message->setTone(Tone::Err);
    m_message->setText(problem);
}

void ReportExportPanel::start(Report report, const ReportExportOptions &options)
{
    m_folder = QString::fromStdString(options.folder);
    m_exporter = std::make_unique<ReportExporter>(std::move(report), options);
    m_message->clear();
    m_progress->setPart(0);
    m_progress->show();
    m_cancel->show();
    refresh();
    m_timer->start();
}

void ReportExportPanel::step()
{
    const auto result = m_exporter->step();
    if (!result)
        return end(translateSentence(result.error().message), true);
    m_progress->setPart(static_cast<double>(m_exporter->stepsDone()) / std::max(1, m_exporter->stepCount()));
    if (!m_exporter->finished())
        return;
    const auto files = static_cast<int>(m_exporter->files().size());
    end(tr("Wrote %n file(s) to %1", nullptr, files).arg(m_folder), false);
    Q_EMIT exported(m_folder, files);
}

void ReportExportPanel::end(const QString &message, bool failed)
{
    m_timer->stop();
    m_exporter.reset(); // an unfinished export takes its files with it
    m_progress->hide();
    m_cancel->hide();
    m_message->setTone(failed ? Tone::Err : Tone::Muted);
    m_message->setText(message);
    refresh();
}

void ReportExportPanel::changeEvent(QEvent *event)
{
    Panel::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        m_texts.refresh();
}

} // namespace sb
