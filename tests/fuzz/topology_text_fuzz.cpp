// SPDX-License-Identifier: GPL-3.0-or-later
// The whole way: any text to a topology, its meaning in both languages, and JSON.
#include "fuzz_check.h"

#include "core/topology_meaning.h"
#include "core/topology_parser.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace sb;
    const Topology topology = parseTopology(fuzz::textOf(data, size));
    fuzz::checkTopology(topology);
    const TopologyMeaning meaning = topologyMeaning(topology);
    for (const Sentence &sentence : meaning.sentences)
        for (const WordLanguage language : {WordLanguage::English, WordLanguage::Chinese})
            fuzz::require(!sentenceText(sentence, language).empty());
    // Nothing that needs a cell nobody could read is offered.
    const GpuGraph graph = gpuGraph(topology);
    for (const BestSet &set : meaning.bestSets)
        for (const int a : set.gpus)
            for (const int b : set.gpus)
                fuzz::require(graph.link(a, b).has_value());
    fuzz::require(bool(parseJson(writeJson(meaningJson(topology, meaning)), "fuzz")));
    return 0;
}
