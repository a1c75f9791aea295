// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of one shape differ in their digits only: "step 17: 120.5 images/s" and "step 42: 119.8 images/s". A
// pattern that takes any digit where it takes one matches all of them in the same places, so that the
// patterns need to be tried on the first lines of a shape only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace re2 {
class RE2;
}

namespace sb {

// A part of a line; a length of 0: not there.
struct LineSpan {
    std::uint32_t at = 0, length = 0;

    std::string_view of(std::string_view line) const { return line.substr(at, length); }
    bool operator==(const LineSpan &) const = default;
};

// "signal 9" → "signal \d": what matches every line that the pattern would match with other digits in it.
// Equal to the pattern where that says no digit of its own. Nothing: it cannot be told.
std::optional<std::string> withLooseDigits(const std::string &pattern);

// A compiled pattern that knows whether it is the same to all lines of a shape. An empty pattern matches
// nothing.
class ShapePattern {
public:
    explicit ShapePattern(const std::string &pattern);
    ~ShapePattern();
    ShapePattern(ShapePattern &&) noexcept;
    ShapePattern &operator=(ShapePattern &&) noexcept;

    const re2::RE2 *operator->() const { return m_pattern.get(); }
    const re2::RE2 &operator*() const { return *m_pattern; }
    explicit operator bool() const { return m_pattern != nullptr; }

    bool holds(std::string_view text) const; // somewhere in the text
    // With other digits it might give another answer.
    bool varies(std::string_view text, bool atStart = false) const;

private:
    std::unique_ptr<re2::RE2> m_pattern; // null: empty or unusable
    std::unique_ptr<re2::RE2> m_loose;   // null: the same as the pattern
    bool m_unknown = false;
};

// What is known of shapes, found by a line. Of bounded size: when it is full, it begins anew.
template <typename Known>
class ShapeTable {
public:
    static constexpr std::size_t kLongestLine = 1024;
    static constexpr std::size_t kMostShapes = 4096;

    // Must be called before anything else for a line. Null: not known yet.
    const Known *find(std::string_view line)
    {
        m_mask.resize(line.size());
        for (std::size_t i = 0; i < line.size(); ++i) { // a loop that compilers make into vector code
            const char c = line[i];
            m_mask[i] = c >= '0' && c <= '9' ? '0' : c;
        }
        m_hash = hashOf(m_mask);
        const auto found = m_known.find(m_hash);
        return found != m_known.end() && found->second.mask == m_mask ? &found->second.known : nullptr;
    }

    // The line's shape was here before. Most lines of other text come once: they are not worth learning.
    bool cameBefore()
    {
        std::uint64_t &last = m_once[m_hash % m_once.size()];
        const bool same = last == m_hash;
        last = m_hash;
        return same;
    }

    const Known &learn(Known known)
    {
        if (m_known.size() >= kMostShapes)
            m_known.clear();
        Shape &shape = m_known[m_hash];
        shape.mask = m_mask;
        shape.known = std::move(known);
        return shape.known;
    }

private:
    struct Shape {
        std::string mask;
        Known known;
    };
    struct Identity {
        std::size_t operator()(std::uint64_t hash) const { return static_cast<std::size_t>(hash); }
    };

    static std::uint64_t hashOf(std::string_view text)
    {
        constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
        std::uint64_t hash = text.size() * kOdd;
        std::size_t at = 0;
        for (; at + sizeof hash <= text.size(); at += sizeof hash) {
            std::uint64_t word = 0;
            text.copy(reinterpret_cast<char *>(&word), sizeof word, at);
            hash = (hash ^ word) * kOdd;
            hash ^= hash >> 32;
        }
        std::uint64_t word = 0;
        text.copy(reinterpret_cast<char *>(&word), sizeof word, at);
        hash = (hash ^ word) * kOdd;
        return hash ^ (hash >> 29);
    }

    std::string m_mask; // of the line that was looked for last
    std::uint64_t m_hash = 0;
    std::unordered_map<std::uint64_t, Shape, Identity> m_known;
    std::vector<std::uint64_t> m_once = std::vector<std::uint64_t>(kMostShapes);
};

} // namespace sb
