// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report_pages.h"

#include "charts/pdf_bytes.h"
#include "report/page_setter.h"
#include "report/report_drawing.h"
#include "report/report_logo.h"
#include "report/report_texts.h"

#include <QApplication>
#include <QBuffer>
#include <QFontDatabase>
#include <QFontMetricsF>
#include <QPainter>
#include <QPdfWriter>
#include <QRawFont>
#include <QSet>
#include <QTextLayout>

#include <cmath>

namespace sb {

ReportPages::ReportPages(const Report &report, const PageStyle &style)
    : ReportPages(report, style, InSlices())
{
    while (layOutMore()) {
    }
}

ReportPages::ReportPages(const Report &report, const PageStyle &style, InSlices)
    : m_report(report)
    , m_style(style)
    , m_setter(std::make_unique<PageSetter>(*this))
{
}

ReportPages::~ReportPages() = default;

bool ReportPages::layOutMore()
{
    if (m_setter && !m_setter->next())
        m_setter.reset();
    return m_setter != nullptr;
}

std::optional<int> ReportPages::pageOf(const std::string &sectionId) const
{
    const auto found = m_firstPages.find(sectionId);
    return found == m_firstPages.end() ? std::nullopt : std::optional(found->second);
}

QSizeF ReportPages::pageSize()
{
    return {unitsFromMm(210), unitsFromMm(297)};
}

void ReportPages::draw(DocumentPainter &painter, int page) const
{
    const Page &content = m_pages.at(static_cast<std::size_t>(page));
    QPainter &p = painter.painter();
    p.setRenderHint(QPainter::Antialiasing);
    for (const Picture &picture : content.pictures)
        ReportDrawing(m_report, *picture.figure, picture.style).draw(painter, picture.corner);
    if (!content.logo.isEmpty())
        paintLogo(p, m_style.logo, content.logo);
    for (const Rule &rule : content.rules) {
        p.setPen(QPen(rule.colour, rule.width));
        p.drawLine(rule.from, rule.to);
    }
    for (const Line &line : content.lines) {
        p.setFont(line.font);
        p.setPen(line.colour);
        p.drawText(line.baseline, line.text);
    }
}

QImage ReportPages::image(int page, int widthPx) const
{
    const QSizeF size = pageSize();
    const double scale = widthPx / size.width();
    QImage image(widthPx, static_cast<int>(std::lround(size.height() * scale)), QImage::Format_RGB32);
    image.fill(Qt::white);
    DocumentPainter painter(&image);
    painter.painter().scale(scale, scale);
    draw(painter, page);
    painter.end();
    return image;
}

QByteArray ReportPages::pdf() const
{
    ReportPdf pdf(*this);
    for (int page = 0; page < count(); ++page)
        pdf.drawPage(page);
    return canonicalPdf(pdf.end());
}

class ReportPdf::Private {
public:
    explicit Private(const ReportPages &shown)
        : pages(shown)
    {
        buffer.open(QIODevice::WriteOnly);
        writer = std::make_unique<QPdfWriter>(&buffer);
        writer->setResolution(static_cast<int>(kUnitsPerInch));
        writer->setTitle(QString::fromStdString(pages.title()));
        writer->setCreator(QStringLiteral("Scaleboard"));
        writer->setPageSize(QPageSize(QPageSize::A4));
        writer->setPageMargins(QMarginsF());
        painter = std::make_unique<DocumentPainter>(writer.get());
    }

    const ReportPages &pages;
    QByteArray bytes;
    QBuffer buffer{&bytes};
    std::unique_ptr<QPdfWriter> writer;
    std::unique_ptr<DocumentPainter> painter; // of the writer
    bool first = true;
};

ReportPdf::ReportPdf(const ReportPages &pages)
    : d(std::make_unique<Private>(pages))
{
}

ReportPdf::~ReportPdf() = default;

void ReportPdf::drawPage(int page)
{
    if (!d->first)
        d->writer->newPage();
    d->first = false;
    d->pages.draw(*d->painter, page);
}

QByteArray ReportPdf::end()
{
    d->painter->end();
    d->painter.reset();
    d->writer.reset();
    d->buffer.close();
    return d->bytes;
}

QString missingGlyphs(const Report &report, const QString &fontFamily)
{
    QFont font = QApplication::font();
    if (!fontFamily.isEmpty())
        font.setFamily(fontFamily);
    QSet<QString> asked;
    QString missing;
    // Every text of the report stands in its JSON.
    const QString all = QString::fromStdString(reportJson(report));
    for (qsizetype i = 0; i < all.size(); ++i) {
        const qsizetype length = all[i].isHighSurrogate() && i + 1 < all.size() ? 2 : 1;
        const QString one = all.mid(i, length);
        i += length - 1;
        if (one[0].unicode() < 0x80 || asked.contains(one))
            continue;
        asked.insert(one);
        QTextLayout layout(one, font);
        layout.beginLayout();
        layout.createLine();
        layout.endLayout();
        for (const QGlyphRun &run : layout.glyphRuns())
            if (run.glyphIndexes().contains(0U)) {
                missing += one;
                break;
            }
    }
    return missing;
}

} // namespace sb
