// SPDX-License-Identifier: GPL-3.0-or-later
// Files that may come from strangers, and what users type. The first byte chooses the reader.
#include "fuzz_check.h"

#include "catalog/plan_file.h"
#include "core/json.h"
#include "core/reference.h"
#include "core/report_template.h"
#include "core/result_file.h"
#include "remote/host_keys.h"
#include "remote/node_names.h"
#include "remote/ssh_config.h"

namespace sb::fuzz {
namespace {

void readJson(std::string_view text)
{
    if (const auto root = parseJson(text, "fuzz")) {
        const std::string once = writeJson(*root);
        const auto again = parseJson(once, "fuzz");
        require(again && writeJson(*again) == once);
    }
}

void readAPlan(std::string_view text)
{
    if (const auto plan = readPlan(text, "fuzz")) {
        const auto again = readPlan(writePlan(*plan), "fuzz");
        require(again && *again == *plan);
        require(!checkPlan(*plan, {})); // no frameworks, no good plan
    }
}

void readSomeResults(std::string_view text)
{
    if (const auto results = readResults(text, "fuzz"))
        for (const CaseResult &result : *results)
            require(result.key.devices() > 0 && result.throughput > 0);
}

void readPublished(std::string_view text)
{
    if (const auto set = parseReference(text, "fuzz")) {
        for (const ReferenceSeries &series : set->series)
            referenceResults(*set, series);
        checkSpeedups(*set);
        referenceConflicts(*set);
    }
}

void readNames(std::string_view text)
{
    if (const auto names = expandNodeNames(text)) {
        require(names->size() <= 1000);
        for (const std::string &name : *names)
            require(bool(parseNodeAddress(name)));
    }
}

void readHostKey(std::string_view text)
{
    if (const auto key = hostKeyFromBase64(text)) {
        require(!hostKeyFingerprint(*key).empty());
        hostKeyTitle(*key);
        hostKeyArt(*key);
    }
}

void matchPatterns(std::string_view text)
{
    const std::size_t middle = text.find('\n');
    if (middle != std::string_view::npos)
        matchesPatternList(text.substr(0, middle), text.substr(middle + 1));
}

} // namespace
} // namespace sb::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace sb::fuzz;
    if (size == 0)
        return 0;
    const std::string_view text = textOf(data + 1, size - 1);
    switch (data[0]) {
    case 'j':
        readJson(text);
        break;
    case 'p':
        readAPlan(text);
        break;
    case 'r':
        readSomeResults(text);
        break;
    case 'd':
        readPublished(text);
        break;
    case 't':
        static_cast<void>(sb::parseReportTemplate(text, "fuzz"));
        break;
    case 'n':
        readNames(text);
        break;
    case 'k':
        readHostKey(text);
        break;
    case 'm':
        matchPatterns(text);
        break;
    default:
        break;
    }
    return 0;
}
