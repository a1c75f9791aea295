// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "layer.h"

namespace sbtrain::cuda {

// The attention layer by own_attention.h. Null where that does not run: on other devices, for other shapes,
// or with SBTRAIN_OWN_ATTENTION=0 in the environment.
std::unique_ptr<Layer> make_own_attention(Build &build, const Attention &node);

} // namespace sbtrain::cuda
