// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the own attention reads and writes on the device, in a check.

#include "attention_reference.h"
#include "cuda/check.h"
#include "cuda/own_attention_fp32.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sbtrain::cuda {

inline const char *name_of(Precision precision)
{
    switch (precision) {
    case Precision::Fp32:
        return "fp32";
    case Precision::Tf32:
        return "tf32";
    case Precision::Fp16:
        return "fp16";
    case Precision::Bf16:
        return "bf16";
    }
    return "";
}

struct PoisonedVector {
    void *data = nullptr;
    std::size_t bytes = 0;
    explicit PoisonedVector(std::size_t size)
        : bytes(size)
    {
        check(cudaMalloc(&data, size), "allocate");
    }
    ~PoisonedVector() { cudaFree(data); }
    PoisonedVector(const PoisonedVector &) = delete;
    PoisonedVector &operator=(const PoisonedVector &) = delete;

    void poison() const { check(cudaMemset(data, 0xFF, bytes), "poison"); } // NaN in either type
    template <typename T>
    void upload(const std::vector<T> &from) const
    {
        check(cudaMemcpy(data, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice), "copy");
    }
    template <typename T>
    std::vector<T> download() const
    {
        std::vector<T> to(bytes / sizeof(T));
        check(cudaMemcpy(to.data(), data, bytes, cudaMemcpyDeviceToHost), "copy");
        return to;
    }
    template <typename T>
    T *as() const
    {
        return static_cast<T *>(data);
    }
};

// Behind every output: nothing may be written there.
constexpr std::size_t kGuard = 4096;

struct AttentionBuffers {
    PoisonedVector qkv, dy, lengths, pass, y, stats, kept, dqkv, dbias, partial;

    explicit AttentionBuffers(const OwnAttentionProblem &p)
        : qkv(elements(p) * 3 * size_of(p.type))
        , dy(elements(p) * size_of(p.type))
        , lengths(static_cast<std::size_t>(p.n) * 4)
        , pass(8)
        , y(elements(p) * size_of(p.type) + kGuard)
        , stats(static_cast<std::size_t>(p.n * p.heads * p.t) * 4 + kGuard)
        , kept(static_cast<std::size_t>(own_attention_kept_words(p)) * 4 + kGuard)
        , dqkv(elements(p) * 3 * size_of(p.type) + kGuard)
        , dbias(static_cast<std::size_t>(3 * p.heads * p.d) * 4 + kGuard)
        , partial(static_cast<std::size_t>(own_attention_partial_floats(p)) * 4 + kGuard)
    {
    }
    static std::size_t elements(const OwnAttentionProblem &p)
    {
        return static_cast<std::size_t>(p.n * p.t * p.heads * p.d);
    }
    void fill(const AttentionInputs &in) const
    {
        upload_as(in.problem.type, qkv, in.qkv);
        upload_as(in.problem.type, dy, in.dy);
        lengths.upload(in.lengths);
        pass.upload(std::vector<std::int64_t>{in.pass});
    }
    static void upload_as(Type type, const PoisonedVector &to, const std::vector<float> &values)
    {
        if (type == Type::F32)
            return to.upload(values);
        std::vector<std::uint16_t> raw(values.size());
        std::transform(values.begin(), values.end(), raw.begin(),
                       [type](float value) { return to_raw(type, value); });
        to.upload(raw);
    }
    static std::vector<float> values(Type type, const PoisonedVector &from)
    {
        if (type == Type::F32)
            return from.download<float>();
        const std::vector<std::uint16_t> raw = from.download<std::uint16_t>();
        std::vector<float> to(raw.size());
        std::transform(raw.begin(), raw.end(), to.begin(),
                       [type](std::uint16_t value) { return static_cast<float>(to_double(type, value)); });
        return to;
    }
    void poison() const
    {
        for (const PoisonedVector *output : {&y, &stats, &kept, &dqkv, &dbias, &partial})
            output->poison();
    }
    OwnAttentionPointers pointers() const
    {
        OwnAttentionPointers at;
        at.qkv = qkv.data;
        at.y = y.data;
        at.stats = stats.as<float>();
        at.kept = kept.as<std::uint32_t>();
        at.lengths = lengths.as<std::int32_t>();
        at.dy = dy.data;
        at.dqkv = dqkv.data;
        at.partial = partial.as<float>();
        return at;
    }
    DropoutSpec draw(const AttentionInputs &in) const
    {
        DropoutSpec spec = in.draw;
        spec.pass = pass.as<std::int64_t>();
        return spec;
    }
    void forward(const AttentionInputs &in) const
    {
        if (in.problem.type == Type::F32)
            own_attention_fp32_forward(in.problem, in.precision, draw(in), pointers(), nullptr);
        else
            own_attention_forward(in.problem, draw(in), pointers(), nullptr);
    }
    void backward(const AttentionInputs &in, const OwnAttentionPointers &at) const
    {
        if (in.problem.type == Type::F32)
            own_attention_fp32_backward(in.problem, in.precision, draw(in), at, nullptr);
        else
            own_attention_backward(in.problem, draw(in), at, nullptr);
    }
    void backward_and_bias(const AttentionInputs &in) const
    {
        backward(in, pointers());
        ColumnSums sums(nullptr);
        const std::int64_t columns = 3 * in.problem.heads * in.problem.d;
        sums.add({partial.as<float>(), static_cast<int>(in.problem.n), columns, columns, dbias.as<float>()});
        sums.flush();
    }
    void run(const AttentionInputs &in) const
    {
        forward(in);
        backward_and_bias(in);
        check(cudaDeviceSynchronize(), "compute attention");
    }
};

} // namespace sbtrain::cuda
