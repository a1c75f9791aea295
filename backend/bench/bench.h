// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../result.h"

#include <span>
#include <string>

namespace sbtrain {

// `sbtrain bench copy|matmul|p2p|allreduce`: what the hardware gives, as JSON events on standard output, one
// a measurement: {"event":"bench","kind":"copy","bytes":...,"time_ms":...,"GBps":...}. Times are medians.
//   copy       device to device; GBps counts bytes read and written
//   matmul     8192 x 8192 x 8192 in every precision; TFLOPs
//   p2p        every ordered pair of devices of this host; GBps, and whether they reach each other directly
//   allreduce  NCCL over the processes of the job, 1 KiB to 1 GiB; algbw_GBps and busbw_GBps as nccl-tests
//              define them (busbw = algbw * 2 (n - 1) / n)
// Arguments without "bench". Failure: Usage, or Unsupported in a build or on a machine without CUDA.
Result<void> run_bench(std::span<const char *const> arguments);

} // namespace sbtrain
