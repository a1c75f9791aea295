// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/topology_lines.h"

#include <algorithm>
#include <array>

namespace sb {

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isUpper(char c)
{
    return c >= 'A' && c <= 'Z';
}

bool isLower(char c)
{
    return c >= 'a' && c <= 'z';
}

bool isBlank(char c)
{
    return c == ' ' || c == '\t';
}

std::size_t digitsAt(std::string_view text, std::size_t from)
{
    std::size_t end = from;
    while (end < text.size() && isDigit(text[end]))
        ++end;
    return end - from;
}

// End of the escape sequence that starts at `at` (the ESC): CSI … final byte, OSC … BEL or ESC \, else two
// bytes.
std::size_t escapeEnd(std::string_view text, std::size_t at)
{
    if (at + 1 >= text.size())
        return text.size();
    const char kind = text[at + 1];
    std::size_t i = at + 2;
    if (kind == '[') {
        while (i < text.size() && (text[i] < '@' || text[i] > '~') && text[i] != '\n')
            ++i;
        return i < text.size() && text[i] != '\n' ? i + 1 : i;
    }
    if (kind == ']') {
        // An OSC that is never closed ends with its line, so that it cannot swallow the table.
        while (i < text.size() && text[i] != '\a' && text[i] != '\x1B' && text[i] != '\n')
            ++i;
        if (i < text.size() && text[i] == '\a')
            return i + 1;
        return i + 1 < text.size() && text[i] == '\x1B' && text[i + 1] == '\\' ? i + 2 : i;
    }
    if (kind == '(' || kind == ')')
        return std::min(i + 1, text.size());
    return kind == '\n' ? at + 1 : i;
}

// Length of "mlx5_0", "mlx5_bond_1" at the start of a text in which names may be glued; 0 when none.
std::size_t mlxNameLength(std::string_view text)
{
    if (!text.starts_with("mlx"))
        return 0;
    std::size_t i = 3;
    const std::size_t generation = digitsAt(text, i);
    i += generation;
    if (generation == 0 || i >= text.size() || text[i] != '_')
        return 0;
    ++i;
    if (text.substr(i).starts_with("bond_"))
        i += 5;
    else if (text.substr(i).starts_with("bond"))
        i += 4;
    const std::size_t number = digitsAt(text, i);
    return number == 0 ? 0 : i + number;
}

std::size_t nicNameLength(std::string_view text)
{
    if (!text.starts_with("NIC"))
        return 0;
    const std::size_t digits = digitsAt(text, 3);
    return digits == 0 || digits > 4 ? 0 : 3 + digits;
}

struct Heading {
    std::string_view first, second, third;
    AffinityColumn column;
};
constexpr std::array kHeadings{Heading{"CPU", "Affinity", "", AffinityColumn::Cpu},
                               Heading{"NUMA", "Affinity", "", AffinityColumn::Numa},
                               Heading{"GPU", "NUMA", "ID", AffinityColumn::GpuNumaId}};

std::size_t skipBlanks(std::string_view text, std::size_t at)
{
    while (at < text.size() && isBlank(text[at]))
        ++at;
    return at;
}

// End of the heading's words from `at`, with any blanks between them; 0 when they are not there.
std::size_t headingEnd(std::string_view text, std::size_t at, const Heading &heading)
{
    for (const std::string_view word : {heading.first, heading.second, heading.third}) {
        if (word.empty())
            continue;
        at = skipBlanks(text, at);
        if (!text.substr(at).starts_with(word))
            return 0;
        at += word.size();
    }
    return at;
}

// Position of the first GPU name that starts a token or follows another name.
std::size_t firstGpu(std::string_view line)
{
    for (std::size_t i = 0; i + 3 < line.size(); ++i) {
        const bool starts = i == 0 || isBlank(line[i - 1]) ||
                            std::string_view(":>]|").find(line[i - 1]) != std::string_view::npos;
        if (starts && gpuNameLength(line.substr(i)) > 0)
            return i;
    }
    return std::string_view::npos;
}

// An inline network card in the header is any token that looks like a device of Linux: "bnxt_re0", "hns_0".
bool looksLikeRdmaName(std::string_view token)
{
    if (token.size() < 3 || token.size() > 32 || !isLower(token[0]))
        return false;
    const bool digit = std::any_of(token.begin(), token.end(), isDigit);
    return digit && std::all_of(token.begin(), token.end(), [](char c) {
               return isLower(c) || isDigit(c) || isUpper(c) || c == '_' || c == '-' || c == '.';
           });
}

} // namespace

std::string withoutEscapes(std::string_view text)
{
    std::string clean;
    clean.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        if (c == '\x1B') {
            i = escapeEnd(text, i);
        } else if (c == '\r') {
            if (i + 1 >= text.size() || text[i + 1] != '\n')
                clean += '\n';
            ++i;
        } else {
            if (static_cast<unsigned char>(c) >= 0x20 || c == '\t' || c == '\n')
                clean += c;
            ++i;
        }
    }
    return clean;
}

