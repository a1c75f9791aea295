// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report_text.h"

#include <algorithm>
#include <array>

namespace sb {

namespace {

// Sorted by nothing: grouped by where they stand in the report.
constexpr auto kPhrases = std::to_array<ReportPhrase>({
    // Front and sections
    {"title", "Deep learning training performance report", "深度学习训练性能评测报告"},
    {"section.summary", "Summary", "摘要"},
    {"section.environment", "Environment", "环境"},
    {"section.topology", "Topology", "拓扑"},
    {"section.method", "Method", "方法"},
    {"section.frameworks", "Frameworks and versions", "框架与版本"},
    {"section.group", "%1, %2, batch %3 per %4", "%1，%2，每%4批大小 %3"},
    {"section.group.strong", "%1, %2, global batch %3 (strong scaling)", "%1，%2，全局批大小 %3（强扩展）"},
    {"section.comparisons", "Comparisons", "对比"},
    {"section.findings", "Findings", "结论"},
    {"section.problems", "Problems met", "遇到的问题"},
    {"section.appendix", "Appendix: commands and logs", "附录：命令与日志"},
    {"date", "Data of %1", "数据日期：%1"},
    {"table", "Table %1", "表 %1"},
    {"figure", "Figure %1", "图 %1"},
    {"page", "Page %1 of %2", "第 %1 页，共 %2 页"},
    {"contents", "Contents", "目录"},
    {"none", "No run has been measured yet.", "尚无已完成测量的运行。"},
    {"simulated", "SIMULATED", "模拟数据"},
    {"simulated.note", "SIMULATED: values are made up and stay marked as simulated.",
     "模拟数据：数值为虚构，并始终标为模拟。"},
    // Countables
    {"count.run", "run|runs", "次运行"},
    {"count.node", "node|nodes", "个节点"},
    {"count.gpu", "GPU|GPUs", "块 GPU"},
    {"count.device", "device|devices", "个设备"},
    {"count.repeat", "repeat|repeats", "次重复"},
    {"count.framework", "framework|frameworks", "个框架"},
    {"list.comma", ", ", "、"},
    {"list.colon", ": ", "："},
    {"list.last", " and ", "和"},
    {"device.gpu", "GPU", "卡"},
    {"device.cpu", "device", "设备"},
    {"devices.gpu", "GPUs", "GPU 数"},
    {"devices.cpu", "Devices", "设备数"},
    // Summary
    {"summary.scope", "%1 of %2 on %3; %4 measured, %5 not.",
     "%2的 %1，共用 %3；其中 %4 次已测量，%5 次未得到结果。"},
    {"summary.provenance", "%1 · %2 · %3", "%1 · %2 · %3"},
    // Environment
    {"env.intro", "As read from the nodes when the runs started.", "运行开始时从各节点读取。"},
    {"env.title", "Nodes", "节点"},
    {"env.none", "The runs carry no facts about their nodes.", "运行记录中没有节点信息。"},
    {"fact", "Fact", "项目"},
    {"value", "Value", "值"},
    {"env.nodes", "Nodes", "节点"},
    {"env.os", "Operating system", "操作系统"},
    {"env.kernel", "Kernel", "内核"},
    {"env.architecture", "Architecture", "架构"},
    {"env.cpu", "Processor", "处理器"},
    {"env.cores", "Cores that may be used", "可用核数"},
    {"env.simd", "Vector instructions", "向量指令"},
    {"env.memory", "Memory", "内存"},
    {"env.gpus", "GPUs", "GPU"},
    {"env.nogpu", "none", "无"},
    {"env.driver", "GPU driver", "GPU 驱动"},
    {"env.cuda", "CUDA", "CUDA"},
    {"env.network", "Network interfaces", "网络接口"},
    {"env.containers", "Container engines", "容器引擎"},
    {"env.slurm", "Slurm", "Slurm"},
    // Topology
    {"topology.title", "How the GPUs of %1 are wired", "%1 的 GPU 互连"},
    {"topology.nodes", "each of %1", "%1（各节点相同）"},
    // Method
    {"method.rule", "Each run skips %1 steps as warm-up and measures the next %2.",
     "每次运行跳过前 %1 步（预热），测量随后的 %2 步。"},
    {"method.throughput",
     "Throughput is the number of samples that all devices finish in a second over the measured steps: "
     "samples of those steps divided by the time from the end of the last warm-up step to the end of the "
     "last measured step.",
     "吞吐量为测量步内所有设备每秒完成的样本数：这些步的样本数除以从最后一个预热步结束到最后一个测量步结束的"
     "时间。"},
    {"method.median", "A case was run %1; its value is the median of the repeats.",
     "每例运行 %1，取各次重复的中位数。"},
    {"method.interval",
     "Intervals are order statistics of the repeats around the median, without assuming a distribution. "
     "Their true coverage is printed; where the repeats are too few for 95 % it is lower.",
     "区间为中位数两侧的次序统计量，不假设分布，并给出其真实置信水平；重复次数不足以达到 95 % "
     "时，该值更低。"},
    {"method.speedup",
     "Speedup is throughput divided by that of the same framework, batch size and precision on one device; "
     "efficiency is speedup divided by the number of devices. Where the run on one device is missing there "
     "is neither.",
     "加速比为吞吐量除以同一框架、批大小和精度在单设备上的吞吐量；效率为加速比除以设备数。缺少单设备结果时两"
     "者均不给出。"},
    {"method.device.gpu", "A device is one GPU, driven by one process.",
     "一个设备指一块 GPU，由一个进程驱动。"},
    {"method.device.cpu", "A device is one process that computes on %1.",
     "一个设备指一个进程，使用 %1 计算。"},
    {"method.threads", "%1 CPU threads", "%1 个 CPU 线程"},
    {"method.thread", "one CPU thread", "1 个 CPU 线程"},
    {"method.threads.free", "CPU threads of its own choice", "自行决定数量的 CPU 线程"},
    {"method.noise",
     "The noise grade is the range of the repeats over their median: A up to 1 %, B up to 3 %, C more.",
     "噪声等级为重复范围与中位数之比：A ≤ 1 %，B ≤ 3 %，C 更大。"},
    {"method.data", "Input: %1.", "输入数据：%1。"},
    {"method.data.synthetic", "synthetic data made in memory", "内存中生成的合成数据"},
    {"method.once", "once", "1 次"},
    {"method.times", "%1 times", "%1 次"},
    {"method.range", "%1 to %2 times", "%1–%2 次"},
    // Frameworks
    {"frameworks.title", "What was run", "所运行的程序"},
    {"col.framework", "Framework", "框架"},
    {"col.version", "Version", "版本"},
    {"col.path", "Code path", "代码路径"},
    {"col.device", "Ran on", "运行设备"},
    {"col.workloads", "Workloads", "任务"},
    {"col.runs", "Runs", "次数"},
    {"col.noise", "Noise", "噪声"},
    {"col.interval", "Interval at %1", "%1 设备区间"},
    {"col.low", "low", "下限"},
    {"col.high", "high", "上限"},
    {"col.coverage", "coverage", "置信水平"},
    {"col.image", "Image and digest", "镜像与摘要"},
    {"col.source", "Source and commit", "源码与提交"},
    {"col.features", "Features", "特性"},
    // Groups
    {"curve.pernode", "%1 a node", "每节点 %1"},
    {"curve.options", "%1", "%1"},
    {"curve.threads", "%1 threads", "%1 线程"},
    {"curve.steps", "steps %1", "步 %1"},
    {"throughput.title", "Throughput (%1/s)", "吞吐量（%1/秒）"},
    {"throughput.axis", "Throughput (%1/s)", "吞吐量（%1/秒）"},
    {"speedup.title", "Speedup over one %1", "相对单%1的加速比"},
    {"speedup.axis", "Speedup over 1 %1", "相对单%1的加速比"},
    {"efficiency.title", "Efficiency", "效率"},
    {"efficiency.axis", "Efficiency (%)", "效率（%）"},
    {"epoch.title", "Time for one epoch (%1 %2)", "一个 epoch 的时间（%1 %2）"},
    {"unit.images", "images", "图片"},
    {"unit.sequences", "sequences", "序列"},
    {"unit.samples", "samples", "样本"},
    {"ideal", "ideal", "理想线"},
    {"nobaseline", "No speedup: the run on one %1 is missing", "无加速比：缺少单%1结果"},
    {"group.note.scales", "Columns are numbers of %1: %2.", "列为 %1：%2。"},
    {"scale.is", "%1 = %2", "%1 = %2"},
    {"range", "%1 – %2", "%1 – %2"},
    {"time.h", "h", "小时"},
    {"time.min", "min", "分"},
    {"time.s", "s", "秒"},
    // Findings
    {"find.one", "%1 reaches %2 at %3.", "%1 在 %3 上达到 %2。"},
    {"find.one.speedup", "That is %1 × its throughput on one %2, an efficiency of %3.",
     "为其单%2吞吐量的 %1 倍，扩展效率 %3。"},
    {"find.best", "At %1, %2 has the highest throughput: %3, %4 % more than %5.",
     "在 %1 上，%2 的吞吐量最高：%3，比 %5 高 %4 %。"},
    {"find.tie",
     "At %1, the highest median is that of %2 (%3), but its interval overlaps that of %4: which is faster "
     "cannot be told.",
     "在 %1 上，%2 的中位数最高（%3），但其区间与 %4 的区间重叠，无法判断孰快。"},
    {"find.noint",
     "At %1, %2 shows the highest throughput: %3, against %4 of %5. Without repeats there is no interval, so "
     "whether the difference is real cannot be told.",
     "在 %1 上，%2 的吞吐量最高：%3，%5 为 %4。没有重复运行就没有区间，无法判断差异是否真实。"},
    {"find.eff", "%1 scales best: efficiency %2 at %3, against %4 of %5.",
     "%1 的扩展性最好：在 %3 上效率 %2，%5 为 %4。"},
    {"find.eff.tie",
     "The highest efficiency at %3 is that of %1 (%2), but within the repeats it cannot be told from that of "
     "%4.",
     "在 %3 上 %1 的效率最高（%2），但就现有重复而言无法与 %4 区分。"},
    {"find.eff.noint",
     "The highest efficiency at %3 is that of %1 (%2); without repeats it cannot be told from the others.",
     "在 %3 上 %1 的效率最高（%2）；没有重复运行，无法与其他框架区分。"},
    {"find.nobase", "%1: no speedup, because the run on one %2 is missing.", "%1：缺少单%2结果，无加速比。"},
    {"find.short", "%1 ends at %2.", "%1 的数据止于 %2。"},
    {"find.noise", "Repeats differ by more than 3 % for %1.", "以下各项的重复差异超过 3 %：%1。"},
    {"find.coverage", "%1 give an interval of %2; six or more give 95 %.",
     "%1 只能给出 %2 区间，6 次以上可达 95 %。"},
    {"find.at", "%1 at %2", "%1（%2）"},
    {"find.where", "%1: ", "%1："},
    // Comparisons
    {"cmp.title", "%1 against %2", "%1 对比 %2"},
    {"cmp.ratio", "A ÷ B", "A ÷ B"},
    {"cmp.interval", "95 % interval", "95 % 区间"},
    {"cmp.verdict", "Verdict", "判断"},
    {"cmp.faster", "faster", "更快"},
    {"cmp.slower", "slower", "更慢"},
    {"cmp.same", "the same", "相同"},
    {"cmp.cannot", "cannot tell", "无法判断"},
    {"cmp.note",
     "A: %1; B: %2. A verdict needs an interval of the ratio that does not contain 1, and 1 % of difference.",
     "A：%1；B：%2。只有比值区间不含 1 且相差达到 1 % 时才下判断。"},
    {"cmp.unlike", "† Unlike keys: workload, precision or batch differ; the ratio is not about one thing.",
     "† 键不同：任务、精度或批大小不同，比值并非只反映一个因素。"},
    {"cmp.published", "Published: %1.", "已发表：%1。"},
    // Problems
    {"problems.none", "Every run that was started was measured.", "所有已启动的运行均得到测量结果。"},
    {"problems.title", "Runs without a result", "没有结果的运行"},
    {"col.run", "Run", "运行"},
    {"col.case", "Case", "用例"},
    {"col.state", "State", "状态"},
    {"col.reason", "Reason", "原因"},
    {"state.done", "ended, not measured", "已结束，未能测量"},
    {"state.failed", "failed", "失败"},
    {"state.cancelled", "stopped", "已停止"},
    {"state.lost", "lost", "丢失"},
    {"state.open", "not finished", "未完成"},
    {"case", "%1, %2, %3, batch %4, %5", "%1，%2，%3，批大小 %4，%5"},
    {"noreason", "no reason recorded", "未记录原因"},
    // Appendix
    {"appendix.intro",
     "Command of rank 0 of every run, and the raw log that its numbers were computed from, relative to the "
     "workspace folder.",
     "每次运行 rank 0 的命令，以及计算其数值所依据的原始日志（相对于工作区文件夹）。"},
    {"appendix.ranks", "# rank 0 of %1", "# rank 0，共 %1 个"},
    // Published results
    {"ref.title", "Deep learning training performance report of %1, set anew",
     "%1 深度学习训练性能评测报告（重排版）"},
    {"ref.section", "%1, %2, batch %3 per GPU", "%1，%2，每卡批大小 %3"},
    {"ref.section.max", "%1, %2, greatest batch that fits (up to %3 per GPU)",
     "%1，%2，可容纳的最大批大小（每卡至多 %3）"},
    {"ref.summary",
     "Published results: %1. Throughputs are as printed there; speedups and efficiencies are computed from "
     "them. Nothing in this report was measured by Scaleboard.",
     "已发表的结果：%1。吞吐量按原文；加速比与效率由其计算。本报告中没有 Scaleboard 测量的数据。"},
    {"ref.environment", "As the publication says.", "按原文所述。"},
    {"ref.method.median",
     "A case was repeated, 5 to 7 times as the publication says, and the median printed. Where single runs "
     "were "
     "printed too, their interval stands beside it; elsewhere there is none.",
     "按原文每例重复 5–7 次，给出中位数。印有单次结果者附区间，其余没有。"},
    {"ref.method.unlike",
     "† marks a column that differs from its table's title; it is left out of the findings.",
     "† 表示该列与表题不一致，结论中不予比较。"},
    {"ref.unlike", "%1: %2.", "%1：%2。"},
    {"ref.unlike.v1b", "runs ResNet-50 v1b (gluon-cv), not v1.5",
     "运行的是 ResNet-50 v1b（gluon-cv），不是 v1.5"},
    {"ref.unlike.fp16", "FP16 without automatic mixed precision", "FP16，未使用自动混合精度"},
    {"ref.unlike.clip", "without gradient clipping", "未使用梯度裁剪"},
    {"ref.unlike.batch", "batch %1 per GPU, not %2", "每卡批大小 %1，不是 %2"},
    {"ref.printed", "Printed in %1, lines %2–%3.", "原文：%1，第 %2–%3 行。"},
    {"ref.commit", "Paths are of the repository %1 at %2.", "路径为仓库 %1 中的路径，提交 %2。"},
    {"ref.odd",
     "Printed speedups were computed again from the throughputs printed with them, in the report and in the "
     "repository's tables. Where a value does not follow, it is listed here; tables and figures above use "
     "the "
     "computed one.",
     "对报告与仓库各表中印出的加速比，按其所附吞吐量重新计算。不一致者列于此处；以上表与图均采用计算值。"},
    {"ref.odd.title", "Printed speedups that do not follow from the printed throughputs",
     "与所附吞吐量不一致的加速比"},
    {"ref.printed.value", "Printed", "原值"},
    {"ref.recomputed", "Computed", "计算值"},
    {"ref.where", "Printed in", "出处"},
    {"ref.sources", "Tables, their columns, and where they were printed", "各表、其列及出处"},
    {"ref.columns", "Columns", "列"},
    {"ref.section.appendix", "Appendix: sources", "附录：出处"},
    {"ref.appendix", "Files and lines are of %1 at %2.", "文件与行号对应 %1 的提交 %2。"},
    {"xlsx.sources", "Where numbers come from", "数值来源"},
    {"col.table", "Table", "表"},
    {"col.row", "Row", "行"},
    {"col.column", "Column", "列"},
    {"col.from", "Runs or source", "运行或来源"},
    {"neutral", "Names, addresses and home folders have been replaced.", "名称、地址和主目录已替换。"},
});

const ReportPhrase *find(std::string_view key)
{
    const auto found =
        std::find_if(kPhrases.begin(), kPhrases.end(), [key](const ReportPhrase &p) { return p.key == key; });
    return found == kPhrases.end() ? nullptr : &*found;
}

} // namespace

std::string reportLanguageName(ReportLanguage language)
{
    return language == ReportLanguage::Chinese ? "zh" : "en";
}

std::optional<ReportLanguage> reportLanguageFromName(std::string_view name)
{
    if (name == "en")
        return ReportLanguage::English;
    if (name == "zh" || name == "zh_CN")
        return ReportLanguage::Chinese;
    return std::nullopt;
}

std::string reportText(ReportLanguage language, std::string_view key,
                       std::initializer_list<std::string> arguments)
{
    const ReportPhrase *phrase = find(key);
    if (!phrase)
        return "<" + std::string(key) + ">";
    const std::string_view pattern = language == ReportLanguage::Chinese ? phrase->chinese : phrase->english;
    std::string text;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const bool place =
            pattern[i] == '%' && i + 1 < pattern.size() && pattern[i + 1] >= '1' && pattern[i + 1] <= '9';
        if (!place) {
            text += pattern[i];
            continue;
        }
        const auto index = static_cast<std::size_t>(pattern[++i] - '1');
        if (index < arguments.size())
            text += *(arguments.begin() + index);
    }
    return text;
}

std::string reportCount(ReportLanguage language, std::string_view noun, long long count)
{
    std::string forms = reportText(language, noun);
    if (const std::size_t bar = forms.find('|'); bar != std::string::npos)
        forms = count == 1 ? forms.substr(0, bar) : forms.substr(bar + 1);
    return std::to_string(count) + " " + forms;
}

const ReportPhrase *reportPhrases(std::size_t *count)
{
    *count = kPhrases.size();
    return kPhrases.data();
}

} // namespace sb
