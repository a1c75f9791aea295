// SPDX-License-Identifier: Apache-2.0
#pragma once

// Prints the time of a layer of BERT-base's attention, own and by the libraries. Throws CudaError.
void bench_attention(bool sixteen_bit, bool fp32);
