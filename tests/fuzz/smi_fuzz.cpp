// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_check.h"

#include "core/smi_parser.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace sb;
    const std::string clean = withoutEscapes(fuzz::textOf(data, size));
    for (const SmiGpu &gpu : readSmiGpus(linesOf(clean))) {
        fuzz::require(gpu.index >= 0 && gpu.nvlink.linksUp >= 0);
        fuzz::require(!gpu.nvlink.linkGBps || gpu.nvlink.linksUp > 0);
    }
    return 0;
}
