// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/path_facts.h"

#include "core/text.h"

#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <vector>

namespace sb {

class PathFactsReader::Private {
public:
    std::vector<std::unique_ptr<re2::RE2>> patterns;
    std::map<std::string, std::string> models;
};

PathFactsReader::PathFactsReader(const LogWords &words)
    : d(std::make_unique<Private>())
{
    for (const std::string &pattern : words.paths)
        if (auto compiled = std::make_unique<re2::RE2>(pattern, re2::RE2::Quiet); compiled->ok())
            d->patterns.push_back(std::move(compiled));
    d->models.insert(words.models.begin(), words.models.end());
}

PathFactsReader::~PathFactsReader() = default;

PathFacts PathFactsReader::read(std::string_view path) const
{
    PathFacts facts;
    for (const auto &pattern : d->patterns) {
        std::vector<re2::StringPiece> groups(static_cast<std::size_t>(pattern->NumberOfCapturingGroups()) +
                                             1);
        const re2::StringPiece text(path.data(), path.size());
        // The last place in the path counts: names of files say more than those of folders around them.
        std::size_t from = 0;
        bool any = false;
        std::vector<re2::StringPiece> last;
        while (from <= text.size() && pattern->Match(text, from, text.size(), re2::RE2::UNANCHORED,
                                                     groups.data(), static_cast<int>(groups.size()))) {
            last = groups;
            any = true;
            from = static_cast<std::size_t>(groups[0].data() - text.data()) +
                   std::max<std::size_t>(1, groups[0].size() - 1);
        }
        if (!any)
            continue;
        for (const auto &[name, number] : pattern->NamedCapturingGroups()) {
            const auto &group = last[static_cast<std::size_t>(number)];
            const std::string value = lowered({group.data(), group.size()});
            const int count = static_cast<int>(toInteger(value).value_or(0));
            if (name == "nodes")
                facts.nodes = count;
            else if (name == "per_node")
                facts.devicesPerNode = count;
            else if (name == "batch")
                facts.batch = count;
            else if (name == "run")
                facts.run = count;
            else if (name == "precision")
                facts.precision = value;
            else if (const auto known = d->models.find(value); name == "model")
                facts.model = known != d->models.end() ? known->second : value;
        }
    }
    return facts;
}

std::optional<std::string> patternFault(const std::string &pattern)
{
    const re2::RE2 compiled(pattern, re2::RE2::Quiet);
    if (!compiled.ok())
        return compiled.error();
    if (!compiled.NamedCapturingGroups().contains("rate"))
        return "it has no group (?P<rate>…) for the number";
    return std::nullopt;
}

} // namespace sb
