// SPDX-License-Identifier: GPL-3.0-or-later
// The lexical side of topology texts: lines without escapes, device names, headings, cells.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sb {

// Limits that bound time and memory for any input; what lies beyond is cut and reported.
inline constexpr std::size_t kMaxTopologyBytes = std::size_t{1} << 20U;
inline constexpr std::size_t kMaxTopologyDevices = 128;
inline constexpr std::size_t kMaxLineBytes = 8192;

// Terminal escapes ("ESC[4m", "ESC]0;…BEL") and other control characters but tab and newline removed;
// "\r\n" and a lone "\r" end a line.
std::string withoutEscapes(std::string_view text);

std::vector<std::string_view> linesOf(std::string_view text);

// Tokens separated by blanks.
std::vector<std::string_view> tokensOf(std::string_view text);

// Length of the GPU name ("GPU10", "PPU0") that `text` starts with; 0 when there is none.
std::size_t gpuNameLength(std::string_view text);

enum class AffinityColumn { Cpu, Numa, GpuNumaId };

struct TopologyHeader {
    std::vector<std::string> names; // GPUs and NICs, in order
    std::size_t gpuCount = 0;
    std::vector<AffinityColumn> affinities;
    bool tabbed = true;    // tabs between all names: then two words in one field of a row are a lost tab
    bool prefixed = false; // something stands before the first name, such as "node1: "
};

// "\tGPU0\tGPU1\tmlx5_0\tCPU Affinity"; also with the names glued together. Nothing when the line is no
// header: it starts with a row's name and link words, or names no GPU.
std::optional<TopologyHeader> readHeader(std::string_view line);

// "NV18", "PIX", "X", …: a word of the matrix as drivers print it.
bool isKnownLinkWord(std::string_view word);
// Cells that ran together or lost characters: "PIXNODE", "PH0-115". Words nobody knows are not garbled.
bool isGarbledLinkWord(std::string_view word);
// Capitals, then digits: makes a line that starts with a device's name a row. Garbled words count.
bool looksLikeLinkWord(std::string_view word);
// "0-11,24-35", "8", "N/A"
bool isAffinityValue(std::string_view token);

} // namespace sb
