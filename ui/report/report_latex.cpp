// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report_texts.h"

#include "core/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace sb {

namespace {

constexpr double kTextWidthMm = 174;
constexpr double kCharMm = 1.62; // of \footnotesize, on average
constexpr double kColumnGapMm = 3;

// What pdfTeX's usual fonts do not have under its own number. The spaces serve every engine.
constexpr std::array<std::pair<std::string_view, std::string_view>, 20> kSigns{{
    {"\u202F", "\\,"},
    {"\u00A0", "~"},
    {"–", "--"},
    {"—", "---"},
    {"×", "\\ensuremath{\\times}"},
    {"·", "\\textperiodcentered{}"},
    {"≤", "\\ensuremath{\\leq}"},
    {"≥", "\\ensuremath{\\geq}"},
    {"±", "\\ensuremath{\\pm}"},
    {"−", "\\ensuremath{-}"},
    {"µ", "\\ensuremath{\\mu}"},
    {"α", "\\ensuremath{\\alpha}"},
    {"β", "\\ensuremath{\\beta}"},
    {"→", "\\ensuremath{\\rightarrow}"},
    {"°", "\\textdegree{}"},
    {"†", "\\dag{}"},
    {"…", "\\dots{}"},
    {"“", "``"},
    {"”", "''"},
    {"’", "'"},
}};
constexpr std::size_t kSpaces = 2; // of them

std::string_view special(char c)
{
    switch (c) {
    case '\\':
        return "\\textbackslash{}";
    case '~':
        return "\\textasciitilde{}";
    case '^':
        return "\\textasciicircum{}";
    case '<':
        return "\\textless{}";
    case '>':
        return "\\textgreater{}";
    case '|':
        return "\\textbar{}";
    case '`':
        return "\\textasciigrave{}";
    case '\'':
        return "\\textquotesingle{}";
    case '"':
        return "\\char34{}";
    case '\n':
    case '\r':
    case '\t':
        return " ";
    default:
        return {};
    }
}

struct Latex {
    bool anyLetters = false; // letters beyond what pdfTeX has: XeTeX, with a font that has them

    std::string escaped(const std::string &text, bool breakable = false) const
    {
        std::string out;
        for (std::size_t i = 0; i < text.size(); ++i) {
            const char c = text[i];
            if (static_cast<unsigned char>(c) >= 0x80) {
                const auto sign = std::find_if(
                    kSigns.begin(), anyLetters ? kSigns.begin() + kSpaces : kSigns.end(),
                    [&](const auto &known) { return text.compare(i, known.first.size(), known.first) == 0; });
                if (sign != (anyLetters ? kSigns.begin() + kSpaces : kSigns.end())) {
                    out += sign->second;
                    i += sign->first.size() - 1;
                } else {
                    out += c;
                }
                continue;
            }
            if (const std::string_view written = special(c); !written.empty())
                out += written;
            else if (std::string_view("#$%&_{}").find(c) != std::string_view::npos)
                out += std::string("\\") + c;
            else
                out += c;
            if (c == '-' && i + 1 < text.size() && text[i + 1] == '-')
                out += "{}"; // two hyphens are not a dash
            if (breakable && std::string_view("/-_=,.:").find(c) != std::string_view::npos)
                out += "\\allowbreak{}";
        }
        return out;
    }

    std::string table(const ReportTable &table, ReportLanguage language) const;
    std::string block(const Report &report, const ReportBlock &block) const;
    std::string figures(const Report &report, std::vector<const ReportFigure *> &waiting,
                        const LatexFigures &how) const;
};

// Latin letters are one wide, others two.
double width(const std::string &text)
{
    double sum = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        sum += byte < 0x80 ? 1 : byte >= 0xE3 ? 2 : byte >= 0xC0 ? 1 : 0;
    }
    return sum;
}

