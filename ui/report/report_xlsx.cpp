// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report_xlsx.h"

#include "charts/chart_style.h"
#include "report/report_figures.h"
#include "report/xlsx_sheet.h"

#include <QDateTime>
#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <map>

#include <xlsxwriter.h>

namespace sb {

namespace {

constexpr int kChartRows = 19;
constexpr int kChartWidth = 620;
constexpr int kChartHeight = 360;

lxw_color_t colourOf(const QColor &colour)
{
    return static_cast<lxw_color_t>(colour.rgb() & 0xFFFFFF);
}

uint8_t markerOf(Marker marker)
{
    switch (marker) {
    case Marker::Square:
    case Marker::OpenSquare:
        return LXW_CHART_MARKER_SQUARE;
    case Marker::Diamond:
    case Marker::OpenDiamond:
        return LXW_CHART_MARKER_DIAMOND;
    case Marker::Triangle:
    case Marker::TriangleDown:
        return LXW_CHART_MARKER_TRIANGLE;
    case Marker::Cross:
        return LXW_CHART_MARKER_X;
    case Marker::Star:
        return LXW_CHART_MARKER_STAR;
    case Marker::Plus:
    case Marker::PlusSquare:
        return LXW_CHART_MARKER_PLUS;
    case Marker::Disc:
    case Marker::Circle:
        break;
    }
    return LXW_CHART_MARKER_CIRCLE;
}

bool openMarker(Marker marker)
{
    return marker == Marker::Circle || marker == Marker::OpenSquare || marker == Marker::OpenDiamond;
}

// "resnet50-fp32-b128-cuda-speedup-figure" is drawn from the table without "-figure".
std::string tableOf(const ReportFigure &figure)
{
    const std::string end = "-figure";
    return figure.id.ends_with(end) ? figure.id.substr(0, figure.id.size() - end.size()) : figure.id;
}

class Book {
public:
    Book(const Report &report, lxw_workbook *book)
        : m_report(report)
        , m_book(book)
        , m_formats(book)
    {
    }

    void write()
    {
        setProperties();
        writeFront();
        for (std::size_t i = 0; i < m_report.sections.size(); ++i)
            writeSection(i);
        writeSources();
    }

private:
    std::string text(std::string_view key, std::initializer_list<std::string> arguments = {}) const
    {
        return reportText(m_report.language, key, arguments);
    }

    void setProperties()
    {
        lxw_doc_properties properties{};
        std::string title = m_report.title;
        std::string author = "Scaleboard";
        properties.title = title.data();
        properties.author = author.data();
        const QDateTime day = QDateTime::fromString(
            QString::fromStdString(m_report.date.empty() ? "2000-01-01" : m_report.date) +
                QStringLiteral("T00:00:00Z"),
            Qt::ISODate);
        properties.created = static_cast<time_t>(day.isValid() ? day.toSecsSinceEpoch() : 946684800);
        workbook_set_properties(m_book, &properties);
    }

    XlsxSheet sheet(const std::string &name) { return XlsxSheet(m_book, m_formats, uniqueName(name)); }

    // At most 31 characters, none of []:*?/\, and no two alike in any case.
    std::string uniqueName(const std::string &wanted)
    {
        QString name = QString::fromStdString(wanted);
        for (const QChar c : QStringLiteral("[]:*?/\\'"))
            name.replace(c, QLatin1Char(' '));
        name = name.simplified();
        for (int n = 1;; ++n) {
            const QString end = n == 1 ? QString() : QStringLiteral(" %1").arg(n);
            const QString one = name.left(31 - end.size()) + end;
            if (!one.isEmpty() && m_names.insert(one.toLower()).second)
                return one.toStdString();
        }
    }

    void writeFront()
    {
        XlsxSheet front = sheet(text("title"));
        front.line(m_report.title, m_formats.title);
        if (!m_report.date.empty())
            front.line(text("date", {m_report.date}));
        front.line(m_report.provenance);
        if (m_report.simulated)
            front.line(text("simulated"), m_formats.simulated);
        front.skip();
        for (std::size_t i = 0; i < m_report.sections.size(); ++i)
            front.line(std::to_string(i + 1) + "  " + m_report.sections[i].title);
    }

    void writeSection(std::size_t index)
    {
        const ReportSection &section = m_report.sections[index];
        XlsxSheet page = sheet(std::to_string(index + 1) + " " + section.title);
        page.line(section.title, m_formats.title);
        page.skip();
        page.widen(section);
        std::vector<const ReportFigure *> figures;
        for (const ReportBlock &block : section.blocks) {
            if (const auto *paragraph = std::get_if<ReportParagraph>(&block))
                page.line(paragraph->text);
            if (const auto *bullets = std::get_if<ReportBullets>(&block))
                for (const std::string &item : bullets->items)
                    page.line("• " + item);
            if (const auto *listing = std::get_if<ReportListing>(&block)) {
                page.line(listing->title, m_formats.bold);
                for (const std::string &line : listing->lines)
                    page.line(line, m_formats.fixed);
            }
            if (const auto *figure = std::get_if<ReportFigure>(&block))
                figures.push_back(figure);
            if (const auto *table = std::get_if<ReportTable>(&block)) {
                const std::string name = text("table", {std::to_string(table->number)}) + "  " + table->title;
                m_places[table->id] = page.table(*table, name, table->simulated ? text("simulated") : "");
            } else if (!std::holds_alternative<ReportFigure>(block)) {
                page.skip();
            }
        }
        for (const ReportFigure *figure : figures)
            addChart(page, *figure);
    }

