// SPDX-License-Identifier: GPL-3.0-or-later
// JSON as values that know their line, strict reading with messages that name file, line and key, and
// writing with stable bytes. The JSON library itself is used in json.cpp only.
#pragma once

#include "core/result.h"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sb {

struct JsonNode {
    enum class Kind { Null, Boolean, Integer, Number, String, Array, Object };

    Kind kind = Kind::Null;
    int line = 0; // from 1 when parsed
    bool boolean = false;
    std::int64_t integer = 0;
    double number = 0; // also set for integers
    std::string text;
    std::vector<JsonNode> items;
    std::vector<std::pair<std::string, JsonNode>> members; // in file order

    JsonNode() = default;
    JsonNode(bool value)
        : kind(Kind::Boolean)
        , boolean(value)
    {
    }
    JsonNode(std::int64_t value)
        : kind(Kind::Integer)
        , integer(value)
        , number(static_cast<double>(value))
    {
    }
    JsonNode(int value)
        : JsonNode(std::int64_t{value})
    {
    }
    JsonNode(double value)
        : kind(Kind::Number)
        , number(value)
    {
    }
    JsonNode(std::string value)
        : kind(Kind::String)
        , text(std::move(value))
    {
    }
    JsonNode(const char *value)
        : JsonNode(std::string(value))
    {
    }
    template <typename T>
    JsonNode(const std::optional<T> &value) // null when absent
    {
        if (value)
            *this = JsonNode(*value);
    }
    JsonNode(const std::vector<std::string> &values);

    static JsonNode array();
    static JsonNode object();

    const JsonNode *find(std::string_view key) const;
    JsonNode &set(std::string key, JsonNode value); // appends; returns *this
    JsonNode &push(JsonNode value);
    bool isNull() const { return kind == Kind::Null; }
};

// `source` names the file in messages. Doubled keys, nesting deeper than 64 and anything after the value are
// errors.
Result<JsonNode> parseJson(std::string_view text, const std::string &source);

// indent < 0: one line. Numbers are written so that they read back as the same value; text that is not valid
// UTF-8 is repaired.
std::string writeJson(const JsonNode &node, int indent = 2);

// Reads one object strictly: each get names the key it wants, finish() refuses keys nobody asked for. The
// first problem is kept and everything after it returns defaults, so callers check once, at the end.
class ObjectReader {
public:
    // `what` names the object in messages: "plan", "workloads[0]".
    ObjectReader(const JsonNode &node, std::string source, std::string what);

    bool has(std::string_view key) const;
    std::string string(const std::string &key);
    std::string string(const std::string &key, const std::string &otherwise);
    int integer(const std::string &key);
    int integer(const std::string &key, int otherwise);
    bool boolean(const std::string &key, bool otherwise);
    std::optional<double> optionalNumber(const std::string &key);
    std::optional<std::int64_t> optionalInteger(const std::string &key);
    std::optional<std::string> optionalString(const std::string &key);
    std::vector<std::string> strings(const std::string &key);
    std::vector<std::string> strings(const std::string &key, const std::vector<std::string> &otherwise);
    std::vector<int> integers(const std::string &key);
    std::map<std::string, std::string> stringMap(const std::string &key); // absent: empty
    // Nested nodes; null when absent (an error for object() and array(), not for the optional ones).
    const JsonNode *object(const std::string &key);
    const JsonNode *optionalObject(const std::string &key);
    const JsonNode *array(const std::string &key);
    const JsonNode *optionalArray(const std::string &key);

    const std::string &source() const { return m_source; }
    const std::string &what() const { return m_what; }
    void fail(const JsonNode &at, const std::string &message);
    void adopt(const Result<void> &nested); // takes over the first problem of a nested reader
    Result<void> finish();

private:
    const JsonNode *get(const std::string &key, bool required);
    const JsonNode *typed(const std::string &key, bool required, JsonNode::Kind kind, const char *kindName);
    std::string pathOf(const std::string &key) const;

    const JsonNode &m_node;
    std::string m_source;
    std::string m_what;
    std::vector<std::string> m_asked;
    std::optional<Error> m_error;
};

// The scalar members of one flat JSON object, without building a tree: for log lines at high rates.
struct FlatMember {
    std::string_view key = {};
    JsonNode::Kind kind = JsonNode::Kind::Null;
    std::int64_t integer = 0;
    double number = 0; // also for integers
    bool boolean = false;
    std::string_view text = {};
};
// False when the line is not one JSON object; members seen before the fault were still visited. Nested
// values are skipped.
bool visitFlatObject(std::string_view line, const std::function<void(const FlatMember &)> &visit);

} // namespace sb
