# SPDX-License-Identifier: Apache-2.0
# The CUDA device: CUDA 11.8 to 13, cuDNN 9 (8.9 without fused attention), cudnn-frontend's headers (1.23 is
# what it was written against, from 1.14 on; CUDA 11.8 takes 1.14, for 1.23 wants CUDA 12). Seen to build: 11.8
# and 12.4 as Debian 12 and 13 have them, and 13.0. Included from ../CMakeLists.txt; sets SBTRAIN_HAVE_CUDA and
# adds sbtrain_cuda.
set(SBTRAIN_HAVE_CUDA OFF)
set(SBTRAIN_CUDNN_FRONTEND "" CACHE PATH "Folder with cudnn_frontend.h (of the package nvidia-cudnn-frontend)")
set(missing "")

include(CheckLanguage)
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  list(APPEND missing "nvcc")
else()
  find_package(CUDAToolkit 11.8 QUIET)
  if(NOT CUDAToolkit_FOUND)
    list(APPEND missing "the CUDA toolkit 11.8 or newer")
  else()
    find_path(SBTRAIN_CUDNN_INCLUDE cudnn.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
    find_library(SBTRAIN_CUDNN_LIBRARY cudnn HINTS ${CUDAToolkit_LIBRARY_DIR} ${CUDAToolkit_LIBRARY_ROOT}/lib)
    find_path(SBTRAIN_CUDNN_FRONTEND_INCLUDE cudnn_frontend.h
      HINTS ${SBTRAIN_CUDNN_FRONTEND} ${SBTRAIN_CUDNN_FRONTEND}/include)
    foreach(pair "SBTRAIN_CUDNN_INCLUDE;cudnn.h" "SBTRAIN_CUDNN_LIBRARY;libcudnn"
        "SBTRAIN_CUDNN_FRONTEND_INCLUDE;cudnn_frontend.h (set SBTRAIN_CUDNN_FRONTEND)")
      list(GET pair 0 variable)
      list(GET pair 1 what)
      if(NOT ${variable})
        list(APPEND missing "${what}")
      endif()
    endforeach()
  endif()
endif()

if(missing)
  list(JOIN missing ", " missing)
  if(SBTRAIN_CUDA STREQUAL "ON")
    message(FATAL_ERROR "SBTRAIN_CUDA is ON, but this is missing: ${missing}")
  endif()
  message(STATUS "sbtrain without the CUDA device; missing: ${missing}")
  return()
endif()

# Every architecture this compiler still knows, and PTX of the newest for what comes after it.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(wanted 70 75 80 86 89 90 100 120)
  execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --list-gpu-code OUTPUT_VARIABLE known)
  set(architectures "")
  foreach(architecture ${wanted})
    if(known MATCHES "sm_${architecture}[^0-9a-z]")
      list(APPEND architectures ${architecture}-real)
      set(newest ${architecture})
    endif()
  endforeach()
  set(CMAKE_CUDA_ARCHITECTURES ${architectures} ${newest}-virtual)
endif()
enable_language(CUDA)
# nvcc may have an older host compiler than C++ has, whose libstdc++ lacks what libraries ask for.
list(FILTER CMAKE_CUDA_IMPLICIT_LINK_DIRECTORIES EXCLUDE REGEX "/gcc/")

add_library(sbtrain_cuda STATIC
  cuda/attention.cpp
  cuda/average_pool.cpp
  cuda/bn_kernels.cu
  cuda/column_sums.cu
  cuda/check.cpp
  cuda/conv.cpp
  cuda/conv_bn.cpp
  cuda/conv_bn_fusion.cpp
  cuda/conv_bn_run.cpp
  cuda/conv_kernels.cu
  cuda/counters.cpp
  cuda/cross_entropy.cpp
  cuda/cuda_batches.cpp
  cuda/cuda_device.cpp
  cuda/cuda_exchange.cpp
  cuda/cuda_memory.cpp
  cuda/cuda_parameters.cpp
  cuda/cuda_program.cpp
  cuda/cuda_step.cpp
  cuda/device_block.cpp
  cuda/dnn.cpp
  cuda/embedding.cpp
  cuda/embedding_backward.cu
  cuda/embedding_forward.cu
  cuda/gather_kernels.cu
  cuda/gemm.cpp
  cuda/input_kernels.cu
  cuda/lamb_kernels.cu
  cuda/layer.cpp
  cuda/linear.cpp
  cuda/loss_kernels.cu
  cuda/memory_plan.cpp
  cuda/norm_backward.cu
  cuda/norm_kernels.cu
  cuda/own_attention_fp32.cu
  cuda/own_attention_layer.cpp
  cuda/own_small_products.cu
  cuda/sequence.cpp
  cuda/stem_kernels.cu
  cuda/step_kernels.cu
  cuda/token_kernels.cu
  cuda/update_kernels.cu)
