// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report_steps.h"

#include "charts/pdf_bytes.h"
#include "report/report_drawing.h"
#include "report/report_texts.h"

#include <QRegularExpression>

namespace sb {

namespace {

constexpr double kScreenFigureMm = 174; // a web page has room
constexpr int kLogoPx = 120;

// The <svg> element without the prolog that only a file of its own may have, and with its size as a style:
// lengths with a unit are no attributes in HTML.
std::string svgElement(const QByteArray &file)
{
    static const QRegularExpression size(QStringLiteral("<svg width=\"([0-9.]+mm)\" height=\"[0-9.]+mm\""));
    const qsizetype start = file.indexOf("<svg");
    QString text = QString::fromUtf8(start < 0 ? file : file.mid(start));
    return text.replace(size, QStringLiteral("<svg style=\"width:\\1\"")).toStdString();
}

} // namespace

Turn PdfMaker::turn()
{
    if (!m_pages) {
        m_pages = std::make_unique<ReportPages>(m_report, m_style, ReportPages::InSlices());
        return std::optional<QByteArray>();
    }
    if (!m_pdf) {
        if (!m_pages->layOutMore())
            m_pdf = std::make_unique<ReportPdf>(*m_pages);
        return std::optional<QByteArray>();
    }
    if (m_page < m_pages->count()) {
        m_pdf->drawPage(m_page++);
        return std::optional<QByteArray>();
    }
    if (!m_ordering) {
        m_ordering =
            std::make_unique<Background<QByteArray>>([bytes = m_pdf->end()](const std::atomic<bool> &) {
                return Result<QByteArray>(canonicalPdf(bytes));
            });
        return std::optional<QByteArray>();
    }
    if (!m_ordering->done())
        return std::optional<QByteArray>();
    auto made = m_ordering->take();
    if (!made)
        return made.error();
    return std::optional(std::move(*made));
}

Turn HtmlMaker::turn()
{
    for (const ReportSection &section : m_report.sections)
        for (const ReportBlock &block : section.blocks) {
            const auto *figure = std::get_if<ReportFigure>(&block);
            if (!figure || m_figures.contains(figure->id))
                continue;
            const FigureStyle style{m_style.palette, kScreenFigureMm, m_style.fontFamily};
            const auto svg = ReportDrawing(m_report, *figure, style).file(FigureFormat::Svg);
            if (!svg)
                return svg.error();
            m_figures[figure->id] = svgElement(*svg);
            return std::optional<QByteArray>();
        }
    HtmlStyle style;
    style.logoBase64 = logoPng(m_style, kLogoPx).toBase64().toStdString();
    if (m_style.accent.isValid())
        style.accent = m_style.accent.name().toStdString();
    if (m_style.ink.isValid())
        style.ink = m_style.ink.name().toStdString();
    style.font = m_style.fontFamily.toStdString();
    return std::optional(QByteArray::fromStdString(reportHtml(
        m_report, [this](const ReportFigure &figure) { return m_figures[figure.id]; }, style)));
}

} // namespace sb
