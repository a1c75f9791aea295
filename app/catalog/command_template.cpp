// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/command_template.h"

#include "core/text.h"

namespace sb {

const std::vector<std::string> &placeholderNames()
{
    static const std::vector<std::string> kNames{
        "program",       "device",         "precision",  "batch_size",    "steps",
        "warmup_steps",  "threads",        "data",       "rank",          "local_rank",
        "world_size",    "node_rank",      "nodes",      "master_addr",   "devices_per_node",
        "master_port",   "measured_steps", "workload",   "run_folder",    "global_batch",
        "plugin_folder", "files",          "rank_hosts", "source_folder", "node_addr",
        "node_hosts",    "node_endpoints"};
    return kNames;
}

namespace {

Result<std::string> valueOf(const std::string &name, const std::string &text, const PlaceholderValues &values)
{
    if (const auto value = values.find(name); value != values.end())
        return value->second;
    const auto closest = closestWord(name, placeholderNames());
    return Error{ErrorCode::BadInput, "\"" + text + "\" uses the unknown placeholder {" + name + "}" +
                                          (closest ? "; did you mean {" + *closest + "}?" : "")};
}

// "batch_size*devices_per_node", "batch_size*128": scripts count a batch in their own ways.
Result<std::string> product(const std::string &factors, const std::string &text,
                            const PlaceholderValues &values)
{
    std::int64_t result = 1;
    for (const std::string_view factor : split(factors, '*')) {
        auto number = toInteger(factor);
        if (!number) {
            const auto value = valueOf(std::string(factor), text, values);
            if (!value)
                return value.error();
            number = toInteger(*value);
        }
        if (!number || *number < 0 || __builtin_mul_overflow(result, *number, &result))
            return Error{ErrorCode::BadInput, "\"" + text + "\" multiplies " + std::string(factor) +
                                                  ", which is no number or too large a one"};
    }
    return std::to_string(result);
}

} // namespace

Result<std::string> expandTemplate(const std::string &text, const PlaceholderValues &values)
{
    std::string expanded;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if ((c == '{' || c == '}') && i + 1 < text.size() && text[i + 1] == c) {
            expanded += c;
            ++i;
            continue;
        }
        if (c != '{') {
            expanded += c;
            continue;
        }
        const std::size_t end = text.find('}', i);
        if (end == std::string::npos)
            return Error{ErrorCode::BadInput, "\"" + text + "\" has a \"{\" without \"}\""};
        const std::string name = text.substr(i + 1, end - i - 1);
        const auto value =
            name.find('*') == std::string::npos ? valueOf(name, text, values) : product(name, text, values);
        if (!value)
            return value;
        expanded += *value;
        i = end;
    }
    return expanded;
}

Result<std::vector<std::string>> expandCommand(const std::vector<std::string> &command,
                                               const std::vector<std::string> &workloadArguments,
                                               const PlaceholderValues &values,
                                               const std::vector<std::string> &switches)
{
    std::vector<std::string> templates;
    for (const std::string &argument : command) {
        if (argument == "{switches}")
            templates.insert(templates.end(), switches.begin(), switches.end());
        else if (argument == "{workload_arguments}")
            templates.insert(templates.end(), workloadArguments.begin(), workloadArguments.end());
        else
            templates.push_back(argument);
    }
    std::vector<std::string> expanded;
    for (const std::string &text : templates) {
        Result<std::string> argument = expandTemplate(text, values);
        if (!argument)
            return argument.error();
        expanded.push_back(*argument);
    }
    return expanded;
}

} // namespace sb
