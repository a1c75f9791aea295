// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "layer.h"

namespace sbtrain::cuda {

// The attention layer by own_attention.h or, of fp32 matrices, own_attention_fp32.h. Null where that does not
// run: on other devices, for other shapes, or with SBTRAIN_OWN_ATTENTION=0 in the environment; in fp32 also
// where products in parts are not wanted (gemm.h).
std::unique_ptr<Layer> make_own_attention(Build &build, const Attention &node);

} // namespace sbtrain::cuda
