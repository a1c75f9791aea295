// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json.h"

#include "core/text.h"

#include <algorithm>

namespace sb {

ObjectReader::ObjectReader(const JsonNode &node, std::string source, std::string what)
    : m_node(node)
    , m_source(std::move(source))
    , m_what(std::move(what))
{
    if (node.kind != JsonNode::Kind::Object)
        fail(node, m_what + " must be an object {…}");
}

bool ObjectReader::has(std::string_view key) const
{
    return m_node.find(key) != nullptr;
}

std::string ObjectReader::pathOf(const std::string &key) const
{
    return m_what + "." + key;
}

void ObjectReader::fail(const JsonNode &at, const std::string &message)
{
    if (m_error)
        return;
    const std::string place = at.line > 0 ? ", line " + std::to_string(at.line) : "";
    m_error = Error{ErrorCode::BadInput, m_source + place + ": " + message + "."};
}

void ObjectReader::adopt(const Result<void> &nested)
{
    if (!nested && !m_error)
        m_error = nested.error();
}

const JsonNode *ObjectReader::get(const std::string &key, bool required)
{
    m_asked.push_back(key);
    const JsonNode *found = m_node.find(key);
    if (found && found->isNull())
        found = nullptr; // null is a written way of "absent"
    if (!found && required)
        fail(m_node, m_what + " has no \"" + key + "\"");
    return found;
}

const JsonNode *ObjectReader::typed(const std::string &key, bool required, JsonNode::Kind kind,
                                    const char *kindName)
{
    const JsonNode *found = get(key, required);
    if (!found)
        return nullptr;
    const bool fits =
        found->kind == kind || (kind == JsonNode::Kind::Number && found->kind == JsonNode::Kind::Integer);
    if (fits)
        return found;
    fail(*found, pathOf(key) + " must be " + kindName);
    return nullptr;
}

std::string ObjectReader::string(const std::string &key)
{
    const JsonNode *found = typed(key, true, JsonNode::Kind::String, "a text");
    return found ? found->text : std::string();
}

std::string ObjectReader::string(const std::string &key, const std::string &otherwise)
{
    const JsonNode *found = typed(key, false, JsonNode::Kind::String, "a text");
    return found ? found->text : otherwise;
}

std::optional<std::string> ObjectReader::optionalString(const std::string &key)
{
    const JsonNode *found = typed(key, false, JsonNode::Kind::String, "a text");
    return found ? std::optional(found->text) : std::nullopt;
}

namespace {
bool fitsInt(std::int64_t value)
{
    return value >= INT32_MIN && value <= INT32_MAX;
}
} // namespace

int ObjectReader::integer(const std::string &key)
{
    const JsonNode *found = typed(key, true, JsonNode::Kind::Integer, "a whole number");
    if (found && !fitsInt(found->integer))
        fail(*found, pathOf(key) + " is too large");
    return found && fitsInt(found->integer) ? static_cast<int>(found->integer) : 0;
}

int ObjectReader::integer(const std::string &key, int otherwise)
{
    return has(key) ? integer(key) : (get(key, false), otherwise);
}

bool ObjectReader::boolean(const std::string &key, bool otherwise)
{
    const JsonNode *found = typed(key, false, JsonNode::Kind::Boolean, "true or false");
    return found ? found->boolean : otherwise;
}

std::optional<double> ObjectReader::optionalNumber(const std::string &key)
{
    const JsonNode *found = typed(key, false, JsonNode::Kind::Number, "a number");
    return found ? std::optional(found->number) : std::nullopt;
}

std::optional<std::int64_t> ObjectReader::optionalInteger(const std::string &key)
{
    const JsonNode *found = typed(key, false, JsonNode::Kind::Integer, "a whole number");
    return found ? std::optional(found->integer) : std::nullopt;
}

std::vector<std::string> ObjectReader::strings(const std::string &key)
{
    std::vector<std::string> values;
    if (const JsonNode *found = array(key))
        for (const JsonNode &item : found->items) {
            if (item.kind != JsonNode::Kind::String)
                fail(item, pathOf(key) + " must be a list of texts");
            values.push_back(item.text);
        }
    return values;
}

std::vector<std::string> ObjectReader::strings(const std::string &key,
                                               const std::vector<std::string> &otherwise)
{
    return has(key) ? strings(key) : (get(key, false), otherwise);
}

std::vector<int> ObjectReader::integers(const std::string &key)
{
    std::vector<int> values;
    if (const JsonNode *found = array(key))
        for (const JsonNode &item : found->items) {
            if (item.kind != JsonNode::Kind::Integer || !fitsInt(item.integer))
                fail(item, pathOf(key) + " must be a list of whole numbers");
            else
                values.push_back(static_cast<int>(item.integer));
        }
    return values;
}

std::map<std::string, std::string> ObjectReader::stringMap(const std::string &key)
{
    std::map<std::string, std::string> values;
    if (const JsonNode *found = optionalObject(key))
        for (const auto &[name, value] : found->members) {
            if (value.kind != JsonNode::Kind::String)
                fail(value, pathOf(key) + "." + name + " must be a text");
            values[name] = value.text;
        }
    return values;
}

const JsonNode *ObjectReader::object(const std::string &key)
{
    return typed(key, true, JsonNode::Kind::Object, "an object {…}");
}

const JsonNode *ObjectReader::optionalObject(const std::string &key)
{
    return typed(key, false, JsonNode::Kind::Object, "an object {…}");
}

const JsonNode *ObjectReader::array(const std::string &key)
{
    return typed(key, true, JsonNode::Kind::Array, "a list […]");
}

const JsonNode *ObjectReader::optionalArray(const std::string &key)
{
    return typed(key, false, JsonNode::Kind::Array, "a list […]");
}

Result<void> ObjectReader::finish()
{
    for (const auto &[key, value] : m_node.members) {
        if (m_error) // the first fault is told; words like the others are not looked for
            break;
        if (std::find(m_asked.begin(), m_asked.end(), key) != m_asked.end())
            continue;
        std::string message = "the " + m_what + " has no \"" + validUtf8(key) + "\"";
        if (const auto closest = closestWord(key, m_asked))
            message += ". Did you mean \"" + *closest + "\"?";
        fail(value, message);
        if (m_error->message.ends_with("?."))
            m_error->message.pop_back();
    }
    return m_error ? Result<void>(*m_error) : Result<void>();
}

} // namespace sb