    void addChart(XlsxSheet &page, const ReportFigure &figure)
    {
        const auto place = m_places.find(tableOf(figure));
        if (figure.kind == ReportFigureKind::Topology || place == m_places.end())
            return; // a drawing, not a chart of cells
        const ScalingFigure drawn = scalingFigure(m_report, figure);
        lxw_chart *chart = workbook_add_chart(m_book, LXW_CHART_SCATTER_STRAIGHT_WITH_MARKERS);
        const std::vector<SeriesStyle> styles = curveStyles(drawn.curves);
        for (std::size_t i = 0; i < drawn.curves.size(); ++i)
            addSeries(chart, place->second, i, styles[i]);
        const std::string title = text("figure", {std::to_string(figure.number)}) + "  " + figure.title +
                                  (drawn.simulated() ? "  " + text("simulated") : "");
        chart_title_set_name(chart, title.c_str());
        lxw_chart_font small{};
        small.size = 11;
        small.bold = LXW_TRUE;
        chart_title_set_name_font(chart, &small);
        chart_axis_set_name(chart->x_axis, drawn.texts.deviceAxis.toUtf8().constData());
        chart_axis_set_name(chart->y_axis, drawn.texts.valueAxis.toUtf8().constData());
        chart_axis_set_min(chart->y_axis, 0);
        chart_axis_set_min(chart->x_axis, 0);
        chart_axis_major_gridlines_set_visible(chart->x_axis, LXW_FALSE);
        chart_show_blanks_as(chart, LXW_CHART_BLANKS_AS_CONNECTED);
        page.chart(chart, kChartWidth, kChartHeight, kChartRows);
    }

    void addSeries(lxw_chart *chart, const XlsxPlace &place, std::size_t row, const SeriesStyle &style)
    {
        const auto at = static_cast<lxw_row_t>(place.firstRow + static_cast<int>(row));
        const auto from = static_cast<lxw_col_t>(place.firstScale);
        const auto to = static_cast<lxw_col_t>(place.lastScale);
        const auto head = static_cast<lxw_row_t>(place.headRow);
        lxw_chart_series *series = chart_add_series(chart, nullptr, nullptr);
        chart_series_set_name_range(series, place.sheet.c_str(), at, 0);
        chart_series_set_categories(series, place.sheet.c_str(), head, from, head, to);
        chart_series_set_values(series, place.sheet.c_str(), at, from, at, to);
        const lxw_color_t colour = colourOf(style.colour(ChartPalette::Print));
        lxw_chart_line line{};
        line.color = colour;
        line.width = 1.25F;
        line.dash_type = style.dash.empty() ? LXW_CHART_LINE_DASH_SOLID : LXW_CHART_LINE_DASH_DASH;
        chart_series_set_line(series, &line);
        chart_series_set_marker_type(series, markerOf(style.marker));
        chart_series_set_marker_size(series, 6);
        lxw_chart_fill fill{};
        fill.color = openMarker(style.marker) ? static_cast<lxw_color_t>(LXW_COLOR_WHITE) : colour;
        chart_series_set_marker_fill(series, &fill);
        lxw_chart_line edge{};
        edge.color = colour;
        chart_series_set_marker_line(series, &edge);
    }

    // Which runs, or which printed line, each number comes from.
    void writeSources()
    {
        ReportTable table;
        for (const char *column : {"col.table", "col.row", "col.column", "value", "col.from"})
            table.columns.push_back({text(column), std::string_view(column) == "value", {}});
        for (const ReportSection &section : m_report.sections)
            for (const ReportBlock &block : section.blocks)
                if (const auto *shown = std::get_if<ReportTable>(&block))
                    addSources(*shown, table);
        if (table.rows.empty())
            return;
        XlsxSheet page = sheet(text("xlsx.sources"));
        page.line(text("xlsx.sources"), m_formats.title);
        page.skip();
        ReportSection whole;
        whole.blocks.push_back(table);
        page.widen(whole);
        page.table(table, "", "");
    }

    void addSources(const ReportTable &shown, ReportTable &table) const
    {
        for (const auto &row : shown.rows)
            for (std::size_t i = 0; i < row.size(); ++i) {
                std::string from = row[i].source;
                for (const std::string &id : row[i].runIds)
                    from += (from.empty() ? "" : ", ") + id;
                if (!from.empty())
                    table.rows.push_back({{shown.id, std::nullopt, {}, {}},
                                          row.front(),
                                          {shown.columns[i].title, std::nullopt, {}, {}},
                                          {row[i].text, row[i].value, {}, {}},
                                          {from, std::nullopt, {}, {}}});
            }
    }

    const Report &m_report;
    lxw_workbook *m_book;
    XlsxFormats m_formats;
    std::set<QString> m_names;
    std::map<std::string, XlsxPlace> m_places; // by table id
};

} // namespace

Result<QByteArray> reportXlsx(const Report &report)
{
    const Error failed{ErrorCode::Io,
                       "The workbook cannot be made: the folder for temporary files cannot be written; "
                       "free some space there or set TMPDIR to another folder."};
    QTemporaryDir folder;
    if (!folder.isValid())
        return failed;
    const QString path = folder.filePath(QStringLiteral("report.xlsx"));
    lxw_workbook *workbook = workbook_new(path.toUtf8().constData());
    if (!workbook)
        return failed;
    Book(report, workbook).write();
    if (workbook_close(workbook) != LXW_NO_ERROR)
        return failed;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return failed;
    return file.readAll();
}

} // namespace sb
