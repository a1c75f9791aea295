// SPDX-License-Identifier: Apache-2.0
#pragma once

// Work beside the main stream, recorded with it where it is recorded. Calls throw CudaError.

#include "check.h"

#include <cuda_runtime.h>

namespace sbtrain::cuda {

class SideStream {
public:
    SideStream()
    {
        check(cudaStreamCreateWithFlags(&m_stream, cudaStreamNonBlocking), "make a stream");
        for (cudaEvent_t *event : {&m_begin, &m_end})
            check(cudaEventCreateWithFlags(event, cudaEventDisableTiming), "make an event");
    }
    ~SideStream()
    {
        cudaStreamDestroy(m_stream);
        cudaEventDestroy(m_begin);
        cudaEventDestroy(m_end);
    }
    SideStream(const SideStream &) = delete;
    SideStream &operator=(const SideStream &) = delete;

    // Runs body(stream) after what `main` has been given so far.
    template <typename Body>
    void fork(cudaStream_t main, Body body)
    {
        check(cudaEventRecord(m_begin, main), "begin beside the main stream");
        check(cudaStreamWaitEvent(m_stream, m_begin, 0), "begin beside the main stream");
        body(m_stream);
        check(cudaEventRecord(m_end, m_stream), "end beside the main stream");
    }
    // What `main` is given from now on waits for it.
    void join(cudaStream_t main) { check(cudaStreamWaitEvent(main, m_end, 0), "wait for a side stream"); }

private:
    cudaStream_t m_stream = nullptr;
    cudaEvent_t m_begin = nullptr, m_end = nullptr;
};

} // namespace sbtrain::cuda
