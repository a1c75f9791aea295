// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/node_names.h"

#include "core/text.h"

#include <algorithm>

namespace sb {

namespace {

Error wrong(std::string_view text, const std::string &why)
{
    return {ErrorCode::BadInput, "\"" + validUtf8(text) + "\" is not the name of a node: " + why +
                                     " Write an alias of ssh_config, user@host:port or a range like "
                                     "node[01-16]."};
}

Result<int> parsePort(std::string_view text, std::string_view whole)
{
    const auto port = toInteger(text);
    if (!port || *port < 1 || *port > 65535)
        return wrong(whole, "the port must be a number from 1 to 65535.");
    return static_cast<int>(*port);
}

// Splits at blanks and at commas outside brackets.
std::vector<std::string_view> splitNames(std::string_view text)
{
    std::vector<std::string_view> names;
    int depth = 0;
    std::size_t start = 0;
    const auto take = [&](std::size_t end) {
        if (end > start)
            names.push_back(text.substr(start, end - start));
        start = end + 1;
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        depth += c == '[' ? 1 : c == ']' ? -1 : 0;
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ';' || (c == ',' && depth <= 0))
            take(i);
    }
    take(text.size());
    return names;
}

bool isDigits(std::string_view text)
{
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "01-03,7" → 01 02 03 7. Nothing when it is not a list of numbers.
std::optional<std::vector<std::string>> expandNumbers(std::string_view list)
{
    std::vector<std::string> numbers;
    for (const std::string_view part : split(list, ',')) {
        const std::size_t dash = part.find('-');
        const std::string_view first = part.substr(0, dash);
        const std::string_view last = dash == std::string_view::npos ? first : part.substr(dash + 1);
        if (!isDigits(first) || !isDigits(last) || first.size() > 9 || last.size() > 9)
            return std::nullopt;
        const auto from = toInteger(first);
        const auto to = toInteger(last);
        if (!from || !to || *to < *from || *to - *from >= kMostNodes)
            return std::nullopt;
        for (auto number = *from; number <= *to; ++number) {
            std::string digits = std::to_string(number);
            if (digits.size() < first.size())
                digits.insert(0, first.size() - digits.size(), '0');
            numbers.push_back(std::move(digits));
        }
    }
    return numbers;
}

// Expands the first range and what follows it.
Result<std::vector<std::string>> expandOne(std::string_view name)
{
    std::size_t open = name.find('[');
    const auto isAddress = [&] { // a bracket with a colon in it is an IPv6 address
        const std::size_t end = name.find(']', open);
        return end != std::string_view::npos &&
               name.substr(open, end - open).find(':') != std::string_view::npos;
    };
    while (open != std::string_view::npos && isAddress())
        open = name.find('[', open + 1);
    if (open == std::string_view::npos)
        return std::vector<std::string>{std::string(name)};
    const std::size_t close = name.find(']', open);
    const auto numbers = close == std::string_view::npos
                             ? std::nullopt
                             : expandNumbers(name.substr(open + 1, close - open - 1));
    if (!numbers)
        return wrong(name, "its range is not understood.");
    auto tails = expandOne(name.substr(close + 1));
    if (!tails)
        return tails.error();
    std::vector<std::string> names;
    for (const std::string &number : *numbers)
        for (const std::string &tail : *tails) {
            if (static_cast<int>(names.size()) >= kMostNodes)
                return wrong(name, "it stands for more than " + std::to_string(kMostNodes) + " nodes.");
            names.push_back(std::string(name.substr(0, open)) + number + tail);
        }
    return names;
}

} // namespace

Result<NodeAddress> parseNodeAddress(std::string_view text)
{
    std::string_view rest = trimmed(text);
    if (rest.starts_with("ssh://")) {
        rest.remove_prefix(6);
        if (rest.ends_with('/'))
            rest.remove_suffix(1);
    }
    NodeAddress address;
    // The last @: "me@corp@host" has the user "me@corp".
    if (const std::size_t at = rest.rfind('@'); at != std::string_view::npos) {
        address.user = std::string(rest.substr(0, at));
        if (address.user->empty())
            return wrong(text, "there is no user before the @.");
        rest.remove_prefix(at + 1);
    }
    if (rest.starts_with('[')) {
        const std::size_t close = rest.find(']');
        if (close == std::string_view::npos)
            return wrong(text, "the ] is missing.");
        address.host = std::string(rest.substr(1, close - 1));
        rest.remove_prefix(close + 1);
    } else {
        // More than one colon without brackets is a bare IPv6 address.
        const bool hasPort = std::count(rest.begin(), rest.end(), ':') == 1;
        const std::size_t end = hasPort ? rest.find(':') : rest.size();
        address.host = std::string(rest.substr(0, end));
        rest.remove_prefix(end);
    }
    if (!rest.empty()) {
        if (rest.front() != ':')
            return wrong(text, "only :port may follow the ].");
        const auto port = parsePort(rest.substr(1), text);
        if (!port)
            return port.error();
        address.port = *port;
    }
    if (address.host.empty())
        return wrong(text, "it is empty.");
    if (address.host.front() == '-' || (address.user && address.user->front() == '-'))
        return wrong(text, "it starts with a dash.");
    for (const std::string &part : {address.host, address.user.value_or("")})
        if (std::any_of(part.begin(), part.end(),
                        [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == 127; }))
            return wrong(text, "it has a blank or a control character.");
    if (address.host.find_first_of("'\"\\`$<>|;&(){}/?*!") != std::string::npos)
        return wrong(text, "it has a character that no host name has.");
    return address;
}

Result<std::vector<std::string>> expandNodeNames(std::string_view text)
{
    std::vector<std::string> names;
    for (const std::string_view word : splitNames(text)) {
        const auto expanded = expandOne(word);
        if (!expanded)
            return expanded.error();
        for (const std::string &name : *expanded) {
            if (const auto address = parseNodeAddress(name); !address)
                return address.error();
            if (std::find(names.begin(), names.end(), name) == names.end())
                names.push_back(name);
            if (static_cast<int>(names.size()) > kMostNodes)
                return wrong(text, "it stands for more than " + std::to_string(kMostNodes) + " nodes.");
        }
    }
    if (names.empty())
        return wrong(text, "it is empty.");
    return names;
}

} // namespace sb
