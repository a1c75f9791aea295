// SPDX-License-Identifier: Apache-2.0

// Pooling, forward and backward, on columns of W channels (see ImageLayout).

#include "layer.h"
#include "simd.h"

#include <algorithm>

namespace sbtrain::cpu {

namespace {

// One plane of W channels: y from x, and which of the nine pixels won (0 .. 8), a byte a channel.
struct MaxPoolPlane {
    const float *x = nullptr;
    float *y = nullptr;
    std::uint8_t *winner = nullptr;
    std::int64_t stride = 0; // floats from pixel to pixel
    std::int64_t height = 0; // of x
    std::int64_t width = 0;
};

template <int W>
SBTRAIN_INLINE void max_pool_window(const MaxPoolPlane &plane, std::int64_t p, std::int64_t q)
{
    const std::int64_t out = p * ((plane.width + 1) / 2) + q;
    float best[W];
    std::int32_t index[W];
    for (int l = 0; l < W; ++l) {
        best[l] = -3.4e38F;
        index[l] = 4; // the centre is always inside
    }
    for (int r = 0; r < 3; ++r) {
        for (int s = 0; s < 3; ++s) {
            const std::int64_t h = 2 * p - 1 + r;
            const std::int64_t w = 2 * q - 1 + s;
            if (h < 0 || w < 0 || h >= plane.height || w >= plane.width)
                continue;
            const float *x = plane.x + (h * plane.width + w) * plane.stride;
            for (int l = 0; l < W; ++l) {
                const bool more = x[l] > best[l];
                best[l] = more ? x[l] : best[l];
                index[l] = more ? 3 * r + s : index[l];
            }
        }
    }
    for (int l = 0; l < W; ++l) {
        plane.y[out * plane.stride + l] = best[l];
        plane.winner[out * plane.stride + l] = static_cast<std::uint8_t>(index[l]);
    }
}

template <int W>
SBTRAIN_INLINE void max_pool_plane(const MaxPoolPlane &plane)
{
    for (std::int64_t p = 0; p < (plane.height + 1) / 2; ++p) {
        for (std::int64_t q = 0; q < (plane.width + 1) / 2; ++q)
            max_pool_window<W>(plane, p, q);
    }
}

SBTRAIN_CLONES void max_pool16(const MaxPoolPlane &plane)
{
    max_pool_plane<16>(plane);
}
SBTRAIN_CLONES void max_pool8(const MaxPoolPlane &plane)
{
    max_pool_plane<8>(plane);
}

// dx += dy at the winner. x here is dy, y is dx.
void max_pool_scatter(const MaxPoolPlane &plane, int lanes)
{
    const std::int64_t out_width = (plane.width + 1) / 2;
    for (std::int64_t p = 0; p < (plane.height + 1) / 2; ++p) {
        for (std::int64_t q = 0; q < out_width; ++q) {
            const std::int64_t out = (p * out_width + q) * plane.stride;
            for (int l = 0; l < lanes; ++l) {
                const int winner = plane.winner[out + l];
                const std::int64_t h = 2 * p - 1 + winner / 3;
                const std::int64_t w = 2 * q - 1 + winner % 3;
                plane.y[(h * plane.width + w) * plane.stride + l] += plane.x[out + l];
            }
        }
    }
}

// body(image, column) for all columns in parallel.
template <typename Body>
void for_columns(const ImageLayout &layout, int width, Body body)
{
    const std::int64_t columns = layout.c / width;
#pragma omp parallel for collapse(2) schedule(static)
    for (std::int64_t image = 0; image < layout.n; ++image) {
        for (std::int64_t column = 0; column < columns; ++column)
            body(image, column);
    }
}

std::int64_t column_offset(const ImageLayout &layout, int width, std::int64_t image, std::int64_t column)
{
    return width == 16 ? layout.column_offset<16>(image, column) : layout.column_offset<8>(image, column);
}

class MaxPoolLayer : public Layer {
public:
    MaxPoolLayer(Build &build, const MaxPool &node)
        : m_node(node)
        , m_in(build.image_layout(node.x))
        , m_out(build.image_layout(node.y))
        , m_x(build.graph.tensors[node.x.index])
        , m_width(m_in.lanes % 16 == 0 ? 16 : 8)
        , m_winner(build.planner.take((build.graph.tensors[node.y.index].count() + 3) / 4))
    {
    }

    void plan_backward(BackwardPlan &plan) override
    {
        m_dy = plan.take(m_node.y);
        m_dx = plan.give(m_node.x);
        for (const BufferPlanner::Id id : m_dy)
            plan.release(id);
    }
    void bind(const Memory &memory) override { m_memory = &memory; }

