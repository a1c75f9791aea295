// SPDX-License-Identifier: Apache-2.0
#pragma once

// The one place that knows that oneDNN 3 builds primitive descriptors directly where oneDNN 2 goes through
// an operation descriptor. Everything else is the same in both.

#include <oneapi/dnnl/dnnl.hpp>
#include <string>

namespace sbtrain::cpu {

// x (n, c, h, w) * weight (k, c, kernel, kernel) -> y (n, k, p, q)
struct ConvShape {
    dnnl::memory::dims x;
    dnnl::memory::dims weight;
    dnnl::memory::dims y;
    dnnl::memory::dims strides;
    dnnl::memory::dims padding;
};

struct ConvLayouts {
    dnnl::memory::desc x;
    dnnl::memory::desc weight;
    dnnl::memory::desc y;
};

inline dnnl::convolution_forward::primitive_desc
conv_forward_desc(const dnnl::engine &engine, const ConvShape &shape, const ConvLayouts &layouts)
{
    constexpr auto kKind = dnnl::prop_kind::forward_training;
    constexpr auto kAlgorithm = dnnl::algorithm::convolution_direct;
#if DNNL_VERSION_MAJOR >= 3
    return {engine,    kKind,         kAlgorithm,    layouts.x,    layouts.weight,
            layouts.y, shape.strides, shape.padding, shape.padding};
#else
    return {{kKind, kAlgorithm, layouts.x, layouts.weight, layouts.y, shape.strides, shape.padding,
             shape.padding},
            engine};
#endif
}

inline dnnl::convolution_backward_data::primitive_desc
conv_backward_data_desc(const dnnl::engine &engine, const ConvShape &shape, const ConvLayouts &layouts,
                        const dnnl::convolution_forward::primitive_desc &forward)
{
    constexpr auto kAlgorithm = dnnl::algorithm::convolution_direct;
#if DNNL_VERSION_MAJOR >= 3
    return {engine,        kAlgorithm,    layouts.x,     layouts.weight, layouts.y,
            shape.strides, shape.padding, shape.padding, forward};
#else
    return {{kAlgorithm, layouts.x, layouts.weight, layouts.y, shape.strides, shape.padding, shape.padding},
            engine,
            forward};
#endif
}

inline dnnl::convolution_backward_weights::primitive_desc
conv_backward_weights_desc(const dnnl::engine &engine, const ConvShape &shape, const ConvLayouts &layouts,
                           const dnnl::convolution_forward::primitive_desc &forward)
{
    constexpr auto kAlgorithm = dnnl::algorithm::convolution_direct;
#if DNNL_VERSION_MAJOR >= 3
    return {engine,        kAlgorithm,    layouts.x,     layouts.weight, layouts.y,
            shape.strides, shape.padding, shape.padding, forward};
#else
    return {{kAlgorithm, layouts.x, layouts.weight, layouts.y, shape.strides, shape.padding, shape.padding},
            engine,
            forward};
#endif
}

inline std::string onednn_version()
{
    const dnnl_version_t *version = dnnl_version();
    return "onednn " + std::to_string(version->major) + "." + std::to_string(version->minor) + "." +
           std::to_string(version->patch);
}

} // namespace sbtrain::cpu
