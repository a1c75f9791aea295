// SPDX-License-Identifier: Apache-2.0
#include "bench.h"

#include "../events.h"
#ifdef SBTRAIN_WITH_CUDA
#include "cuda_bench.h"
#endif

#include <cstdlib>
#include <string_view>

namespace sbtrain {

Result<void> run_bench(std::span<const char *const> arguments)
{
    const std::string_view kind = arguments.empty() ? "" : arguments[0];
    if (arguments.size() != 1 || (kind != "copy" && kind != "matmul" && kind != "p2p" && kind != "allreduce"))
        return Error{ExitCode::Usage, "usage: sbtrain bench copy|matmul|p2p|allreduce"};
#ifdef SBTRAIN_WITH_CUDA
    return cuda::run_bench(kind);
#else
    return Error{ExitCode::Unsupported,
                 "sbtrain bench needs the CUDA device, which this build does not have"};
#endif
}

} // namespace sbtrain
