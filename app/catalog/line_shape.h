// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of one shape differ in their digits only: "step 17: 120.5 images/s" and "step 42: 119.8 images/s". A
// pattern that takes any digit where it takes one matches all of them in the same places, so that the
// patterns need to be tried on the first lines of a shape only.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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

// What is known of shapes, found by a line. Of bounded size: a shape takes the place of another one with the
// same place in the table.
template <typename Known>
class ShapeTable {
public:
    static constexpr std::size_t kLongestLine = 1024;

    // Must be called before anything else for a line. Null: not known yet.
    const Known *find(std::string_view line)
    {
        m_mask.resize(line.size());
        char *mask = m_mask.data();
        for (std::size_t i = 0; i < line.size(); ++i) { // a loop that compilers make into vector code
            const char c = line[i];
            mask[i] = c >= '0' && c <= '9' ? '0' : c;
        }
        m_hash = hashOf(m_mask);
        const Shape &shape = m_shapes[m_hash % kPlaces];
        return shape.hash == m_hash && shape.mask == m_mask ? &shape.known : nullptr;
    }

    // The line's shape was here before. Most lines of other text come once: they are not worth learning.
    bool cameBefore()
    {
        std::uint64_t &last = m_once[m_hash % kPlaces];
        const bool same = last == m_hash;
        last = m_hash;
        return same;
    }

    void learn(Known known) { m_shapes[m_hash % kPlaces] = {m_hash, m_mask, std::move(known)}; }

private:
    static constexpr std::size_t kPlaces = 4096;

    struct Shape {
        std::uint64_t hash = 0;
        std::string mask;
        Known known = {};
    };

    // Four words at a time, which do not wait for each other.
    static std::uint64_t hashOf(const std::string &text)
    {
        constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
        constexpr std::size_t kWord = sizeof kOdd;
        const auto word = [&text](std::size_t at, std::size_t length) {
            std::uint64_t value = 0;
            std::memcpy(&value, text.data() + at, length);
            return value;
        };
        const auto mixed = [](std::uint64_t hash, std::uint64_t value) {
            hash = (hash ^ value) * kOdd;
            return hash ^ (hash >> 32);
        };
        std::array<std::uint64_t, 4> lanes{text.size() + 1, 2, 3, 4};
        std::size_t at = 0;
        for (; at + 4 * kWord <= text.size(); at += 4 * kWord)
            for (std::size_t i = 0; i < lanes.size(); ++i)
                lanes[i] = mixed(lanes[i], word(at + i * kWord, kWord));
        for (; at + kWord <= text.size(); at += kWord)
            lanes[0] = mixed(lanes[0], word(at, kWord));
        lanes[0] = mixed(lanes[0], word(at, text.size() - at));
        return mixed(mixed(mixed(lanes[0], lanes[1]), lanes[2]), lanes[3]) | 1; // 0: nothing there
    }

    std::string m_mask; // of the line that was looked for last
    std::uint64_t m_hash = 0;
    std::vector<Shape> m_shapes = std::vector<Shape>(kPlaces);
    std::vector<std::uint64_t> m_once = std::vector<std::uint64_t>(kPlaces);
};

} // namespace sb