# wgmma and the copy engine of Hopper; other devices take the libraries.
if(CUDAToolkit_VERSION VERSION_GREATER_EQUAL 12)
  target_sources(sbtrain_cuda PRIVATE $<TARGET_OBJECTS:sbtrain_hopper> cuda/tensor_map.cpp)
  add_library(sbtrain_hopper OBJECT cuda/own_attention.cu cuda/own_backward.cu cuda/own_conv16.cu
    cuda/own_gelu_gemm.cu cuda/own_gemm.cu cuda/own_split_gemm.cu cuda/own_wgrad.cu
    cuda/own_wgrad_sums.cu)
  set_target_properties(sbtrain_hopper PROPERTIES CUDA_ARCHITECTURES OFF CUDA_EXTENSIONS OFF
    POSITION_INDEPENDENT_CODE ON)
  target_compile_options(sbtrain_hopper PRIVATE -gencode=arch=compute_90a,code=sm_90a -O3
    --expt-relaxed-constexpr -Xcompiler=-Wall,-Wextra)
else()
  target_sources(sbtrain_cuda PRIVATE cuda/own_attention_missing.cpp cuda/own_backward_missing.cpp
    cuda/own_conv16_missing.cpp cuda/own_gelu_gemm_missing.cpp cuda/own_gemm_missing.cpp
    cuda/own_split_gemm_missing.cpp cuda/own_wgrad_missing.cpp)
endif()
target_compile_features(sbtrain_cuda PUBLIC cxx_std_20)
set_target_properties(sbtrain_cuda PROPERTIES CXX_EXTENSIONS OFF CUDA_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
target_compile_options(sbtrain_cuda PRIVATE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wconversion -Wshadow>
  $<$<COMPILE_LANGUAGE:CUDA>:-O3 --expt-relaxed-constexpr -Xcompiler=-Wall,-Wextra>)
target_include_directories(sbtrain_cuda PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
target_include_directories(sbtrain_cuda SYSTEM PUBLIC ${CUDAToolkit_INCLUDE_DIRS} ${SBTRAIN_CUDNN_INCLUDE})
target_include_directories(sbtrain_cuda SYSTEM PRIVATE
  $<$<COMPILE_LANGUAGE:CXX>:${SBTRAIN_CUDNN_FRONTEND_INCLUDE}>)
set_source_files_properties(cuda/dnn.cpp PROPERTIES COMPILE_DEFINITIONS CUDNN_FRONTEND_SKIP_JSON_LIB
  COMPILE_OPTIONS -O1)
# cudnn-frontend's attention compiles kernels at run time.
target_link_libraries(sbtrain_cuda PUBLIC CUDA::cudart_static CUDA::cublas CUDA::cublasLt CUDA::nvrtc
  ${SBTRAIN_CUDNN_LIBRARY})
target_sources(sbtrain_cuda PRIVATE bench/cuda_bench.cpp)
find_path(SBTRAIN_NCCL_INCLUDE nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
find_library(SBTRAIN_NCCL_LIBRARY nccl HINTS ${CUDAToolkit_LIBRARY_DIR} ${CUDAToolkit_LIBRARY_ROOT}/lib)
if(SBTRAIN_NCCL_INCLUDE AND SBTRAIN_NCCL_LIBRARY)
  target_sources(sbtrain_cuda PRIVATE comm/nccl_communicator.cpp)
  target_include_directories(sbtrain_cuda SYSTEM PUBLIC ${SBTRAIN_NCCL_INCLUDE})
  target_compile_definitions(sbtrain_cuda PUBLIC SBTRAIN_WITH_NCCL)
  # The communicator meets others through the core's sockets: each library needs the other.
  target_link_libraries(sbtrain_cuda PUBLIC ${SBTRAIN_NCCL_LIBRARY} INTERFACE sbtrain_core)
else()
  message(STATUS "sbtrain without NCCL: several processes exchange gradients through the host")
endif()
set(SBTRAIN_NVJPEG "" CACHE PATH "Folder with include/nvjpeg.h and lib/libnvjpeg.so, if not the toolkit's")
find_path(SBTRAIN_NVJPEG_INCLUDE nvjpeg.h HINTS ${SBTRAIN_NVJPEG}/include ${CUDAToolkit_INCLUDE_DIRS})
find_library(SBTRAIN_NVJPEG_LIBRARY NAMES nvjpeg libnvjpeg.so.13 libnvjpeg.so.12
  HINTS ${SBTRAIN_NVJPEG}/lib ${CUDAToolkit_LIBRARY_DIR})
if(JPEG_FOUND AND SBTRAIN_NVJPEG_INCLUDE AND SBTRAIN_NVJPEG_LIBRARY)
  target_sources(sbtrain_cuda PRIVATE cuda/nvjpeg_decoder.cpp cuda/picture_kernels.cu
    cuda/picture_layout.cpp)
  target_include_directories(sbtrain_cuda SYSTEM PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${SBTRAIN_NVJPEG_INCLUDE}>)
  set_source_files_properties(cuda/cuda_device.cpp PROPERTIES COMPILE_DEFINITIONS SBTRAIN_WITH_NVJPEG)
  # The decoder reads files by the core's JpegFile.
  target_link_libraries(sbtrain_cuda PUBLIC ${SBTRAIN_NVJPEG_LIBRARY} INTERFACE sbtrain_core)
  set(SBTRAIN_HAVE_NVJPEG ON)
  set(jpeg "JPEG files by nvJPEG")
else()
  set(jpeg "JPEG files on the processor: no nvJPEG")
endif()
set(SBTRAIN_HAVE_CUDA ON)
message(STATUS "sbtrain with the CUDA device: toolkit ${CUDAToolkit_VERSION}, ${CMAKE_CUDA_ARCHITECTURES}; ${jpeg}")
