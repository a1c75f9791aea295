// SPDX-License-Identifier: GPL-3.0-or-later
// Rules for lines of text, on lines of the shapes that training programs print.
#include "catalog/line_head.h"
#include "catalog/log_reader.h"
#include "catalog/log_series.h"
#include "catalog/manifest.h"
#include "session/log_files.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sb {
namespace {

const Catalog &catalog()
{
    static const Catalog read = readCatalog(SCALEBOARD_SOURCE "/plugins");
    return read;
}

// A LogCollector and the rules it needs.
struct Read {
    explicit Read(std::initializer_list<std::string_view> lines, const std::string &only = "")
        : rules(lineFormats(catalog().frameworks, *catalog().words, only), *catalog().words)
        , collector(rules)
    {
        std::int64_t offset = 0;
        for (const std::string_view line : lines) {
            collector.read(line, offset);
            offset += static_cast<std::int64_t>(line.size()) + 1;
        }
    }
    std::vector<double> values() const
    {
        std::vector<double> numbers;
        for (const LogPoint &point : collector.series().points)
            if (point.value)
                numbers.push_back(*point.value);
        return numbers;
    }
    std::string failure() const { return collector.failure() ? collector.failure()->name : ""; }

    LineRules rules;
    LogCollector collector;
};

using Values = std::vector<double>;

TEST(Catalog, ReadsTheRulesOfLogs)
{
    ASSERT_TRUE(catalog().problems.empty()) << catalog().problems.front();
    ASSERT_TRUE(catalog().words);
    EXPECT_EQ(catalog().words->formats.back().name, "generic");
}

TEST(LineRules, FindNumbersWithUnitsInManySpellings)
{
    EXPECT_EQ(Read({"Epoch[0] Batch [20]\tSpeed: 5232.31 samples/sec\tloss=1"}).values(), Values{5232.31});
    EXPECT_EQ(Read({"Speed (samples/sec) 88.5 at step 3"}).values(), Values{88.5});
    EXPECT_EQ(Read({"step 4 throughput : 32.8"}).values(), Values{32.8});
    EXPECT_EQ(Read({"Iter #3: 343.9 img/sec per GPU"}).values(), Values{343.9});
    EXPECT_EQ(Read({"step 1, avg. samples / sec: 4,709.95"}).values(), Values{4709.95});
    EXPECT_EQ(Read({"[step 9]\tthroughput=122.0K tks/s\tlr=1"}).values(), Values{122000});
    EXPECT_EQ(Read({"iter 5 ips: 50.5 images/sec."}).values(), Values{50.5});
    EXPECT_EQ(Read({"step 2 dt 0.1 | 2.5e+03 tokens per second"}).values(), Values{2500});
    EXPECT_EQ(Read({"global_step/sec: 0.44182"}).values(), Values{0.44182});
    EXPECT_EQ(Read({"step: 3 time per step (ms): 212.5"}).values(), Values{212.5});
}

TEST(LineRules, DoNotGuessAtADecimalComma)
{
    EXPECT_EQ(Read({"step 3 Speed: 541,14 samples/sec"}).values(), Values{});
    EXPECT_EQ(Read({"step 3 tps: 177,138 tflops: 400"}).values(), Values{177138});
}

TEST(LineRules, KeepAGapWhereNotANumberIsPrinted)
{
    const Read read({"step 1 Speed: nan samples/sec", "step 2 Speed: 5 samples/sec accuracy=nan"});
    ASSERT_EQ(read.collector.series().points.size(), 2U);
    EXPECT_EQ(read.collector.series().points[0].value, std::nullopt);
    EXPECT_EQ(read.values(), Values{5});
}

TEST(LineRules, DoNotMixEvaluationWithTraining)
{
    EXPECT_EQ(Read({"step 1 train 100 images/s", "eval: step 1 900 images/s", "step 2 train 101 images/s"})
                  .values(),
              (Values{100, 101}));
}

TEST(LogCollector, TellsIntervalsFromSummaries)
{
    const Read read({"[Epoch 0 Batch 200/372] loss 6.5, throughput 426.35 samples/s",
                     "[Epoch 0 Batch 400/372] loss 6.4, throughput 409.79 samples/s",
                     "[Epoch 0] throughput 28348.05 samples/s"});
    EXPECT_EQ(read.values(), (Values{426.35, 409.79}));
}

TEST(LogCollector, CountsALineOfTwoLoggersOnce)
{
    const Read read(
        {"INFO:tensorflow:global_step/sec: 0.5",
         "I0219 19:44:36.885695 140385099970304 basic_session_run_hooks.py:692] global_step/sec: 0.5",
         "INFO:tensorflow:global_step/sec: 0.5",
         "I0219 19:47:54.756985 140385099970304 basic_session_run_hooks.py:692] global_step/sec: 0.5"});
    EXPECT_EQ(read.values(), (Values{0.5, 0.5}));
    EXPECT_NEAR(*read.collector.series().points[1].clockS - *read.collector.series().points[0].clockS, 197.87,
                0.01);
}

TEST(LogCollector, KeepsTheSameLineOfTwoRanks)
{
    const Read read(
        {"[1,0]<stdout>:step 1 Speed: 5 samples/sec", "[1,1]<stdout>:step 1 Speed: 5 samples/sec"});
    ASSERT_EQ(read.collector.series().points.size(), 2U);
    EXPECT_EQ(read.collector.series().points[1].rank, 1);
    EXPECT_EQ(read.collector.series().scope, "per_rank");
}

TEST(LogCollector, TakesNoNumberFromALineThatWasCutOff)
{
    Read read({"step 1 Speed: 541.14 samples/sec"});
    read.collector.read("step 2 Speed: 54 samples/s", 40, false);
    EXPECT_EQ(read.values(), Values{541.14});
}

TEST(LogCollector, TakesTheLastStateOfAProgressBar)
{
    const Read read({"  0%|          | 0/16 [00:00<?, ?it/s]",
                     " 50%|#####     | 8/16 [00:08<00:08, 1.00it/s]",
                     "100%|##########| 16/16 [00:16<00:00, 1.05it/s]"});
    EXPECT_EQ(read.values(), Values{1.05});
    EXPECT_EQ(read.collector.series().unit, "it/s");
}

TEST(LogCollector, NamesAFailureByWhatIsNearestToItsCause)
{
    EXPECT_EQ(Read({"[rank1]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB",
                    "[ERROR] [launch.py:321:sigkill_handler] exits with return code = 1"})
                  .failure(),
              "out-of-memory");
    EXPECT_EQ(
        Read({"slurmstepd: error: *** JOB 9 ON n1 CANCELLED AT 2021-05-24T09:50:34 DUE TO TIME LIMIT ***"})
            .failure(),
        "time-limit");
    EXPECT_EQ(Read({"training is done", "[ERROR] [launch.py:321:sigkill_handler] killed"}).failure(),
              "launcher-error-after-finish");
    EXPECT_EQ(Read({"NCCL INFO Call to connect returned Connection refused, retrying"}).failure(), "");
    EXPECT_EQ(
        Read({"misc/socket.cc:403 NCCL WARN Connect to fe80::1<4> failed : No route to host"}).failure(),
        "no-route-to-host");
    EXPECT_EQ(Read({"ModuleNotFoundError: No module named 'apex'"}).failure(), "missing-module");
    EXPECT_EQ(Read({"W horovod/common/stall_inspector.cc:105] One or more tensors were submitted"}).failure(),
              "");
}

TEST(LogCollector, FindsTheBatchOfAllDevices)
{
    EXPECT_EQ(Read({"batch_size_per_device = 128", "gpu_num_per_node = 8", "num_nodes = 2"})
                  .collector.globalBatch(),
              2048);
    EXPECT_EQ(Read({"python main.py --nnodes 2 --nproc_per_node 8 -b 128"}).collector.globalBatch(), 2048);
    EXPECT_EQ(Read({"nothing"}).collector.globalBatch(), std::nullopt);
    // Numbers that a fuzzer found: their product does not fit.
    EXPECT_EQ(
        Read({"world_size\":888888888888888888z88", "batch_size_per_device = 128"}).collector.globalBatch(),
        std::nullopt);
}

TEST(SamplesOf, CountsStepsFromOneAndOverEpochs)
{
    const auto stepsOf = [](const LogSeries &series) {
        std::vector<std::int64_t> steps;
        for (const Sample &sample : samplesOf(series, 0))
            steps.push_back(sample.step);
        return steps;
    };
    using Steps = std::vector<std::int64_t>;
    EXPECT_EQ(stepsOf(Read({"step 0 1 img/s", "step 1 1 img/s"}).collector.series()), (Steps{1, 2}));
    EXPECT_EQ(stepsOf(Read({"step 19 1 img/s", "step 39 1 img/s"}).collector.series()), (Steps{20, 40}));
    EXPECT_EQ(stepsOf(Read({"Batch [0-20] 1 img/s", "Batch [20-40] 1 img/s"}).collector.series()),
              (Steps{20, 40}));
    EXPECT_EQ(stepsOf(Read({"step 1 1 img/s", "step 2 1 img/s", "step 1 1 img/s"}).collector.series()),
              (Steps{1, 2, 3}));
}

// The forms in which the official scripts of each framework print, one line each.
TEST(Plugins, ReadTheLinesOfTheOfficialScripts)
{
    struct Form {
        const char *framework;
        std::string_view line;
        double value;
        std::string unit;
        std::int64_t step;
    };
    for (const Form &form :
         {Form{"oneflow",
               "train: epoch 0, iter 40, loss: 6.5, top_1: 0.1, top_k: 0.2, samples/s: 310.5 1600000000.25",
               310.5, "images/s", 40},
          Form{"oneflow",
               "step: 39, total_loss: 9.5, mlm_loss: 8.8, nsp_loss: 0.7, throughput: 120.5 1600000000.5",
               120.5, "sequences/s", 39},
          Form{"oneflow",
               "| 30       | 960             | 15360           | 41.5       | 12.5       | 9.5        |",
               41.5, "sequences/s", 30},
          Form{"oneflow", "[rank:0] iter: 300/1200, loss: 0.05, latency(ms): 2.5 | 2021-12-01 13:19:03.000",
               2.5, "ms/iteration", 300},
          Form{"pytorch",
               "DLL 2020-09-15 14:29:13.5 - Epoch: 0 Iteration: 7  train.loss : 7.1  train.total_ips : 95.5 "
               "img/s",
               95.5, "images/s", 7},
          Form{"pytorch", "Epoch: [0][ 12/53]\tTime  0.455 ( 1.5)\tData  0.1 ( 0.1)\tLoss 6.5e+00 (6.6e+00)",
               0.455, "s/iteration", 12},
          Form{"tensorflow1",
               "DLL 2020-09-01 06:41:11.98 - (3, 16135) imgs_per_sec : 1146.5  cross_entropy : 3.4", 1146.5,
               "images/s", 16135},
          Form{"tensorflow1",
               "[1,0]<stdout>:DLL 2020-12-07 17:14:05.27 - Iteration: 46  throughput_train : 154.5 seq/s "
               "mlm_loss : 10",
               154.5, "sequences/s", 46},
          Form{"tensorflow2",
               "I0826 15:13:29.25 1404 keras_utils.py:133] TimeHistory: 39.13 seconds, 327.5 examples/second "
               "between steps 100 and 200",
               327.5, "images/s", 100},
          Form{"mxnet", "INFO:root:Epoch[1] Batch [20]\tSpeed: 4400.5 samples/sec\tTrain-accuracy=0.3",
               4400.5, "images/s", 20},
          Form{"mxnet",
               "[step 120]\tmlm_loss=8.1\tthroughput=19.6K tks/s\tlr=0.1 time=0.21, latency=212.5 ms/batch",
               212.5, "ms/iteration", 120},
          Form{"mxnet", "Iter:120 Rank:180.5 it/sec Total:1434.5 it/sec", 1434.5, "images/s", 120},
          Form{"paddle", "[Pass 0, train batch 21] \tloss 6.9, acc1 0.0, acc5 0.0, lr 0.1, elapse 0.125 sec",
               0.125, "s/iteration", 21},
          Form{"paddle",
               "epoch: 0, progress: 1/20, step: 20, loss: 10.1, ppl: 2.5, next_sent_acc: 0.5, speed: 0.25 "
               "steps/s, file: x",
               0.25, "steps/s", 20}}) {
        SCOPED_TRACE(form.line);
        const LogSeries series = Read({form.line}, form.framework).collector.series();
        ASSERT_EQ(series.points.size(), 1U);
        EXPECT_EQ(series.points[0].value, form.value);
        EXPECT_EQ(series.points[0].step, form.step);
        EXPECT_EQ(series.unit, form.unit);
        EXPECT_EQ(series.format, form.framework);
    }
}

TEST(LineHead, TakesRankHostAndClock)
{
    const LineHeadReader heads(*catalog().words);
    EXPECT_EQ(heads.read("[1,5]<stderr>:2020-10-30 06:30:36,512: x").rank, 5);
    EXPECT_EQ(heads.read("10: + date").rank, 10);
    EXPECT_EQ(heads.read("vm-07-05: training").host, "vm-07-05");
    EXPECT_EQ(heads.read("[default3]:[2023-01-01 00:00:01] x").rest, "x");
    EXPECT_NEAR(*heads.read("DLL 2020-09-15 14:29:13.473765 - Epoch: 0").clockS, 1600180153.473765, 1e-4);
    EXPECT_EQ(heads.read("Iteration 3").clockS, std::nullopt);
}

TEST(LineHead, StripsColours)
{
    EXPECT_EQ(withoutColours("\x1b[31mloss: 1\x1b[0m \x1b]0;title\x07x\x1b[4"), "loss: 1 x");
    EXPECT_EQ(Read({"\x1b[31mstep:\x1b[0m 10  \x1b[32mtps: 1,071\x1b[39m"}).values(), Values{1071});
}

TEST(LogReader, MakesALiveCurveOfTextLines)
{
    LogFormat format{LogRule::Lines, catalog().words->formats.back().lines};
    format.words = catalog().words;
    LogReader reader(format, 0);
    EXPECT_EQ(reader.readLine("hello", 0), LogReader::Kind::Other);
    ASSERT_EQ(reader.readLine("step 7 120.5 images/s", 6), LogReader::Kind::Step);
    EXPECT_EQ(reader.sample().step, 7);
    EXPECT_EQ(reader.sample().samplesPerS, 120.5);
    EXPECT_EQ(reader.sample().logOffset, 6);
    reader.readLine("RuntimeError: CUDA out of memory.", 30);
    ASSERT_TRUE(reader.failure());
    EXPECT_EQ(reader.failure()->name, "out-of-memory");
}

TEST(LogWords, NamesWhatIsWrongWithAPattern)
{
    const auto unknown =
        readLogWords(R"({"schema": 1, "formats": [{"name": "x", "lines": [{"pattern": "{NO}"}]}]})", "l");
    ASSERT_FALSE(unknown.ok());
    EXPECT_NE(unknown.error().message.find("{NO}"), std::string::npos) << unknown.error().message;
    const auto broken = readLogWords(R"({"schema": 1, "finished": ["(a"]})", "l");
    ASSERT_FALSE(broken.ok());
    EXPECT_NE(broken.error().message.find("RE2"), std::string::npos) << broken.error().message;
    EXPECT_EQ(readLogWords(R"({"schema": 2})", "l").error().code, ErrorCode::Newer);
}

} // namespace
} // namespace sb
