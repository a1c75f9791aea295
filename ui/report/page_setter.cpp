// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/page_setter.h"

#include "report/page_measures.h"
#include "report/report_drawing.h"
#include "report/report_logo.h"

#include <QApplication>
#include <QFontDatabase>
#include <QFontMetricsF>
#include <QTextLayout>
#include <QTextOption>

#include <algorithm>
#include <cmath>

namespace sb {

using namespace page;

namespace {
constexpr std::size_t kBlocksAtOnce = 20; // a few milliseconds of laying out
} // namespace

PageSetter::PageSetter(ReportPages &pages)
    : m_out(pages)
    , m_report(pages.m_report)
{
    const auto face = [this](int units, QFont::Weight weight, const QColor &colour) {
        Face made;
        made.font = QApplication::font();
        if (!m_out.m_style.fontFamily.isEmpty())
            made.font.setFamily(m_out.m_style.fontFamily);
        made.font.setHintingPreference(QFont::PreferNoHinting);
        made.font.setPixelSize(units);
        made.font.setWeight(weight);
        made.colour = colour;
        return made;
    };
    m_ink = m_out.m_style.ink.isValid() ? m_out.m_style.ink : kInk;
    m_accent = m_out.m_style.accent.isValid() ? m_out.m_style.accent : m_ink;
    m_title = face(200, QFont::DemiBold, m_accent);
    m_heading = face(130, QFont::DemiBold, m_accent);
    m_body = face(95, QFont::Normal, m_ink);
    m_caption = face(85, QFont::DemiBold, m_ink);
    m_small = face(75, QFont::Normal, kGrey);
    m_mono = face(72, QFont::Normal, m_ink);
    const QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    m_mono.font.setFamilies(fixed.families());
    m_mono.anywhere = true;
}

QString PageSetter::text(std::string_view key, std::initializer_list<std::string> arguments) const
{
    return QString::fromStdString(reportText(m_report.language, key, arguments));
}

double PageSetter::lineHeight(const Face &face) const
{
    return face.font.pixelSize() * face.leading;
}

std::vector<QString> PageSetter::wrapped(const QString &text, const Face &face, double width) const
{
    std::vector<QString> lines;
    QTextLayout layout(text, face.font);
    QTextOption option;
    option.setWrapMode(face.anywhere ? QTextOption::WrapAnywhere : QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        QString part = text.mid(line.textStart(), line.textLength());
        while (part.endsWith(QLatin1Char(' ')))
            part.chop(1);
        lines.push_back(part);
    }
    layout.endLayout();
    if (lines.empty())
        lines.emplace_back();
    return lines;
}

void PageSetter::newPage()
{
    m_out.m_pages.emplace_back();
    m_y = kTop;
}

void PageSetter::room(double height)
{
    if (m_y + height > kHeight - kBottom)
        newPage();
}

void PageSetter::rule(double y, double width, const QColor &colour)
{
    m_out.m_pages.back().rules.push_back({{kSide, y}, {kSide + kTextWidth, y}, width, colour});
}

void PageSetter::writeAt(double left, double width, double baseline, const QString &line, const Face &face,
                         bool right)
{
    const double indent = right ? width - QFontMetricsF(face.font).horizontalAdvance(line) : 0;
    m_out.m_pages.back().lines.push_back({{left + indent, baseline}, line, face.font, face.colour});
}

void PageSetter::write(const QString &text, const Face &face, double indent)
{
    const double height = lineHeight(face);
    for (const QString &line : wrapped(text, face, kTextWidth - indent)) {
        room(height);
        writeAt(kSide + indent, 0, m_y + height * 0.75, line, face, false);
        m_y += height;
    }
}

bool PageSetter::next()
{
    if (!m_begun) {
        m_begun = true;
        newPage();
        setFront();
        setContents();
        return true;
    }
    if (m_section == m_report.sections.size()) {
        fillContents();
        setRunningHeads();
        return false;
    }
    const std::vector<ReportBlock> &blocks = m_report.sections[m_section].blocks;
    if (m_block == 0)
        beginSection(m_section);
    for (const std::size_t end = std::min(m_block + kBlocksAtOnce, blocks.size()); m_block < end; ++m_block) {
        if (const auto *figure = std::get_if<ReportFigure>(&blocks[m_block])) {
            m_waiting.push_back(figure);
            continue;
        }
        setFigures();
        setBlock(blocks[m_block]);
    }
    if (m_block == blocks.size()) {
        setFigures();
        ++m_section;
        m_block = 0;
    }
    return true;
}

void PageSetter::setFront()
{
    m_y = unitsFromMm(40);
    if (const QSizeF logo = m_out.m_style.logo.isEmpty() ? QSizeF() : logoSize(m_out.m_style.logo);
        !logo.isEmpty()) {
        const double height = unitsFromMm(14);
        const double width = std::min(height * logo.width() / logo.height(), kTextWidth);
        m_out.m_pages.back().logo =
            QRectF(kSide, unitsFromMm(20), width, width * logo.height() / logo.width());
    }
    write(QString::fromStdString(m_report.title), m_title);
    m_y += kGap;
    Face grey = m_body;
    grey.colour = kGrey;
    if (!m_report.date.empty())
        write(text("date", {m_report.date}), grey);
    write(QString::fromStdString(m_report.provenance), grey);
    if (m_report.simulated) {
        Face mark = m_heading;
        mark.colour = kSimulated;
        m_y += kGap;
        write(text("simulated"), mark);
    }
    m_y += 3 * kGap;
}

void PageSetter::setContents()
{
    const double height = lineHeight(m_body);
    for (std::size_t i = 0; i < m_report.sections.size(); ++i) {
        room(height);
        const ReportSection &section = m_report.sections[i];
        const QString name =
            QString::number(i + 1) + QStringLiteral("   ") + QString::fromStdString(section.title);
        writeAt(kSide, kTextWidth, m_y + height * 0.75, name, m_body, false);
        writeAt(kSide, kTextWidth, m_y + height * 0.75, QStringLiteral("00"), m_body, true);
        const ReportPages::Page &page = m_out.m_pages.back();
        m_contents.push_back({m_out.m_pages.size() - 1, page.lines.size() - 1, section.id});
        m_y += height;
    }
    m_y += 2 * kGap;
}

void PageSetter::fillContents()
{
    const QFontMetricsF metrics(m_body.font);
    for (const ContentsLine &entry : m_contents) {
        ReportPages::Line &line = m_out.m_pages[entry.page].lines[entry.line];
        line.text = QString::number(m_out.m_firstPages[entry.section] + 1);
        line.baseline.setX(kSide + kTextWidth - metrics.horizontalAdvance(line.text));
    }
}

void PageSetter::beginSection(std::size_t index)
{
    const ReportSection &section = m_report.sections[index];
    // A heading with some of what it heads; groups begin a page of their own.
    if (section.id.starts_with("group:") && m_y > kTop)
        newPage();
    m_y += m_y > kTop ? 2 * kGap : 0;
    room(lineHeight(m_heading) + 6 * lineHeight(m_body));
    m_out.m_firstPages[section.id] = static_cast<int>(m_out.m_pages.size()) - 1;
    write(QString::number(index + 1) + QStringLiteral("   ") + QString::fromStdString(section.title),
          m_heading);
    m_y += kGap / 2;
}

void PageSetter::setBlock(const ReportBlock &block)
{
    if (const auto *paragraph = std::get_if<ReportParagraph>(&block)) {
        write(QString::fromStdString(paragraph->text), m_body);
    } else if (const auto *bullets = std::get_if<ReportBullets>(&block)) {
        const double indent = 110;
        for (const std::string &item : bullets->items) {
            room(lineHeight(m_body));
            const double height = lineHeight(m_body);
            writeAt(kSide + 30, 0, m_y + height * 0.75, QStringLiteral("•"), m_body, false);
            write(QString::fromStdString(item), m_body, indent);
        }
    } else if (const auto *listing = std::get_if<ReportListing>(&block)) {
        room(lineHeight(m_caption) + 2 * lineHeight(m_mono));
        Face title = m_small;
        title.colour = m_ink;
        write(QString::fromStdString(listing->title), title);
        for (const std::string &line : listing->lines)
            write(QString::fromStdString(line), m_mono, 110);
        m_y -= kGap / 2;
    } else if (const auto *table = std::get_if<ReportTable>(&block)) {
        setTable(*table);
    }
    m_y += kGap;
}

void PageSetter::setFigures()
{
    const std::vector<const ReportFigure *> waiting = std::move(m_waiting);
    m_waiting.clear();
    if (waiting.empty())
        return;
    const FigureStyle style{m_out.m_style.palette, std::min(m_out.m_style.figureWidthMm, 174.0),
                            m_out.m_style.fontFamily};
    const double width = unitsFromMm(style.widthMm);
    const double gutter = unitsFromMm(4);
    const auto perRow =
        static_cast<std::size_t>(std::max(1.0, std::floor((kTextWidth + gutter + 1) / (width + gutter))));
    for (std::size_t first = 0; first < waiting.size(); first += perRow) {
        const std::size_t end = std::min(first + perRow, waiting.size());
        double height = 0;
        for (std::size_t i = first; i < end; ++i)
            height = std::max(height, ReportDrawing(m_report, *waiting[i], style).size().height());
        const double caption = lineHeight(m_caption);
        room(height + caption);
        for (std::size_t i = first; i < end; ++i) {
            const double left = kSide + static_cast<double>(i - first) * (width + gutter);
            m_out.m_pages.back().pictures.push_back({waiting[i], style, {left, m_y}});
            const QString title = text("figure", {std::to_string(waiting[i]->number)}) +
                                  QStringLiteral("  ") + QString::fromStdString(waiting[i]->title);
            writeAt(left, width, m_y + height + caption * 0.75, title, m_caption, false);
        }
        m_y += height + caption + kGap;
    }
}

void PageSetter::setRunningHeads()
{
    const std::size_t pages = m_out.m_pages.size();
    const QFontMetricsF metrics(m_small.font);
    for (std::size_t i = 0; i < pages; ++i) {
        ReportPages::Page &page = m_out.m_pages[i];
        const double y = unitsFromMm(14);
        QString left = QString::fromStdString(m_report.title);
        if (m_report.simulated)
            left += QStringLiteral("  ·  ") + text("simulated");
        const QString right = text("page", {std::to_string(i + 1), std::to_string(pages)});
        const double rightWidth = metrics.horizontalAdvance(right);
        left = metrics.elidedText(left, Qt::ElideRight, kTextWidth - rightWidth - 200);
        page.lines.push_back({{kSide, y}, left, m_small.font, m_report.simulated ? kSimulated : kGrey});
        page.lines.push_back({{kSide + kTextWidth - rightWidth, y}, right, m_small.font, kGrey});
        page.rules.push_back({{kSide, y + 40}, {kSide + kTextWidth, y + 40}, 5, kHair});
        if (!m_report.footer.empty())
            page.lines.push_back(
                {{kSide, kHeight - unitsFromMm(9)},
                 metrics.elidedText(QString::fromStdString(m_report.footer), Qt::ElideRight, kTextWidth),
                 m_small.font,
                 kGrey});
    }
}

} // namespace sb