    void forward(PassState &) override
    {
        const float *x = m_memory->activation(m_node.x);
        float *y = m_memory->activation(m_node.y);
        for_columns(m_in, m_width, [&](std::int64_t image, std::int64_t column) {
            const MaxPoolPlane plane = make_plane(x, y, image, column);
            if (m_width == 16)
                max_pool16(plane);
            else
                max_pool8(plane);
        });
    }

    void backward(PassState &) override
    {
        add_contributions(*m_memory, m_dy, m_out.n * m_out.c * m_out.pixels);
        const float *dy = m_memory->buffer(m_dy[0]);
        float *dx = m_memory->buffer(m_dx);
        for_columns(m_in, m_width, [&](std::int64_t image, std::int64_t column) {
            MaxPoolPlane plane = make_plane(nullptr, nullptr, image, column);
            plane.x = dy + column_offset(m_out, m_width, image, column);
            plane.y = dx + column_offset(m_in, m_width, image, column);
            for (std::int64_t i = 0; i < m_in.pixels; ++i)
                std::fill_n(plane.y + i * plane.stride, m_width, 0.0F);
            max_pool_scatter(plane, m_width);
        });
    }

private:
    MaxPoolPlane make_plane(const float *x, float *y, std::int64_t image, std::int64_t column) const
    {
        const std::int64_t in = column_offset(m_in, m_width, image, column);
        const std::int64_t out = column_offset(m_out, m_width, image, column);
        MaxPoolPlane plane;
        plane.x = x != nullptr ? x + in : nullptr;
        plane.y = y != nullptr ? y + out : nullptr;
        plane.winner = reinterpret_cast<std::uint8_t *>(m_memory->buffer(m_winner)) + out;
        plane.stride = m_in.lanes;
        plane.height = m_x.h;
        plane.width = m_x.w;
        return plane;
    }

    MaxPool m_node;
    ImageLayout m_in, m_out;
    Shape m_x;
    int m_width;
    BufferPlanner::Id m_winner; // a byte an output
    std::vector<BufferPlanner::Id> m_dy;
    BufferPlanner::Id m_dx;
    const Memory *m_memory = nullptr;
};

class AveragePoolLayer : public Layer {
public:
    AveragePoolLayer(Build &build, const AveragePool &node)
        : m_node(node)
        , m_in(build.image_layout(node.x))
        , m_width(m_in.lanes % 16 == 0 ? 16 : 8)
    {
    }

    void plan_backward(BackwardPlan &plan) override
    {
        m_dy = plan.take(m_node.y);
        m_dx = plan.give(m_node.x);
        for (const BufferPlanner::Id id : m_dy)
            plan.release(id);
    }
    void bind(const Memory &memory) override { m_memory = &memory; }

    void forward(PassState &) override
    {
        const float *x = m_memory->activation(m_node.x);
        float *y = m_memory->activation(m_node.y); // (N, C)
        const float scale = 1.0F / static_cast<float>(m_in.pixels);
        for_columns(m_in, m_width, [&](std::int64_t image, std::int64_t column) {
            const float *pixel = x + column_offset(m_in, m_width, image, column);
            float sum[16] = {};
            for (std::int64_t i = 0; i < m_in.pixels; ++i) {
                for (int l = 0; l < m_width; ++l)
                    sum[l] += pixel[i * m_in.lanes + l];
            }
            for (int l = 0; l < m_width; ++l)
                y[image * m_in.c + column * m_width + l] = sum[l] * scale;
        });
    }

    void backward(PassState &) override
    {
        add_contributions(*m_memory, m_dy, m_in.n * m_in.c);
        const float *dy = m_memory->buffer(m_dy[0]);
        float *dx = m_memory->buffer(m_dx);
        const float scale = 1.0F / static_cast<float>(m_in.pixels);
        for_columns(m_in, m_width, [&](std::int64_t image, std::int64_t column) {
            float *pixel = dx + column_offset(m_in, m_width, image, column);
            const float *gradient = dy + image * m_in.c + column * m_width;
            for (std::int64_t i = 0; i < m_in.pixels; ++i) {
                for (int l = 0; l < m_width; ++l)
                    pixel[i * m_in.lanes + l] = gradient[l] * scale;
            }
        });
    }

private:
    AveragePool m_node;
    ImageLayout m_in;
    int m_width;
    std::vector<BufferPlanner::Id> m_dy;
    BufferPlanner::Id m_dx;
    const Memory *m_memory = nullptr;
};

} // namespace

std::unique_ptr<Layer> make_layer(Build &build, const MaxPool &node)
{
    return std::make_unique<MaxPoolLayer>(build, node);
}

std::unique_ptr<Layer> make_layer(Build &build, const AveragePool &node)
{
    return std::make_unique<AveragePoolLayer>(build, node);
}

} // namespace sbtrain::cpu
