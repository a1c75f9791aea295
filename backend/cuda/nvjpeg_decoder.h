// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../data/picture_decoder.h"

#include <memory>

namespace sbtrain::cuda {

// Which of nvJPEG's decoders: Best is the fixed-function engine where the device has one, else kernels.
enum class JpegEngine { Best, Hardware, Kernels };

// nvJPEG on a stream of its own, the rest by picture_kernels.h. For files that are `plain` with one sample of
// colour for 1x1, 2x1, 1x2 or 2x2 of brightness. Failure: nvJPEG has no such decoder for this device.
Result<std::unique_ptr<PictureDecoder>> make_nvjpeg_decoder(int ordinal,
                                                            JpegEngine engine = JpegEngine::Best);

} // namespace sbtrain::cuda