std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto end = text.find('\n');
        lines.push_back(text.substr(0, std::min(end, kMaxLineBytes)));
        if (end == std::string_view::npos)
            break;
        text.remove_prefix(end + 1);
    }
    return lines;
}

std::vector<std::string_view> tokensOf(std::string_view text)
{
    std::vector<std::string_view> tokens;
    std::size_t i = skipBlanks(text, 0);
    while (i < text.size()) {
        std::size_t end = i;
        while (end < text.size() && !isBlank(text[end]))
            ++end;
        tokens.push_back(text.substr(i, end - i));
        i = skipBlanks(text, end);
    }
    return tokens;
}

std::size_t gpuNameLength(std::string_view text)
{
    // "GPU", and makers' own kinds: "PPU0", "NPU3".
    if (text.size() < 4 || !isUpper(text[0]) || text[1] != 'P' || text[2] != 'U' || text[0] == 'C')
        return 0;
    const std::size_t digits = digitsAt(text, 3);
    return digits == 0 || digits > 4 ? 0 : 3 + digits;
}

std::optional<TopologyHeader> readHeader(std::string_view line)
{
    const std::size_t start = firstGpu(line);
    if (start == std::string_view::npos)
        return std::nullopt;
    TopologyHeader header;
    header.prefixed = skipBlanks(line, 0) != start;
    std::size_t i = start;
    bool glued = false; // no blank since the name before
    while (true) {
        const std::size_t next = skipBlanks(line, i);
        glued = next == i && i != start;
        const bool separator = i != start && header.affinities.empty() && next < line.size();
        header.tabbed &= !separator || line.substr(i, next - i).find('\t') != std::string_view::npos;
        i = next;
        if (i >= line.size())
            break;
        const auto heading = std::find_if(kHeadings.begin(), kHeadings.end(),
                                          [&](const Heading &h) { return headingEnd(line, i, h) > 0; });
        if (heading != kHeadings.end()) {
            i = headingEnd(line, i, *heading);
            header.affinities.push_back(heading->column);
            if (header.affinities.size() > kHeadings.size())
                return std::nullopt;
            continue;
        }
        const std::string_view rest = line.substr(i);
        const std::size_t blank = std::min(rest.find_first_of(" \t"), rest.size());
        const std::size_t gpu = gpuNameLength(rest);
        std::size_t length = std::max({gpu, nicNameLength(rest), mlxNameLength(rest)});
        if (length == 0 && !glued && looksLikeRdmaName(rest.substr(0, blank)))
            length = blank;
        // Anything else means that this is a row, or prose that mentions a GPU.
        if (length == 0 || !header.affinities.empty() || header.names.size() >= kMaxTopologyDevices)
            return std::nullopt;
        header.names.emplace_back(rest.substr(0, length));
        header.gpuCount += gpu > 0 ? 1 : 0;
        i += length;
    }
    std::vector<std::string_view> sorted(header.names.begin(), header.names.end());
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
        return std::nullopt;
    return header;
}

bool isKnownLinkWord(std::string_view word)
{
    if (word.starts_with("NV"))
        return word.size() > 2 && word.size() <= 5 && digitsAt(word, 2) == word.size() - 2;
    static constexpr std::array<std::string_view, 14> kWords{
        "X", "PIX", "PXB", "PHB", "NODE", "SYS", "SOC", "OK", "NS", "CNS", "GNS", "TNS", "U", "XGMI"};
    return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

bool isGarbledLinkWord(std::string_view word)
{
    if (isKnownLinkWord(word))
        return false;
    if (word.size() > 16)
        return true;
    // A known word with something stuck to it is two cells run together: "PIXNODE", "NODE0", "XNV18".
    for (const std::string_view known : {"PIX", "PXB", "PHB", "NODE", "SYS", "SOC", "N/A"})
        if (word.find(known) != std::string_view::npos)
            return true;
    if (word.size() > 2 && (word.starts_with("NV") || word.starts_with("XNV")) && isDigit(word.back()))
        return true;
    // "NV1X", and a link word with a list of CPUs behind it: "PH0-115".
    if (word.starts_with("NV") && word.size() > 3 && isDigit(word[2]))
        return true;
    const bool list = word.find_first_of("-,") != std::string_view::npos;
    return list && std::any_of(word.begin(), word.end(), isDigit);
}

bool looksLikeLinkWord(std::string_view word)
{
    if (isKnownLinkWord(word) || isGarbledLinkWord(word))
        return true;
    std::size_t i = 0;
    while (i < word.size() && isUpper(word[i]))
        ++i;
    return i > 0 && i + digitsAt(word, i) == word.size();
}

bool isAffinityValue(std::string_view token)
{
    if (token == "N/A")
        return true;
    return !token.empty() && isDigit(token[0]) &&
           std::all_of(token.begin(), token.end(), [](char c) { return isDigit(c) || c == ',' || c == '-'; });
}

} // namespace sb
