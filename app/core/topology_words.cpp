// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/topology_words.h"

#include "core/text.h"

#include <algorithm>
#include <array>
#include <optional>

namespace sb {

namespace {

struct Words {
    std::string_view key, english, chinese;
};

constexpr std::array kWords{
    Words{"topo.one", "One GPU: there is nothing to link.", "只有一块 GPU，没有链路可言。"},
    Words{"topo.none", "No GPU was found.", "没有发现 GPU。"},
    Words{"topo.one_island", "All %1 GPUs are one island.", "全部 %1 块 GPU 是一个岛。"},
    Words{"topo.one_island_two", "The two GPUs are one island.", "两块 GPU 是一个岛。"},
    Words{"topo.alike_two", "The two GPUs are linked over %2.", "两块 GPU 经 %2 相连。"},
    Words{"topo.every_pair", "Every pair has %1 links (%2); no all-reduce inside the node leaves them.",
          "每对之间都有 %1 条链路（%2）；节点内的 all-reduce 不会离开这些链路。"},
    Words{"topo.every_pair_fast", "Every pair has a direct fast link, but not all are equally wide.",
          "每对之间都有直接的高速链路，但宽度不全相同。"},
    Words{"topo.alike", "All %1 GPUs are linked alike: every pair is %2.",
          "全部 %1 块 GPU 连接方式相同：每对都是 %2。"},
    Words{"topo.islands", "%1 are %2 islands.", "%1 是%2个岛。"},
    Words{"topo.inside_fast", "Every pair inside one has %1;", "岛内每对都有 %1；"},
    Words{"topo.inside_class", "Inside one the way is %1 at worst;", "岛内最差为 %1；"},
    Words{"topo.join", "only %1 pairs join them, and %2 of %3 pairs are %4 (%5).",
          "只有%1对把它们连起来；%3 对中有 %2 对%4（%5）。"},
    Words{"topo.join_one", "only one pair joins them, and %1 of %2 pairs are %3 (%4).",
          "只有一对把它们连起来；%2 对中有 %1 对%3（%4）。"},
    Words{"topo.join_none", "no such link joins them, and %1 of %2 pairs are %3 (%4).",
          "它们之间没有这样的链路；%2 对中有 %1 对%3（%4）。"},
    Words{"topo.join_pcie", "%1 of %2 pairs are %3 (%4).", "%2 对中有 %1 对%3（%4）。"},
    Words{"topo.island", "%1 are one island.", "%1 是一个岛。"},
    Words{"topo.alone_many", "%1 have no fast link to any other GPU.", "%1 与其他 GPU 之间没有高速链路。"},
    Words{"topo.alone", "%1 has no fast link to any other.", "%1 与其他 GPU 之间没有高速链路。"},
    Words{"topo.ring", "An all-reduce over %1 can avoid %2:", "%1 卡 all-reduce 可避开 %2："},
    Words{"topo.ring_is", "one ring of %1 links, %2.", "存在一个 %1 链路的环 %2。"},
    Words{"topo.ring_two", "one ring of %1 links, %2, and one of %3 links, %4.",
          "存在一个 %1 链路的环 %2，以及一个 %3 链路的环 %4。"},
    Words{"topo.crosses", "An all-reduce over %1 crosses %2.", "%1 卡 all-reduce 必须经过 %2。"},
    Words{"topo.unknown_pair",
          "Islands and rings cannot be told: the link between %1 and %2 could not be read.",
          "无法判断岛和环：%1 与 %2 之间的链路无法读取。"},
    Words{"topo.nvlink_unknown", "NVLink is not known from this source.", "此来源不含 NVLink 信息。"},
    Words{"topo.p2p_all", "Every GPU can reach every other directly.", "每块 GPU 都能直接访问其他 GPU。"},
    Words{"topo.p2p_some", "%1 of %2 pairs can reach each other directly; the others go through host memory.",
          "%2 对中有 %1 对可以直接互访；其余需经过主机内存。"},
    Words{"topo.p2p_no", "No pair of GPUs can reach each other directly; all copies go through host memory.",
          "没有任何一对 GPU 可以直接互访；所有拷贝都经过主机内存。"},
    Words{"topo.nic_beside", "%1 sits beside %2.", "%1 紧邻 %2。"},
    Words{"topo.nic_far", "%1 reach it over %2.", "%1 经 %2 到达它。"},
    Words{"topo.nic_far_one", "%1 reaches it over %2.", "%1 经 %2 到达它。"},
    Words{"topo.nic_far_named_one", "%1 reaches %3 over %2.", "%1 经 %2 到达 %3。"},
    Words{"topo.nic_far_named", "%1 reach %3 over %2.", "%1 经 %2 到达 %3。"},
    Words{"topo.nic_each", "Each GPU has a network card of its own behind one PCIe switch.",
          "每块 GPU 在同一个 PCIe 交换机后都有自己的网卡。"},
    Words{"topo.nic_each_known",
          "Each GPU has a network card of its own behind one PCIe switch, as far as the text tells:",
          "就文本所示，每块 GPU 在同一个 PCIe 交换机后都有自己的网卡："},
    Words{"topo.nic_unread", "the nearest card of %1 could not be read.", "%1 最近的网卡无法读取。"},
    Words{"topo.nic_alike", "No network card is nearer to one GPU than to another.",
          "没有哪块网卡离某块 GPU 更近。"},
    Words{"topo.nic_nearest", "Nearest network card: %1.", "最近的网卡：%1。"},
    Words{"reason.beside", "beside %1", "紧邻 %1"},
    Words{"reason.all_beside", "all beside %1", "都紧邻 %1"},
    Words{"reason.both_beside", "both beside %1", "均紧邻 %1"},
    Words{"reason.any", "all alike", "均相同"},
    Words{"reason.island", "one island", "同一个岛"},
    Words{"reason.links", "%1 links in all", "共 %1 条链路"},
    Words{"reason.every", "%1 between all", "两两之间 %1"},
    Words{"reason.word", "%1", "%1"},
    Words{"reason.all", "all", "全部"},
    Words{"reason.ring", "%1 ring", "%1 环"},
    Words{"reason.worst", "%1 at worst", "最差 %1"},
    Words{"reason.numa", "one NUMA node", "同一 NUMA 节点"},
    Words{"fabric.nvlink", "NVLink", "NVLink"},
    Words{"fabric.other", "a direct fast link", "直接高速链路"},
    Words{"class.pix", "over at most one PCIe bridge", "只经一个 PCIe 桥"},
    Words{"class.pxb", "over several PCIe bridges", "经多个 PCIe 桥"},
    Words{"class.phb", "over a PCIe host bridge", "经 PCIe 主桥"},
    Words{"class.pcie", "over PCIe", "经 PCIe"},
    Words{"class.node", "between host bridges of a NUMA node", "在同一 NUMA 节点的主桥之间"},
    Words{"class.sys", "across the sockets", "跨 CPU 插槽"},
    Words{"class.unknown", "of a kind not known here", "类型未知"},
};

constexpr std::array<std::string_view, 13> kEnglishNumbers{
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"};
constexpr std::array<std::string_view, 13> kChineseNumbers{"零", "一", "两", "三", "四",   "五",  "六",
                                                           "七", "八", "九", "十", "十一", "十二"};

std::string numberWord(std::string_view digits, WordLanguage language)
{
    const auto number = toInteger(digits);
    if (!number || *number < 0 || *number >= static_cast<std::int64_t>(kEnglishNumbers.size()))
        return std::string(digits);
    const auto index = static_cast<std::size_t>(*number);
    return std::string(language == WordLanguage::English ? kEnglishNumbers[index] : kChineseNumbers[index]);
}

std::string phrase(std::string_view key, WordLanguage language)
{
    const auto found =
        std::find_if(kWords.begin(), kWords.end(), [&](const Words &words) { return words.key == key; });
    if (found == kWords.end())
        return std::string(key);
    return std::string(language == WordLanguage::English ? found->english : found->chinese);
}

// "@key" → its phrase; "#4" → "four"; "&A|B" → "A and B"; else as it is.
std::string argumentText(const std::string &argument, WordLanguage language)
{
    if (argument.starts_with('@'))
        return phrase(std::string_view(argument).substr(1), language);
    if (argument.starts_with('#'))
        return numberWord(std::string_view(argument).substr(1), language);
    if (argument.starts_with('&')) {
        std::string text;
        const auto parts = split(std::string_view(argument).substr(1), '|');
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (i > 0)
                text += i + 1 == parts.size() ? (language == WordLanguage::English ? " and " : " 与 ")
                                              : (language == WordLanguage::English ? ", " : "、");
            text += parts[i];
        }
        return text;
    }
    return argument;
}

struct Numbered {
    std::string_view stem;
    std::optional<std::int64_t> number;
};

Numbered numbered(std::string_view name)
{
    std::size_t at = name.size();
    while (at > 0 && name[at - 1] >= '0' && name[at - 1] <= '9')
        --at;
    return {name.substr(0, at), toInteger(name.substr(at))};
}

std::vector<std::string> ranges(const std::vector<std::string> &names)
{
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < names.size();) {
        const Numbered first = numbered(names[i]);
        std::size_t end = i + 1;
        while (end < names.size() && first.number) {
            const Numbered next = numbered(names[end]);
            if (next.stem != first.stem || !next.number ||
                *next.number != *first.number + static_cast<std::int64_t>(end - i))
                break;
            ++end;
        }
        std::string part = names[i];
        if (end - i > 1)
            part += "–" + std::to_string(*first.number + static_cast<std::int64_t>(end - i - 1));
        parts.push_back(std::move(part));
        i = end;
    }
    return parts;
}

} // namespace

std::string sentenceText(const Sentence &sentence, WordLanguage language)
{
    const std::string pattern = phrase(sentence.key, language);
    std::string text;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] == '%' && i + 1 < pattern.size() && pattern[i + 1] >= '1' && pattern[i + 1] <= '9') {
            const auto index = static_cast<std::size_t>(pattern[++i] - '1');
            if (index < sentence.arguments.size())
                text += argumentText(sentence.arguments[index], language);
        } else {
            text += pattern[i];
        }
    }
    return text;
}

std::string nameRanges(const std::vector<std::string> &names)
{
    return join(ranges(names), ", ");
}

} // namespace sb
