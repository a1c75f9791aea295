// SPDX-License-Identifier: Apache-2.0
#pragma once

// The own matrix product for Hopper (sm_90a): c (m, n) = a (m, k) b (n, k)^T with fp32 sums, of 16-bit
// matrices or of fp32 ones (factors rounded to tf32), and an epilogue that does the memory pass that would
// follow. For products that are bound by memory, as the 1x1 convolutions of ResNet-50 are: its tiles read
// more of the cache than a library's where k is large. n and k are multiples of 64.

#include "precision.h"

#include <cstdint>
#include <cuda_runtime.h>
#include <memory>

namespace sbtrain::cuda {

enum class Epilogue {
    Stats,          // c;                 sums of c and c^2 by column
    MaskFromX,      // c where a x + b > 0;        sums of c and c (x - mean)
    AddMaskBits,    // c + g where the bit is set; sums of it and of it times (x - mean). c may be g.
    AddEvenMaskBits // the same, 16 bit: g (m / 4, n) is of every second pixel of every second row of images
};

// A convolution of stride 1 over 16 channels without padding as a product: row (image, y, x) of a is the
// window whose first pixel is (y, x), k = kernel^2 16. Nothing is copied together: rows of a overlap in the
// image. Kernel 4 and n = 64 only, p a multiple of 8, q of 16: the stem over 2x2 blocks of pixels.
struct WindowRows {
    std::int64_t images = 0;                 // 0: a is an ordinary matrix
    std::int64_t h = 0, w = 0, p = 0, q = 0; // (images, h, w, 16) -> (images, p, q, n)
};

// How a is made on the way, by batch norm over its k channels; it is stored as well, equal in every bit to
// what bn_kernels.h makes. 16 bit, n of 64 and 128 only: more columns would be more blocks that each make a.
enum class Prologue {
    None,
    Normalise,     // relu(a x + b + other), with a bit an element, set where it is positive; before Stats
    NormaliseBoth, // the same of a x + b + a' other + b'
    Apply          // a other + p x + q;                                                 before MaskFromX
};

struct OwnGemmProblem {
    std::int64_t m = 0, n = 0, k = 0;
    Type type = Type::BF16;
    Epilogue epilogue = Epilogue::Stats;
    WindowRows windows = {}; // Stats only
    Prologue prologue = Prologue::None;
    std::int64_t width = 0; // AddEvenMaskBits: pixels a row of the images; even, as is the number of rows
};

// What a prologue reads and leaves behind: matrices (m, k); vectors of k floats, aligned to 16 bytes.
struct OwnGemmSources {
    const void *x = nullptr;
    const void *other = nullptr;  // Normalise, NormaliseBoth: the residual; Apply: dz
    void *made = nullptr;         // a
    std::uint8_t *bits = nullptr; // not Apply: m k / 8 bytes to be written
    const float *vectors[4] = {}; // Normalise: a, b; NormaliseBoth: a, b, a', b'; Apply: a, p, q
};

struct OwnGemmPointers {
    const void *a = nullptr; // unless a prologue makes it
    const void *b = nullptr;
    void *c = nullptr;
    const void *x = nullptr; // all but Stats
    const void *g = nullptr; // AddMaskBits, AddEvenMaskBits
    const std::uint8_t *bits = nullptr;
    const float *scale = nullptr; // a of MaskFromX
    const float *shift = nullptr; // b of MaskFromX
    const float *mean = nullptr;
    float *partial = nullptr; // partial_rows() rows of 2 n floats
    OwnGemmSources sources = {};
};

class OwnGemm {
public:
    static bool available(int capability); // built in, and this device can
    static bool fits(const OwnGemmProblem &problem);
    // What partial_rows() will be, for planning.
    static int partial_rows(const OwnGemmProblem &problem, int multiprocessors);

    // Addresses are fixed from here on.
    OwnGemm(const OwnGemmProblem &problem, const OwnGemmPointers &at, int multiprocessors);
    void run(cudaStream_t stream) const;
    int partial_rows() const { return m_partial_rows; }

    // The driver's descriptions of matrices (CUtensorMap), which toolkits before 12 do not have.
    struct alignas(64) Map {
        unsigned char bytes[128];
    };
    struct Maps {
        Map a, b, c, x, g; // a: of a prologue's x, if there is one
        Map other, made;
    };

private:
    OwnGemmProblem m_problem;
    OwnGemmPointers m_at;
    int m_blocks = 0;
    int m_partial_rows = 0;
    Maps m_maps;
};

} // namespace sbtrain::cuda
