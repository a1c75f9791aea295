// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sb {

// Bytes of a stream → lines with their byte offset. Lines end at \n, \r or \r\n (progress bars rewrite their
// line with \r); empty lines are not given. A line longer than kLongestLine is given in pieces, so a log
// without line ends cannot fill the memory. One per stream, fed in order.
class LineSplitter {
public:
    static constexpr std::size_t kLongestLine = 1 << 20;

    // `startOffset` is the stream offset of the first byte that will be fed.
    explicit LineSplitter(std::int64_t startOffset = 0)
        : m_offset(startOffset)
    {
    }

    // Calls give(line, offset of its first byte) for each complete line. Views are valid during the call.
    template <typename Give>
    void feed(std::string_view bytes, Give &&give)
    {
        std::size_t newline = bytes.find('\n'); // looked for once a line: find_first_of() goes byte by byte
        for (std::size_t at = 0; at < bytes.size();) {
            if (newline < at)
                newline = bytes.find('\n', at);
            const std::size_t limit = std::min(newline, bytes.size());
            const std::size_t end = std::min(bytes.substr(at, limit - at).find('\r'), limit - at);
            const bool lineEnds = at + end < bytes.size();
            take(bytes.substr(at, end), lineEnds, give);
            const std::size_t eaten = end + (lineEnds ? 1 : 0);
            m_offset += static_cast<std::int64_t>(eaten);
            at += eaten;
        }
    }

    // The last line, if the stream ended without a line end.
    template <typename Give>
    void finish(Give &&give)
    {
        if (!m_pending.empty())
            give(std::string_view(m_pending), m_offset - static_cast<std::int64_t>(m_pending.size()));
        m_pending.clear();
    }

private:
    template <typename Give>
    void take(std::string_view part, bool lineEnds, Give &give)
    {
        if (m_pending.empty() && lineEnds && part.size() <= kLongestLine) { // the usual case: no copy
            if (!part.empty())
                give(part, m_offset);
            return;
        }
        std::int64_t partOffset = m_offset;
        while (m_pending.size() + part.size() > kLongestLine) {
            const std::size_t room = kLongestLine - m_pending.size();
            m_pending += part.substr(0, room);
            part.remove_prefix(room);
            partOffset += static_cast<std::int64_t>(room);
            give(std::string_view(m_pending), partOffset - static_cast<std::int64_t>(m_pending.size()));
            m_pending.clear();
        }
        m_pending += part;
        if (lineEnds && !m_pending.empty()) {
            give(std::string_view(m_pending), partOffset + static_cast<std::int64_t>(part.size()) -
                                                  static_cast<std::int64_t>(m_pending.size()));
            m_pending.clear();
        }
    }

    std::string m_pending;
    std::int64_t m_offset;
};

} // namespace sb
