// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json.h"

#include <gtest/gtest.h>

namespace sb {
namespace {

std::string messageOf(const char *text)
{
    const auto parsed = parseJson(text, "f.json");
    return parsed ? "" : parsed.error().message;
}

TEST(Json, KnowsTheLineOfEveryValue)
{
    const auto root = parseJson("{\n \"a\": 1,\n \"b\": [\n  2,\n  {\"c\": 3}\n ]\n}", "f.json");
    ASSERT_TRUE(root.ok());
    EXPECT_EQ(root->find("a")->line, 2);
    EXPECT_EQ(root->find("b")->line, 3);
    EXPECT_EQ(root->find("b")->items[0].line, 4);
    EXPECT_EQ(root->find("b")->items[1].find("c")->line, 5);
}

TEST(Json, NamesFileAndLineOfAFault)
{
    EXPECT_EQ(messageOf("{\n\"a\": 1\n\"b\": 2}"), "f.json, line 3: this is not valid JSON near \"\"b\"\".");
    EXPECT_EQ(messageOf("{\n\"a\": 1,\n\"a\": 2}"), "f.json, line 3: the key \"a\" is there twice.");
    EXPECT_NE(messageOf(""), "");
    EXPECT_NE(messageOf("{} {}"), "");
}

TEST(Json, RefusesDeepNesting)
{
    const std::string deep(100000, '[');
    EXPECT_NE(messageOf(deep.c_str()).find("nested"), std::string::npos);
}

// Took some ten minutes while each key was looked for among those before it.
TEST(Json, ReadsAnObjectOfManyKeys)
{
    std::string text = "{";
    for (int i = 0; i < 300000; ++i)
        text += "\"k" + std::to_string(i) + "\":" + std::to_string(i) + ",\n";
    const auto root = parseJson(text + "\"last\": 0}", "f.json");
    ASSERT_TRUE(root.ok());
    EXPECT_EQ(root->members.size(), 300001U);
    text += "\"k299999\": 0}";
    EXPECT_EQ(messageOf(text.c_str()), "f.json, line 300001: the key \"k299999\" is there twice.");
}

TEST(Json, RefusesMoreValuesThanMemoryIsFor)
{
    std::string text = "[";
    for (int i = 0; i < 4'000'000; ++i)
        text += "0,";
    EXPECT_EQ(messageOf((text + "0]").c_str()), "f.json, line 1: this has more than 4 million values.");
}

TEST(Json, WritesWhatItReads)
{
    const std::string text = R"({"z":1,"a":[true,null,-2.5,"x\u0001\"é"],"big":9007199254740993})";
    const auto root = parseJson(text, "f.json");
    ASSERT_TRUE(root.ok());
    EXPECT_EQ(writeJson(*root, -1),
              "{\"z\":1,\"a\":[true,null,-2.5,\"x\\u0001\\\"é\"],\"big\":9007199254740993}");
}

TEST(Json, WritesInvalidTextAsValidJson)
{
    const std::string text = writeJson(JsonNode("a\xFFz"), -1);
    EXPECT_TRUE(parseJson(text, "f.json").ok());
}

TEST(ObjectReader, RefusesUnknownKeysAndSuggestsTheRightOne)
{
    const auto root = parseJson("{\n\"name\": \"x\",\n\"framework\": []}", "plan.json");
    ObjectReader reader(*root, "plan.json", "plan");
    reader.string("name");
    reader.strings("frameworks", {});
    const auto finished = reader.finish();
    ASSERT_FALSE(finished.ok());
    EXPECT_EQ(finished.error().message,
              "plan.json, line 3: the plan has no \"framework\". Did you mean \"frameworks\"?");
}

TEST(ObjectReader, NamesMissingAndWronglyTypedKeys)
{
    const auto root = parseJson("{\"count\": \"many\"}", "f.json");
    ObjectReader reader(*root, "f.json", "thing");
    EXPECT_EQ(reader.integer("count"), 0);
    EXPECT_EQ(reader.finish().error().message, "f.json, line 1: thing.count must be a whole number.");
    ObjectReader missing(*root, "f.json", "thing");
    missing.string("name");
    EXPECT_EQ(missing.finish().error().message, "f.json, line 1: thing has no \"name\".");
}

TEST(ObjectReader, RefusesIntegersThatDoNotFit)
{
    const auto root = parseJson("{\"n\": 3000000000}", "f.json");
    ObjectReader reader(*root, "f.json", "thing");
    reader.integer("n");
    EXPECT_EQ(reader.finish().error().message, "f.json, line 1: thing.n is too large.");
}

TEST(FlatObject, GivesScalarsOfTheTopLevelOnly)
{
    std::string seen;
    EXPECT_TRUE(visitFlatObject(R"({"a":1,"b":{"a":2,"c":[1,2]},"d":"x","e":1.5,"f":true})",
                                [&](const FlatMember &member) { seen += std::string(member.key) + ";"; }));
    EXPECT_EQ(seen, "a;d;e;f;");
}

TEST(FlatObject, SaysWhenALineIsCutInHalf)
{
    const auto ignore = [](const FlatMember &) {};
    EXPECT_FALSE(visitFlatObject(R"({"event":"step","ste)", ignore));
    EXPECT_FALSE(visitFlatObject("[1]", ignore));
    EXPECT_FALSE(visitFlatObject("7", ignore));
}

} // namespace
} // namespace sb
