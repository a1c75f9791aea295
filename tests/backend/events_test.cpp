// SPDX-License-Identifier: Apache-2.0
#include "events.h"

#include "process.h"

#include <gtest/gtest.h>
#include <limits>

namespace sbtrain::test {
namespace {

TEST(JsonLine, EscapesWhatJsonDoesNotAllow)
{
    const std::string line = JsonLine().text("key", "a\"b\\c\nd\x01").str();
    EXPECT_EQ(line, "{\"key\":\"a\\\"b\\\\c\\u000ad\\u0001\"}");
    EXPECT_EQ(parse_json_line(line)->at("key"), "a\"b\\c\nd\x01");
}

TEST(JsonLine, KeepsUtf8AndReplacesWhatIsNot)
{
    EXPECT_EQ(JsonLine().text("k", "Z\xC3\xBCrich \xE2\x82\xAC \xF0\x9F\x98\x80").str(),
              "{\"k\":\"Z\xC3\xBCrich \xE2\x82\xAC \xF0\x9F\x98\x80\"}");
    // A lone byte, a cut character, an overlong one, half a surrogate pair.
    EXPECT_EQ(JsonLine().text("k", "\xFF").str(), "{\"k\":\"\xEF\xBF\xBD\"}");
    EXPECT_EQ(JsonLine().text("k", "a\xE2\x82").str(), "{\"k\":\"a\xEF\xBF\xBD\xEF\xBF\xBD\"}");
    EXPECT_EQ(JsonLine().text("k", "\xC0\x80").str(), "{\"k\":\"\xEF\xBF\xBD\xEF\xBF\xBD\"}");
    EXPECT_EQ(JsonLine().text("k", "\xED\xA0\x80").str(), "{\"k\":\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"}");
}

TEST(JsonLine, WritesNumbersThatJsonKnows)
{
    EXPECT_EQ(JsonLine().number("a", 6.90775527898).fixed("b", 1.0 / 3.0, 3).integer("c", -4).str(),
              "{\"a\":6.907755,\"b\":0.333,\"c\":-4}");
    EXPECT_EQ(JsonLine()
                  .number("a", std::numeric_limits<double>::quiet_NaN())
                  .fixed("b", std::numeric_limits<double>::infinity(), 2)
                  .str(),
              "{\"a\":null,\"b\":null}");
}

} // namespace
} // namespace sbtrain::test
