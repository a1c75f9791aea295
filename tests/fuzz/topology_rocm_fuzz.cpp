// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace sb;
    const std::string clean = withoutEscapes(fuzz::textOf(data, size));
    if (auto topology = readRocmTopology(linesOf(clean))) {
        addMatrixFindings(*topology);
        fuzz::checkTopology(*topology);
    }
    return 0;
}
