// SPDX-License-Identifier: Apache-2.0
#pragma once

// Matrix products in double precision by cuBLAS on the device, and how far a result is from them.

#include "cuda/gemm.h"
#include "device_vector.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cublas_v2.h>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace sbtrain::cuda {

using Floats = std::vector<float>;

template <typename T>
DeviceVector on_device(const std::vector<T> &values)
{
    DeviceVector memory(values.size() * sizeof(T));
    upload(memory, values.data(), values.size() * sizeof(T));
    return memory;
}

template <typename T>
std::vector<T> download(const DeviceVector &from, std::size_t count)
{
    std::vector<T> values(count);
    check(cudaMemcpy(values.data(), from.data, count * sizeof(T), cudaMemcpyDeviceToHost), "copy");
    return values;
}

inline GemmProblem problem_of(std::int64_t m, std::int64_t n, std::int64_t k, bool transpose_a,
                              bool transpose_b)
{
    GemmProblem p;
    p.transpose_a = transpose_a;
    p.transpose_b = transpose_b;
    p.m = m;
    p.n = n;
    p.k = k;
    p.lda = transpose_a ? m : k;
    p.ldb = transpose_b ? k : n;
    p.ldc = n;
    return p;
}

inline std::string name_of(const GemmProblem &p)
{
    char text[128];
    std::snprintf(text, sizeof text, "%lldx%lldx%lld %c%c%s%s", static_cast<long long>(p.m),
                  static_cast<long long>(p.n), static_cast<long long>(p.k), p.transpose_a ? 'T' : 'N',
                  p.transpose_b ? 'T' : 'N', p.accumulate ? " added" : "", p.bias ? " bias" : "");
    return text;
}

// What factors are filled with.
using Fill = std::function<float(std::mt19937 &)>;

inline float normal(std::mt19937 &random)
{
    return std::normal_distribution<float>(0.0F, 1.0F)(random);
}

inline Floats filled(std::mt19937 &random, std::int64_t count, const Fill &fill)
{
    Floats values(static_cast<std::size_t>(count));
    for (float &value : values)
        value = fill(random);
    return values;
}

struct Factors {
    Floats a, b, start, bias; // start: c before, poisoned where it is not read
};

inline Factors factors_of(const GemmProblem &p, std::mt19937 &random, const Fill &fill_a, const Fill &fill_b)
{
    Factors f{filled(random, p.m * p.k, fill_a), filled(random, p.k * p.n, fill_b),
              filled(random, p.m * p.ldc, normal), filled(random, p.n, normal)};
    for (std::size_t i = 0; i < f.start.size(); ++i) {
        if (!p.accumulate || static_cast<std::int64_t>(i) % p.ldc >= p.n)
            f.start[i] = std::numeric_limits<float>::quiet_NaN();
    }
    return f;
}

// What cuBLAS computes of factors of type T, (m, n) without gaps.
class Library {
public:
    Library() { check(cublasCreate(&m_handle), "start cuBLAS"); }
    ~Library() { cublasDestroy(m_handle); }
    Library(const Library &) = delete;
    Library &operator=(const Library &) = delete;

    template <typename T>
    std::vector<T> multiply(const GemmProblem &p, const std::vector<T> &a, const std::vector<T> &b) const
    {
        const DeviceVector on_a = on_device(a);
        const DeviceVector on_b = on_device(b);
        const auto count = static_cast<std::size_t>(p.m * p.n);
        const DeviceVector on_c(count * sizeof(T));
        const auto left = p.transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N; // column-major: b comes first
        const auto right = p.transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N;
        const auto number = [](std::int64_t value) { return static_cast<int>(value); };
        const T one = 1;
        const T zero = 0;
        if constexpr (std::is_same_v<T, double>)
            check(cublasDgemm(m_handle, left, right, number(p.n), number(p.m), number(p.k), &one,
                              on_b.as<double>(), number(p.ldb), on_a.as<double>(), number(p.lda), &zero,
                              on_c.as<double>(), number(p.n)),
                  "multiply");
        else
            check(cublasSgemm(m_handle, left, right, number(p.n), number(p.m), number(p.k), &one,
                              on_b.as<float>(), number(p.ldb), on_a.as<float>(), number(p.lda), &zero,
                              on_c.as<float>(), number(p.n)),
                  "multiply");
        return download<T>(on_c, count);
    }

private:
    cublasHandle_t m_handle = nullptr;
};

// op(a) op(b) in double, and the sums of |a b| that errors are measured in.
struct Truth {
    std::vector<double> c, size;
};

inline Truth truth_of(const GemmProblem &p, const Factors &f, const Library &library)
{
    std::vector<double> a(f.a.begin(), f.a.end());
    std::vector<double> b(f.b.begin(), f.b.end());
    Truth truth;
    truth.c = library.multiply(p, a, b);
    for (auto *values : {&a, &b}) {
        for (double &value : *values)
            value = std::abs(value);
    }
    truth.size = library.multiply(p, a, b);
    for (std::size_t i = 0; i < truth.c.size(); ++i) {
        const auto row = static_cast<std::int64_t>(i) / p.n;
        const auto column = static_cast<std::int64_t>(i) % p.n;
        double extra = 0.0;
        if (p.accumulate)
            extra += static_cast<double>(f.start[static_cast<std::size_t>(row * p.ldc + column)]);
        if (p.bias)
            extra += static_cast<double>(f.bias[static_cast<std::size_t>(column)]);
        truth.c[i] += extra;
        truth.size[i] += std::abs(extra);
    }
    return truth;
}

// Errors in units of 2^-24 of an element's sum of |a b|: root of the mean square, mean, largest.
struct Errors {
    double rms = 0.0, mean = 0.0, worst = 0.0;
    std::size_t where = 0; // the largest
};

inline Errors errors_of(const GemmProblem &p, const Truth &truth, const Floats &c, std::int64_t ldc)
{
    Errors errors;
    for (std::size_t i = 0; i < truth.c.size(); ++i) {
        const auto row = static_cast<std::int64_t>(i) / p.n;
        const auto column = static_cast<std::int64_t>(i) % p.n;
        const auto got = static_cast<double>(c[static_cast<std::size_t>(row * ldc + column)]);
        double error = (got - truth.c[i]) / truth.size[i] * 0x1p24;
        if (truth.size[i] == 0.0)
            error = got == 0.0 ? 0.0 : 1e30;
        if (!std::isfinite(error))
            error = 1e30;
        errors.rms += error * error;
        errors.mean += error;
        if (std::abs(error) > errors.worst) {
            errors.worst = std::abs(error);
            errors.where = i;
        }
    }
    const auto count = static_cast<double>(truth.c.size());
    errors.rms = std::sqrt(errors.rms / count);
    errors.mean /= count;
    return errors;
}

} // namespace sbtrain::cuda
