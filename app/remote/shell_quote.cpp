// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/shell_quote.h"

#include <algorithm>
#include <cctype>

namespace sb {

namespace {

bool isPlain(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("_-./:=@%+,").find(c) != std::string_view::npos;
}

bool isIdentifier(const std::string &name)
{
    return !name.empty() && !std::isdigit(static_cast<unsigned char>(name.front())) &&
           std::all_of(name.begin(), name.end(),
                       [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
}

} // namespace

std::string shellQuote(std::string_view argument)
{
    // A leading "=" or "~" and the like mean something to some shells; "=" inside a word does not.
    const bool plain = !argument.empty() && argument.front() != '=' &&
                       std::all_of(argument.begin(), argument.end(), isPlain);
    if (plain)
        return std::string(argument);
    std::string quoted = "'";
    for (const char c : argument) {
        if (c == '\'')
            quoted += "'\\''";
        else if (c != '\0')
            quoted += c;
    }
    return quoted + "'";
}

std::string shellCommand(const std::vector<std::string> &argv)
{
    std::string text;
    for (const std::string &argument : argv) {
        if (!text.empty())
            text += ' ';
        text += shellQuote(argument);
    }
    return text;
}

std::string shellCommand(const std::map<std::string, std::string> &environment,
                         const std::vector<std::string> &argv)
{
    std::string text;
    for (const auto &[name, value] : environment)
        if (isIdentifier(name))
            text += name + "=" + (value.empty() ? "" : shellQuote(value)) + " ";
    return text + shellCommand(argv);
}

} // namespace sb
