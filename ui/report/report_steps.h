// SPDX-License-Identifier: GPL-3.0-or-later
// Files of a report that take several turns to make, so that a window stays alive. Private to ui/report. UI
// thread: figures are drawn by a widget.
#pragma once

#include "core/result.h"
#include "report/background.h"
#include "report/report_pages.h"

#include <QBuffer>
#include <QByteArray>
#include <QPdfWriter>

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace sb {

// Nothing yet, or the file.
using Turn = Result<std::optional<QByteArray>>;

// Lays the pages out in a few turns, then draws a page a turn, then puts the bytes in order elsewhere.
class PdfMaker {
public:
    PdfMaker(const Report &report, const PageStyle &style)
        : m_report(report)
        , m_style(style)
    {
    }
    Turn turn();

private:
    const Report &m_report;
    const PageStyle &m_style;
    std::unique_ptr<ReportPages> m_pages;
    std::unique_ptr<ReportPdf> m_pdf;
    std::unique_ptr<Background<QByteArray>> m_ordering;
    int m_page = 0;
};

// Draws a figure a turn, then writes the text.
class HtmlMaker {
public:
    HtmlMaker(const Report &report, const PageStyle &style)
        : m_report(report)
        , m_style(style)
    {
    }
    Turn turn();

private:
    const Report &m_report;
    const PageStyle &m_style;
    std::map<std::string, std::string> m_figures; // by id
};

} // namespace sb
