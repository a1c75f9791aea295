// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/topology_row.h"

#include "core/text.h"

#include <algorithm>

namespace sb {

namespace {

using Tokens = std::vector<std::string_view>;

// "0, 2, 4" is one list although it has blanks.
Tokens joinLists(const Tokens &tokens)
{
    Tokens joined;
    for (const std::string_view token : tokens) {
        if (!joined.empty() && joined.back().ends_with(',') && isAffinityValue(joined.back()) &&
            isAffinityValue(token))
            joined.back() = {joined.back().data(),
                             static_cast<std::size_t>(token.data() + token.size() - joined.back().data())};
        else
            joined.push_back(token);
    }
    return joined;
}

// A field of a tab-separated row that holds two cells, as in "\t X NODE\t": a lost tab. Rows that use blanks
// as separators have many of those and mean nothing by it.
bool hasMergedField(std::string_view rest)
{
    std::size_t single = 0;
    std::size_t merged = 0;
    for (const std::string_view field : split(rest, '\t')) {
        const Tokens tokens = tokensOf(field);
        if (tokens.empty() || isAffinityValue(tokens[0]))
            continue;
        if (tokens.size() == 1)
            ++single;
        else
            ++merged;
    }
    return merged > 0 && single >= 3 * merged;
}

struct Links {
    Tokens words;               // tokens before the first affinity
    std::size_t firstBad = 0;   // index of the first garbled word, or words.size()
    bool selfInPlace = false;   // the X stands in the row's own column
    bool selfElsewhere = false; // an X stands in another
};

Links linksOf(const Tokens &tokens, const TopologyHeader &header, std::size_t self)
{
    Links links;
    for (const std::string_view token : tokens) {
        if (isAffinityValue(token))
            break;
        links.words.push_back(token);
    }
    links.firstBad = static_cast<std::size_t>(
        std::find_if(links.words.begin(), links.words.end(), isGarbledLinkWord) - links.words.begin());
    for (std::size_t i = 0; i < std::min(links.words.size(), header.names.size()); ++i) {
        if (links.words[i] == "X")
            (i == self ? links.selfInPlace : links.selfElsewhere) = true;
    }
    return links;
}

// Cells split at single tabs, when that explains the row: the empty ones are those that are missing.
bool readByTabs(std::string_view rest, std::size_t missing, std::size_t self, MatrixRow &row)
{
    std::vector<std::string_view> fields = split(rest, '\t');
    if (!fields.empty() && trimmed(fields.front()).empty())
        fields.erase(fields.begin());
    const std::size_t columns = row.cells.size();
    if (fields.size() < columns || trimmed(fields[self]) != "X")
        return false;
    std::size_t empty = 0;
    for (std::size_t i = 0; i < columns; ++i) {
        const Tokens tokens = tokensOf(fields[i]);
        if (tokens.size() > 1 ||
            (tokens.size() == 1 && (isGarbledLinkWord(tokens[0]) || isAffinityValue(tokens[0]))))
            return false;
        empty += tokens.empty() ? 1 : 0;
    }
    if (empty != missing)
        return false;
    for (std::size_t i = 0; i < columns; ++i)
        if (const std::string_view word = trimmed(fields[i]); !word.empty())
            row.cells[i] = {validUtf8(word), CellState::Read};
    row.damage = missing == 1 ? "a cell is empty" : std::to_string(missing) + " cells are empty";
    return true;
}

void keepPrefix(const Links &links, std::size_t self, MatrixRow &row)
{
    std::size_t end = std::min(links.firstBad, row.cells.size());
    if (links.selfElsewhere)
        end = 0;
    else if (self < end && !links.selfInPlace)
        end = 0;
    else if (links.firstBad == links.words.size() && links.words.size() != row.cells.size())
        end = links.selfInPlace ? std::min(self + 1, end) : 0; // a cell is gone, nobody knows where
    for (std::size_t i = 0; i < end; ++i)
        row.cells[i] = {validUtf8(links.words[i]), CellState::Read};
}

std::string damageText(const Links &links, std::size_t columns, bool mergedField)
{
    if (links.firstBad < links.words.size())
        return "\"" + validUtf8(links.words[links.firstBad].substr(0, 24)) + "\" is two cells run together";
    if (mergedField)
        return "two cells stand in one field; a tab is lost";
    if (links.words.size() != columns)
        return std::to_string(links.words.size()) + " cells where the header has " + std::to_string(columns);
    return "the X does not stand in the row's own column";
}

// The driver prints "CPU \t NUMA \t\t ID"; the doubled tab is padding. Empty cells can be told by counting
// tabs only, so that is tried first.
void readAffinities(std::string_view tail, const Tokens &values, const TopologyHeader &header, MatrixRow &row)
{
    const std::size_t columns = header.affinities.size();
    std::vector<std::string> found(columns);
    if (values.size() == columns) {
        for (std::size_t i = 0; i < columns; ++i)
            found[i] = validUtf8(values[i]);
    } else {
        std::vector<std::string_view> fields = split(tail, '\t');
        if (!fields.empty() && trimmed(fields.front()).empty())
            fields.erase(fields.begin());
        const bool padded = columns == 3 && fields.size() >= 4 && trimmed(fields[2]).empty();
        if (fields.size() == columns || padded) {
            for (std::size_t i = 0; i < columns; ++i)
                found[i] = validUtf8(trimmed(fields[padded && i == 2 ? 3 : i]));
        } else if (!values.empty()) {
            // "N/A" alone is the last column's; lists fill from the left.
            std::size_t count = std::min(values.size(), columns);
            if (columns == 3 && values[count - 1] == "N/A" && count < columns)
                found[2] = std::string(values[--count]);
            for (std::size_t i = 0; i < count; ++i)
                found[i] = validUtf8(values[i]);
        }
    }
    for (std::size_t i = 0; i < columns; ++i) {
        auto &target = header.affinities[i] == AffinityColumn::Cpu    ? row.cpuAffinity
                       : header.affinities[i] == AffinityColumn::Numa ? row.numaAffinity
                                                                      : row.gpuNumaId;
        target = found[i];
    }
}

} // namespace

MatrixRow readMatrixRow(std::string_view rest, const TopologyHeader &header, std::size_t self)
{
    const std::size_t columns = header.names.size();
    MatrixRow row;
    row.cells.assign(columns, {{}, CellState::Unreadable});
    const Tokens tokens = joinLists(tokensOf(rest));
    const Links links = linksOf(tokens, header, self);
    const bool merged = header.tabbed && hasMergedField(rest);
    const bool inPlace = !links.selfElsewhere || links.selfInPlace;
    if (links.words.size() == columns && links.firstBad == columns && inPlace && !merged) {
        for (std::size_t i = 0; i < columns; ++i)
            row.cells[i] = {validUtf8(links.words[i]), CellState::Read};
        const char *end = columns == 0 ? rest.data() : links.words.back().data() + links.words.back().size();
        const std::string_view tail = rest.substr(static_cast<std::size_t>(end - rest.data()));
        const Tokens values(tokens.begin() + static_cast<std::ptrdiff_t>(columns), tokens.end());
        TopologyHeader known = header;
        const bool plain = std::all_of(values.begin(), values.end(), isAffinityValue);
        if (header.affinities.empty() && plain && values.size() <= 3 && !values.empty()) {
            // The headings are cut off, but their order is always the same.
            known.affinities = {AffinityColumn::Cpu, AffinityColumn::Numa, AffinityColumn::GpuNumaId};
            known.affinities.resize(values.size());
        }
        readAffinities(tail, values, known, row);
        return row;
    }
    if (links.words.size() < columns && links.firstBad == links.words.size() &&
        readByTabs(rest, columns - links.words.size(), self, row))
        return row;
    keepPrefix(links, self, row);
    row.damage = damageText(links, columns, merged);
    return row;
}

} // namespace sb