// "l", "r" or "p{31mm}" for each column: text columns wrap where the row would be too long.
std::vector<std::string> columnSpecs(const ReportTable &table)
{
    const std::size_t n = table.columns.size();
    std::vector<double> natural(n, 0);
    double room = kTextWidthMm;
    for (std::size_t i = 0; i < n; ++i) {
        natural[i] = width(table.columns[i].title);
        for (const auto &row : table.rows)
            natural[i] = std::max(natural[i], width(row[i].text));
        natural[i] *= kCharMm;
        room -= kColumnGapMm + (table.columns[i].numeric ? natural[i] : 0);
    }
    std::vector<double> ascending;
    for (std::size_t i = 0; i < n; ++i)
        if (!table.columns[i].numeric)
            ascending.push_back(natural[i]);
    std::sort(ascending.begin(), ascending.end());
    double cap = 1e9;
    for (std::size_t i = 0; i < ascending.size(); ++i) {
        cap = std::max(room, 20.0) / static_cast<double>(ascending.size() - i);
        if (ascending[i] > cap)
            break;
        room -= ascending[i];
        cap = 1e9;
    }
    std::vector<std::string> specs;
    for (std::size_t i = 0; i < n; ++i)
        specs.push_back(table.columns[i].numeric ? "r"
                        : natural[i] <= cap      ? "l"
                                                 : ">{\\raggedright\\arraybackslash}p{" +
                                                  std::to_string(static_cast<int>(std::floor(cap))) + "mm}");
    return specs;
}

std::string Latex::table(const ReportTable &table, ReportLanguage language) const
{
    std::string out = "\\begin{longtable}{@{}" + join(columnSpecs(table), "") + "@{}}\n";
    const std::string columns = std::to_string(table.columns.size());
    out += "\\multicolumn{" + columns + "}{@{}l@{}}{\\textbf{" +
           escaped(reportText(language, "table", {std::to_string(table.number)})) + "\\quad " +
           escaped(table.title) + "}}\\\\[2pt]\n";
    std::string head = "\\hline\n";
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        head += (i ? " & " : "") + std::string("\\textbf{") + escaped(table.columns[i].title) + "}";
    head += "\\\\\n\\hline\\noalign{\\vskip 2pt}\n";
    out += head + "\\endfirsthead\n" + head + "\\endhead\n\\hline\n\\endfoot\n";
    for (const auto &row : table.rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            out += (i ? " & " : "") + escaped(row[i].text, !table.columns[i].numeric);
        out += "\\\\\n";
    }
    out += "\\end{longtable}\n";
    for (const std::string &note : table.notes)
        out += "\\reportnote{" + escaped(note) + "}\n";
    return out;
}

std::string Latex::block(const Report &report, const ReportBlock &block) const
{
    if (const auto *paragraph = std::get_if<ReportParagraph>(&block))
        return escaped(paragraph->text) + "\n";
    if (const auto *table = std::get_if<ReportTable>(&block))
        return (table->simulated ? "\\reportsimulated\n\n" : "") + this->table(*table, report.language);
    std::string out;
    if (const auto *bullets = std::get_if<ReportBullets>(&block)) {
        if (bullets->items.empty())
            return out;
        out = "\\begin{itemize}\n";
        for (const std::string &item : bullets->items)
            out += "\\item " + escaped(item) + "\n";
        return out + "\\end{itemize}\n";
    }
    if (const auto *listing = std::get_if<ReportListing>(&block)) {
        out = "\\reportlisting{" + escaped(listing->title, true) + "}{%\n";
        for (const std::string &line : listing->lines)
            out += escaped(line, true) + "\\par\n";
        return out + "}\n";
    }
    return out;
}

std::string Latex::figures(const Report &report, std::vector<const ReportFigure *> &waiting,
                           const LatexFigures &how) const
{
    std::string out;
    const auto perRow =
        static_cast<std::size_t>(std::max(1.0, std::floor((kTextWidthMm + 4) / (how.widthMm + 4))));
    const std::string width = std::to_string(static_cast<int>(how.widthMm)) + "mm";
    for (std::size_t i = 0; i < waiting.size(); ++i) {
        out += (i % perRow == 0 ? "\n\\noindent" : "\\hfill") +
               std::string("\\begin{minipage}[t]{" + width + "}\n") +
               "\\includegraphics[width=\\linewidth]{" + how.path(*waiting[i]) +
               "}\\\\\n\\textbf{\\footnotesize " +
               escaped(reportText(report.language, "figure", {std::to_string(waiting[i]->number)})) +
               "\\quad " + escaped(waiting[i]->title) + "}\n\\end{minipage}" +
               (i % perRow + 1 == perRow || i + 1 == waiting.size() ? "\n\n\\medskip\n" : "%\n");
    }
    waiting.clear();
    return out;
}

