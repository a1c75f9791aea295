// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of one shape: what is read by a shape must be what the patterns say of the line itself.
#include "catalog/line_shape.h"

#include "catalog/log_series.h"
#include "catalog/manifest.h"
#include "catalog/word_finder.h"
#include "session/log_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

namespace sb {
namespace {

const Catalog &catalog()
{
    static const Catalog read = readCatalog(SCALEBOARD_SOURCE "/plugins");
    return read;
}

std::vector<std::string> sampleLines()
{
    std::vector<std::string> lines;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(SCALEBOARD_SOURCE "/plugins"))
        if (entry.path().extension() == ".log") {
            std::ifstream file(entry.path());
            for (std::string line; std::getline(file, line);)
                lines.push_back(line);
        }
    return lines;
}

// Other digits at the same places.
std::string withDigitsTurned(std::string line, int by)
{
    for (char &c : line)
        if (c >= '0' && c <= '9')
            c = static_cast<char>('0' + (c - '0' + by) % 10);
    return line;
}

// All that a line says, as text.
std::string told(const LineSays &says, const std::string &line)
{
    const auto text = [](const auto &value) { return value ? std::to_string(*value) : std::string("-"); };
    std::string all = says.finished ? "finished;" : "";
    for (const LineMatch &match : says.matches) {
        const LineNumbers n = LineRules::numbersOf(match, line);
        all += std::to_string(match.format) + "." + std::to_string(match.rule) + " " +
               std::string(match.key) + " " + std::string(match.unit) + " " + text(n.value) + " " +
               text(n.step) + " " + text(n.last) + " " + text(n.count) + " " + text(n.loss) + " " +
               text(n.clockS) + " " + text(n.rank) + (match.each ? " each" : "") +
               (match.hasStep ? " step;" : ";");
    }
    if (says.head) {
        const LineHead head = LineHeadReader::headOf(line, *says.head);
        all +=
            text(head.rank) + std::string(head.host) + text(head.clockS) + "|" + std::string(head.rest) + ";";
    }
    for (const LineFacts &f : says.facts)
        all += std::to_string(f.batch) + "," + std::to_string(f.globalBatch) + "," + std::to_string(f.nodes) +
               "," + std::to_string(f.perNode) + "," + std::to_string(f.world) + ";";
    for (const int failure : says.failures)
        all += "failure " + std::to_string(failure) + ";";
    return all;
}

TEST(LooseDigits, TakesAnyDigitWhereThePatternTakesOne)
{
    EXPECT_EQ(withLooseDigits("signal 9"), "signal \\d");
    EXPECT_EQ(withLooseDigits("(?P<rate2>\\d{2,3}[0-9.]+) {1}"), "(?P<rate2>\\d{2,3}[0-9.]+) {1}");
    EXPECT_EQ(withLooseDigits("[1-9][5]x{2"), "[\\d][\\d]x{\\d");
    EXPECT_EQ(withLooseDigits("[]3]\\p{Lu}[[:alpha:]7]"), "[]\\d]\\p{Lu}[[:alpha:]\\d]");
    EXPECT_EQ(withLooseDigits("[^0-9]"), "[^0-9]");
    EXPECT_EQ(withLooseDigits("[^1]"), std::nullopt);
    EXPECT_EQ(withLooseDigits("[^1-3]"), std::nullopt);
    EXPECT_EQ(withLooseDigits("[+-5]"), std::nullopt);
    EXPECT_EQ(withLooseDigits("\\x31"), std::nullopt);
}

TEST(WordFinder, FindsEachWordOnceAlsoInsideOthers)
{
    WordFinder finder({"she", "he", "hers", "nccl"});
    std::vector<int> found;
    const auto in = [&](const char *text) {
        finder.find(text, found);
        std::sort(found.begin(), found.end());
        return found;
    };
    EXPECT_EQ(in("usHERS he"), (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(in("ncNCCL"), std::vector<int>{3});
    EXPECT_EQ(in("h e"), std::vector<int>());
}

// A pattern whose answer hangs on digits must not be answered from a shape.
TEST(LineShapes, DoNotHideWhatHangsOnADigit)
{
    const LogWords words = *catalog().words;
    const LineRules rules(words.formats, words);
    for (int turn = 0; turn < 4; ++turn) {
        EXPECT_TRUE(rules.read("worker ended by signal 7").failures.empty());
        EXPECT_FALSE(rules.read("worker ended by signal 9 ").failures.empty());
    }
}

TEST(LineShapes, SayWhatThePatternsSayOfEachLine)
{
    const LogWords words = *catalog().words;
    const auto formats = lineFormats(catalog().frameworks, words, {});
    const LineRules learning(formats, words), plain(formats, words, LineRules::Shapes::Ignore);
    const std::vector<std::string> lines = sampleLines();
    ASSERT_GT(lines.size(), 150U);
    for (const std::string &line : lines) {
        for (int by = 1; by <= 2; ++by)
            learning.read(withDigitsTurned(line, by));
        // The line itself, and one with nines turned to eights in it.
        for (const int by : {0, 9}) {
            const std::string turned = withDigitsTurned(line, by);
            EXPECT_EQ(told(learning.read(turned), turned), told(plain.read(turned), turned)) << turned;
        }
    }
}

} // namespace
} // namespace sb
