// SPDX-License-Identifier: Apache-2.0
#pragma once

// Prints the time of BERT-base's feed-forward products with GELU and its slope, at 20480 and 8192 tokens:
// ours in both forms, and cuBLASLt's best with the passes that follow it. Throws CudaError.
void bench_own_gelu_gemm();
