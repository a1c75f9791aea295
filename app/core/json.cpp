// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json.h"

#include "core/text.h"
#include "core/units.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_set>

namespace sb {

JsonNode::JsonNode(const std::vector<std::string> &values)
    : kind(Kind::Array)
{
    for (const std::string &value : values)
        items.emplace_back(value);
}

JsonNode JsonNode::array()
{
    JsonNode node;
    node.kind = Kind::Array;
    return node;
}

JsonNode JsonNode::object()
{
    JsonNode node;
    node.kind = Kind::Object;
    return node;
}

const JsonNode *JsonNode::find(std::string_view key) const
{
    for (const auto &[name, value] : members)
        if (name == key)
            return &value;
    return nullptr;
}

JsonNode &JsonNode::set(std::string key, JsonNode value)
{
    members.emplace_back(std::move(key), std::move(value));
    return *this;
}

JsonNode &JsonNode::push(JsonNode value)
{
    items.push_back(std::move(value));
    return *this;
}

namespace {

// Feeds the parser and counts lines, since the library does not keep positions of values.
struct CountingIterator {
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char *;
    using reference = const char &;

    const char *at = nullptr;
    int *line = nullptr;
    char *previous = nullptr;

    reference operator*() const { return *at; }
    CountingIterator &operator++()
    {
        *previous = *at;
        if (*at == '\n')
            ++*line;
        ++at;
        return *this;
    }
    CountingIterator operator++(int)
    {
        CountingIterator before = *this;
        ++*this;
        return before;
    }
    bool operator==(const CountingIterator &other) const { return at == other.at; }
    bool operator!=(const CountingIterator &other) const { return at != other.at; }
};

class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
public:
    static constexpr std::size_t kDeepest = 64;
    static constexpr std::size_t kMostValues = 4'000'000; // a value may be two bytes long and takes 112

    JsonNode root;
    std::string problem;
    int problemLine = 0;
    int line = 1;
    char previous = 0;

