// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the event lines of a training program and trains nothing, like tests/support/bin/sb-test-steps.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

int main(int argc, char **argv)
{
    if (argc > 1 && std::strcmp(argv[1], "--version") == 0) {
        std::puts("sb-test-steps 1, built here");
        return 0;
    }
    if (argc < 6)
        return 2;
    const int steps = std::atoi(argv[3]);
    const int batch = std::atoi(argv[4]);
    const double pauseS = std::atof(argv[5]);
    const char *world = std::getenv("WORLD_SIZE");
    std::printf(
        "{\"schema\":1,\"event\":\"start\",\"unit\":\"images\",\"global_batch_size\":%d,\"world_size\":%s,"
        "\"version\":\"built\"}\n{\"event\":\"ready\",\"time_s\":0}\n",
        batch, world ? world : "1");
    for (int step = 1; step <= steps; ++step) {
        std::this_thread::sleep_for(std::chrono::duration<double>(pauseS));
        std::printf(
            "{\"event\":\"step\",\"step\":%d,\"time_s\":%.6f,\"step_ms\":%.3f,\"loss\":1.5,\"samples\":%d}\n",
            step, step * pauseS, 1e3 * pauseS, batch);
        std::fflush(stdout);
    }
    std::printf("{\"event\":\"end\",\"status\":\"ok\",\"steps\":%d}\n", steps);
    return 0;
}
