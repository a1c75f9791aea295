// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/own_conv16.h"

// Times the 3x3 convolution of stride 1 of ResNet-50 at batch 256, of images of one size, beside cuDNN's best
// engine and the pass that follows it, in fp16 or the engine that makes statistics itself. Prints a line of
// milliseconds.
void bench_own_conv16(sbtrain::cuda::Type type, sbtrain::cuda::Epilogue epilogue, int size,
                      int multiprocessors);
