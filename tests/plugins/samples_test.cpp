// SPDX-License-Identifier: GPL-3.0-or-later
// Every recorded log of every plugin gives the numbers written beside it.
#include "session/plugin_check.h"

#include <gtest/gtest.h>

namespace sb {
namespace {

TEST(Plugins, SamplesGiveTheirExpectedNumbers)
{
    const Catalog catalog = readCatalog(SCALEBOARD_SOURCE "/plugins");
    ASSERT_TRUE(catalog.problems.empty()) << catalog.problems.front();
    EXPECT_GE(catalog.frameworks.size(), 2U);
    for (const Framework &framework : catalog.frameworks) {
        const PluginCheck check = checkPlugin(SCALEBOARD_SOURCE "/plugins/" + framework.name, catalog);
        EXPECT_GT(check.samples, 0) << framework.name;
        for (const std::string &problem : check.problems)
            ADD_FAILURE() << problem;
    }
}

TEST(Plugins, CheckNamesWhatIsMissing)
{
    const Catalog catalog = readCatalog(SCALEBOARD_SOURCE "/plugins");
    EXPECT_FALSE(checkPlugin("/nonexistent", catalog).problems.empty());
    // The plugin of the tests has no recorded log.
    const PluginCheck check = checkPlugin(SCALEBOARD_TEST_DATA "/plugins/steps", catalog);
    ASSERT_EQ(check.problems.size(), 1U);
    EXPECT_NE(check.problems.front().find("no recorded log"), std::string::npos);
}

} // namespace
} // namespace sb