    bool null() override { return add(JsonNode()); }
    bool boolean(bool value) override { return add(JsonNode(value)); }
    bool number_integer(std::int64_t value) override { return add(JsonNode(value)); }
    bool number_unsigned(std::uint64_t value) override
    {
        return value <= static_cast<std::uint64_t>(INT64_MAX)
                   ? add(JsonNode(static_cast<std::int64_t>(value)))
                   : add(JsonNode(static_cast<double>(value)));
    }
    bool number_float(double value, const std::string &) override { return add(JsonNode(value)); }
    bool string(std::string &value) override { return add(JsonNode(std::move(value))); }
    bool binary(nlohmann::json::binary_t &) override { return false; }
    bool start_object(std::size_t) override { return open(JsonNode::object()); }
    bool start_array(std::size_t) override { return open(JsonNode::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(std::string &name) override
    {
        if (!m_open.back().keys.insert(name).second) {
            problem = "the key \"" + validUtf8(name) + "\" is there twice";
            problemLine = line;
            return false;
        }
        m_keyLine = line;
        m_key = std::move(name);
        return true;
    }
    bool parse_error(std::size_t, const std::string &token, const nlohmann::detail::exception &) override
    {
        problem = token.empty() ? "this is not valid JSON"
                                : "this is not valid JSON near \"" + validUtf8(token.substr(0, 60)) + "\"";
        problemLine = currentLine();
        return false;
    }

private:
    // A number ends at the character after it, which may be the line's end already.
    int currentLine() const { return previous == '\n' ? line - 1 : line; }

    // A container that is not closed yet. Looking for a key among the members would make reading quadratic.
    struct Open {
        JsonNode *node; // stays valid: a container only grows while its last child is closed
        std::unordered_set<std::string> keys;
    };

    // Null: there are too many values.
    JsonNode *place(JsonNode node)
    {
        if (++m_values > kMostValues) {
            problem = "this has more than 4 million values";
            problemLine = line;
            return nullptr;
        }
        if (m_open.empty()) {
            root = std::move(node);
            return &root;
        }
        JsonNode &parent = *m_open.back().node;
        if (parent.kind == JsonNode::Kind::Array)
            return &parent.items.emplace_back(std::move(node));
        return &parent.members.emplace_back(std::move(m_key), std::move(node)).second;
    }
    bool add(JsonNode node)
    {
        const bool inObject = !m_open.empty() && m_open.back().node->kind == JsonNode::Kind::Object;
        node.line = inObject ? m_keyLine : currentLine();
        return place(std::move(node)) != nullptr;
    }
    bool open(JsonNode node)
    {
        if (m_open.size() >= kDeepest) {
            problem = "this is nested more than 64 deep";
            problemLine = line;
            return false;
        }
        node.line = currentLine();
        JsonNode *placed = place(std::move(node));
        if (placed)
            m_open.push_back({placed, {}});
        return placed != nullptr;
    }
    bool close()
    {
        m_open.pop_back();
        return true;
    }

    std::vector<Open> m_open;
    std::size_t m_values = 0;
    std::string m_key;
    int m_keyLine = 0;
};

nlohmann::ordered_json toLibrary(const JsonNode &node)
{
    switch (node.kind) {
    case JsonNode::Kind::Null:
        return nullptr;
    case JsonNode::Kind::Boolean:
        return node.boolean;
    case JsonNode::Kind::Integer:
        return node.integer;
    case JsonNode::Kind::Number:
        return std::isfinite(node.number) ? nlohmann::ordered_json(node.number) : nlohmann::ordered_json();
    case JsonNode::Kind::String:
        return node.text;
    case JsonNode::Kind::Array: {
        auto array = nlohmann::ordered_json::array();
        for (const JsonNode &item : node.items)
            array.push_back(toLibrary(item));
        return array;
    }
    case JsonNode::Kind::Object: {
        auto object = nlohmann::ordered_json::object();
        for (const auto &[key, value] : node.members)
            object[key] = toLibrary(value);
        return object;
    }
    }
    return nullptr;
}

} // namespace

Result<JsonNode> parseJson(std::string_view text, const std::string &source)
{
    TreeBuilder builder;
    const CountingIterator begin{text.data(), &builder.line, &builder.previous};
    const CountingIterator end{text.data() + text.size(), &builder.line, &builder.previous};
    if (nlohmann::json::sax_parse(begin, end, &builder))
        return std::move(builder.root);
    return Error{ErrorCode::BadInput,
                 source + ", line " + std::to_string(builder.problemLine) + ": " + builder.problem + "."};
}

std::string writeJson(const JsonNode &node, int indent)
{
    return toLibrary(node).dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

namespace {

class FlatHandler : public nlohmann::json_sax<nlohmann::json> {
public:
    explicit FlatHandler(const std::function<void(const FlatMember &)> &visit)
        : m_visit(visit)
    {
    }

    bool null() override { return give({.kind = JsonNode::Kind::Null}); }
    bool boolean(bool value) override { return give({.kind = JsonNode::Kind::Boolean, .boolean = value}); }
    bool number_integer(std::int64_t value) override
    {
        return give(
            {.kind = JsonNode::Kind::Integer, .integer = value, .number = static_cast<double>(value)});
    }
    bool number_unsigned(std::uint64_t value) override
    {
        if (value > static_cast<std::uint64_t>(INT64_MAX))
            return give({.kind = JsonNode::Kind::Number, .number = static_cast<double>(value)});
        return number_integer(static_cast<std::int64_t>(value));
    }
    bool number_float(double value, const std::string &) override
    {
        return give({.kind = JsonNode::Kind::Number, .number = value});
    }
    bool string(std::string &value) override { return give({.kind = JsonNode::Kind::String, .text = value}); }
    bool binary(nlohmann::json::binary_t &) override { return false; }
    bool start_object(std::size_t) override { return deeper(); }
    bool start_array(std::size_t) override { return m_depth > 0 && deeper(); }
    bool end_object() override { return shallower(); }
    bool end_array() override { return shallower(); }
    bool key(std::string &name) override
    {
        if (m_depth == 1)
            m_key.swap(name);
        return true;
    }
    bool parse_error(std::size_t, const std::string &, const nlohmann::detail::exception &) override
    {
        return false;
    }

private:
    bool give(FlatMember member)
    {
        if (m_depth == 0)
            return false;
        if (m_depth == 1) {
            member.key = m_key;
            m_visit(member);
        }
        return true;
    }
    bool deeper() { return ++m_depth <= static_cast<int>(TreeBuilder::kDeepest); }
    bool shallower()
    {
        --m_depth;
        return true;
    }

    const std::function<void(const FlatMember &)> &m_visit;
    std::string m_key;
    int m_depth = 0;
};

} // namespace

bool visitFlatObject(std::string_view line, const std::function<void(const FlatMember &)> &visit)
{
    FlatHandler handler(visit);
    return nlohmann::json::sax_parse(line.begin(), line.end(), &handler);
}

} // namespace sb
