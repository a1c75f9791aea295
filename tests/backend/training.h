// SPDX-License-Identifier: Apache-2.0
#pragma once

// Helpers that train on the CPU device inside the test process.

#include "cpu/cpu_device.h"
#include "models/model.h"

#include <map>
#include <string>
#include <vector>

namespace sbtrain::test {

// Compiles on the CPU; throws with the message if that fails.
std::unique_ptr<Program> compile(const Graph &graph, const ProgramSettings &settings);

std::vector<float> read_parameter(Program &program, const Graph &graph, std::size_t index);
std::vector<float> read_gradient(Program &program, const Graph &graph, std::size_t index);

// A batch with random content for whatever the graph reads. Labels are below `classes`.
Batch random_batch(const Graph &graph, std::uint64_t seed);

// Writes initial values with noise on top, so that no norm's scale is 1 and no bias is 0.
void write_noisy_parameters(Program &program, const Graph &graph, std::uint64_t seed);

// Compares every gradient of the graph with central differences of the loss: along the gradient itself, and
// at single elements. Reports failures as GoogleTest expectations that name the parameter.
void expect_gradients_match_differences(const Graph &graph, const ProgramSettings &settings,
                                        const Batch &batch);

double dot(const std::vector<float> &a, const std::vector<float> &b);

} // namespace sbtrain::test