// Some text that neither ASCII nor kSigns covers.
bool hasAnyLetters(const Report &report)
{
    const std::string all = reportJson(report);
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (static_cast<unsigned char>(all[i]) < 0x80)
            continue;
        const auto sign = std::find_if(kSigns.begin(), kSigns.end(), [&](const auto &known) {
            return all.compare(i, known.first.size(), known.first) == 0;
        });
        if (sign == kSigns.end())
            return true;
        i += sign->first.size() - 1;
    }
    return false;
}

std::string preamble(const Report &report, const Latex &latex)
{
    std::string out = latex.anyLetters ? "% !TeX program = xelatex\n" : "% !TeX program = pdflatex\n";
    out += "\\documentclass[a4paper,10pt]{article}\n"
           "\\usepackage[a4paper,left=18mm,right=18mm,top=24mm,bottom=18mm]{geometry}\n";
    if (latex.anyLetters)
        out += "\\usepackage{fontspec}\n"
               "\\setmainfont{Noto Sans CJK SC}\n\\setmonofont{Noto Sans Mono CJK SC}\n"
               "\\XeTeXlinebreaklocale \"zh\"\n\\XeTeXlinebreakskip = 0pt plus 1pt minus 0.1pt\n";
    else
        out += "\\usepackage[utf8]{inputenc}\n\\usepackage{textcomp}\n";
    out += "\\usepackage{array}\n\\usepackage{longtable}\n\\usepackage{graphicx}\n\\usepackage{color}\n"
           "\\definecolor{simulated}{RGB}{100,56,168}\n"
           "\\setlength{\\parindent}{0pt}\n\\setlength{\\parskip}{4pt}\n\\setlength{\\tabcolsep}{1.5mm}\n"
           "\\setlength{\\LTleft}{0pt}\n\\setlength{\\LTright}{\\fill}\n\\emergencystretch=3em\n"
           "\\AddToHook{env/longtable/begin}{\\footnotesize}\n"
           "\\newcommand{\\reportnote}[1]{{\\scriptsize #1\\par}}\n"
           "\\newcommand{\\reportlisting}[2]{{\\footnotesize\\raggedright #1\\par "
           "\\leftskip=4mm\\ttfamily #2}}\n"
           "\\newcommand{\\reportsimulated}{{\\color{simulated}\\bfseries " +
           latex.escaped(reportText(report.language, "simulated")) + "}}\n";
    // With XeTeX, hyperref needs fonts that Chinese text does not.
    if (!latex.anyLetters)
        out += "\\usepackage[hidelinks,unicode]{hyperref}\n\\hypersetup{pdftitle={" +
               latex.escaped(report.title) + "}}\n";
    if (report.language == ReportLanguage::Chinese)
        out += "\\renewcommand{\\contentsname}{" + reportText(report.language, "contents") + "}\n";
    return out;
}

} // namespace

std::string reportLatex(const Report &report, const LatexFigures &figures)
{
    const Latex latex{report.language == ReportLanguage::Chinese || hasAnyLetters(report)};
    std::string out = preamble(report, latex);
    if (!figures.accent.empty())
        out += "\\definecolor{accent}{rgb}{" + figures.accent + "}\n";
    out += "\\begin{document}\n";
    if (!figures.logo.empty())
        out += "\\includegraphics[height=14mm]{" + figures.logo + "}\n\n";
    out += std::string("{\\LARGE") + (figures.accent.empty() ? "" : "\\color{accent}") + "\\bfseries " +
           latex.escaped(report.title) + "\\par}\n";
    if (!report.date.empty())
        out += latex.escaped(reportText(report.language, "date", {report.date})) + "\n\n";
    out += latex.escaped(report.provenance) + "\n\n";
    if (report.simulated)
        out += "\\reportsimulated\n\n";
    out += "\\tableofcontents\n";
    for (const ReportSection &section : report.sections) {
        out += "\n\\section{" + latex.escaped(section.title) + "}\n";
        std::vector<const ReportFigure *> waiting;
        for (const ReportBlock &block : section.blocks) {
            if (const auto *figure = std::get_if<ReportFigure>(&block)) {
                waiting.push_back(figure);
                continue;
            }
            out += latex.figures(report, waiting, figures) + latex.block(report, block) + "\n";
        }
        out += latex.figures(report, waiting, figures);
    }
    if (!report.footer.empty())
        out += "\n\\reportnote{" + latex.escaped(report.footer) + "}\n";
    return out + "\\end{document}\n";
}

} // namespace sb
