// SPDX-License-Identifier: Apache-2.0

// Which elements dropout drops: random.h's definition, and rows on the CPU.

#include "cpu/layer_norm.h"
#include "random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace sbtrain::test {
namespace {

constexpr std::uint64_t kDraws = 1 << 20;

// Whether a share of `count` draws is the expected one, within five standard deviations.
void expect_share(double found, double expected, double count)
{
    EXPECT_NEAR(found, expected, 5 * std::sqrt(expected * (1 - expected) / count));
}

TEST(Dropout, RoundsTheRateUpAndKeepsTheMean)
{
    EXPECT_EQ(DropoutRate(0.1F).threshold, 6554U);
    EXPECT_EQ(DropoutRate(0.25F).threshold, 16384U);
    EXPECT_EQ(DropoutRate(0.999F).threshold, 65471U);
    EXPECT_EQ(DropoutRate(1e-9F).threshold, 1U);
    for (const float probability : {0.0F, 1e-9F, 0.1F, 0.25F, 0.5F, 0.999F}) {
        const DropoutRate rate(probability);
        EXPECT_EQ(rate.drops(), probability > 0.0F);
        EXPECT_FLOAT_EQ(rate.scale * static_cast<float>(65536 - rate.threshold), 65536.0F);
    }
    EXPECT_FALSE(DropoutRate().drops());
}

TEST(Dropout, TakesFourDrawsFromAHash)
{
    const Stream stream(3, kDropoutStream);
    for (std::uint64_t group = 0; group < 100; ++group) {
        std::uint64_t whole = 0;
        for (std::uint64_t i = 0; i < 4; ++i)
            whole |= std::uint64_t{stream.draw(4 * group + i)} << (16 * i);
        EXPECT_EQ(whole, stream.hash(group));
    }
    EXPECT_EQ(draws_of_row(8), 8);
    EXPECT_EQ(draws_of_row(9), 12);
}

TEST(Dropout, DropsTheSameShareAtEveryPosition)
{
    const Stream stream(5, kDropoutStream);
    for (const float probability : {0.01F, 0.1F, 0.5F, 0.9F}) {
        const DropoutRate rate(probability);
        double dropped[8] = {};
        for (std::uint64_t i = 0; i < kDraws; ++i)
            dropped[i % 8] += stream.draw(i) < rate.threshold ? 1 : 0;
        for (const double count : dropped)
            expect_share(count / (kDraws / 8), rate.threshold / 65536.0, kDraws / 8);
    }
}

// Two elements are both dropped as often as independent ones: neighbours of a hash and of the next ones, a
// row apart, and the same element in the next pass.
TEST(Dropout, DropsElementsIndependently)
{
    const Stream stream(5, kDropoutStream);
    const Stream next(5, kDropoutStream + std::uint64_t{1024} * 65536);
    const DropoutRate rate(0.1F);
    const double both = std::pow(rate.threshold / 65536.0, 2);
    const auto drops = [&](const Stream &of, std::uint64_t i) { return of.draw(i) < rate.threshold; };
    for (const std::uint64_t distance : {1, 2, 3, 4, 5, 8, 128, 768}) {
        for (std::uint64_t position = 0; position < 4; ++position) {
            double count = 0;
            for (std::uint64_t i = position; i < kDraws; i += 4)
                count += drops(stream, i) && drops(stream, i + distance) ? 1 : 0;
            expect_share(count / (kDraws / 4), both, kDraws / 4);
        }
    }
    double count = 0;
    for (std::uint64_t i = 0; i < kDraws; ++i)
        count += drops(stream, i) && drops(next, i) ? 1 : 0;
    expect_share(count / kDraws, both, kDraws);
}

TEST(Dropout, OfARowIsThatOfItsDraws)
{
    const Stream stream(7, kDropoutStream);
    const DropoutRate rate(0.3F);
    for (const std::int64_t n : {1, 2, 3, 4, 5, 31, 128, 255, 256, 257, 258, 768, 1023}) {
        std::vector<float> x;
        for (std::int64_t i = 0; i < n; ++i)
            x.push_back(1.0F + static_cast<float>(i));
        for (const std::int64_t row : {0, 1, 2, 1000000007}) {
            std::vector<float> expected;
            for (std::int64_t i = 0; i < n; ++i) {
                const auto draw = static_cast<std::uint64_t>(row * draws_of_row(n) + i);
                expected.push_back(stream.draw(draw) >= rate.threshold ? x[expected.size()] * rate.scale
                                                                       : 0.0F);
            }
            std::vector<float> y(x.size() + 1, -1.0F); // one more, that is left alone
            cpu::dropout_row({stream, rate, row}, x.data(), y.data(), n);
            EXPECT_EQ(y.back(), -1.0F);
            y.pop_back();
            EXPECT_EQ(y, expected) << n << " columns, row " << row;
            y = x;
            cpu::dropout_row({stream, rate, row}, y.data(), y.data(), n); // in place
            EXPECT_EQ(y, expected) << n << " columns, row " << row;
        }
    }
}

} // namespace
} // namespace sbtrain::test
