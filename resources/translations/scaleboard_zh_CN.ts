<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>sb::EnvironmentForm</name>
    <message>
        <source>as on the node</source>
        <translation>节点本身</translation>
    </message>
    <message>
        <source>Environment of %1</source>
        <translation>%1 的环境</translation>
    </message>
    <message>
        <source>Where it runs on a node: venv:/folder, conda:name, module:name, or in a container: docker:image, podman:image, apptainer:image, enroot:image. Those that every node has are offered.</source>
        <translation>它在节点上的运行位置：venv:/文件夹、conda:名称、module:名称，或在容器中：docker:镜像、podman:镜像、apptainer:镜像、enroot:镜像。所有节点都有的环境会列出供选择。</translation>
    </message>
</context>
<context>
    <name>DialogText</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>About Scaleboard</source>
        <translation>关于 Scaleboard</translation>
    </message>
    <message>
        <source>Measures how training scales over devices and nodes.</source>
        <translation>测量训练速度如何随设备和节点数量扩展。</translation>
    </message>
    <message>
        <source>Free software under the GNU General Public License, version 3 or later.
Built on Qt %1 and QCustomPlot.</source>
        <translation>自由软件，遵循 GNU 通用公共许可证第 3 版或更高版本。
基于 Qt %1 和 QCustomPlot。</translation>
    </message>
</context>
<context>
    <name>Duration</name>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 分 %2 秒</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 分</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 小时</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 小时 %2 分</translation>
    </message>
</context>
<context>
    <name>LiveText</name>
    <message>
        <source>measured: steps %1–%2</source>
        <translation>测量：第 %1–%2 步</translation>
    </message>
    <message>
        <source>one step measured</source>
        <translation>已测量一步</translation>
    </message>
    <message>
        <source>warm-up, not counted</source>
        <translation>预热，不计入</translation>
    </message>
    <message>
        <source>before the first step</source>
        <translation>首步尚未出现</translation>
    </message>
    <message>
        <source>stale · %1 s old</source>
        <translation>已过时 · %1 秒前</translation>
    </message>
    <message>
        <source>ms a step</source>
        <translation>毫秒/步</translation>
    </message>
    <message>
        <source>p95 %1 ms</source>
        <translation>p95 %1 毫秒</translation>
    </message>
    <message>
        <source>× 1 GPU</source>
        <translation>× 单卡</translation>
    </message>
    <message>
        <source>× 1 worker</source>
        <translation>× 单进程</translation>
    </message>
    <message>
        <source>this is the baseline</source>
        <translation>这是基准</translation>
    </message>
    <message>
        <source>no result for one device yet</source>
        <translation>尚无单设备结果</translation>
    </message>
    <message>
        <source>%1 of ideal</source>
        <translation>理想值的 %1</translation>
    </message>
    <message>
        <source>of %1 steps</source>
        <translation>/ %1 步</translation>
    </message>
    <message>
        <source>%1 of %2 measured</source>
        <translation>已测量 %1/%2</translation>
    </message>
    <message>
        <source>J a sample</source>
        <translation>焦/样本</translation>
    </message>
    <message numerus="yes">
        <source>%1 kW over %n GPU(s)</source>
        <translation>
            <numerusform>%n 块 GPU 共 %1 kW</numerusform>
        </translation>
    </message>
    <message>
        <source>% CPU load</source>
        <translation>% CPU 负载</translation>
    </message>
    <message>
        <source>%1 in use</source>
        <translation>已用 %1</translation>
    </message>
    <message>
        <source>next</source>
        <translation>下一个</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>启动中</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>已断开</translation>
    </message>
    <message>
        <source>%1 job %2: %3</source>
        <translation>%1 作业 %2：%3</translation>
    </message>
</context>
<context>
    <name>NodeText</name>
    <message>
        <source>%1 s in all</source>
        <translation>共 %1 秒</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Resolve</source>
        <translation>解析</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Key exchange</source>
        <translation>密钥交换</translation>
    </message>
    <message>
        <source>Host key</source>
        <translation>主机密钥</translation>
    </message>
    <message>
        <source>Sign in</source>
        <translation>登录</translation>
    </message>
    <message>
        <source>Probe</source>
        <translation>探测</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Asks you</source>
        <translation>等待回答</translation>
    </message>
    <message>
        <source>Lost, trying again</source>
        <translation>已断开，正在重试</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1失败</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>未连接</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>正在连接…</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Driver</source>
        <translation>驱动</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Clock offset</source>
        <translation>时钟偏差</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>no SSH needed</source>
        <translation>无需 SSH</translation>
    </message>
</context>
<context>
    <name>RailText</name>
    <message>
        <source>This machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>%1 of %2 ready</source>
        <translation>%1/%2 就绪</translation>
    </message>
    <message>
        <source>Choose a door</source>
        <translation>选择入口</translation>
    </message>
    <message>
        <source>Needs a change</source>
        <translation>需要修改</translation>
    </message>
    <message numerus="yes">
        <source>%n case(s) · ready</source>
        <translation>
            <numerusform>%n 例 · 就绪</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing yet</source>
        <translation>暂无</translation>
    </message>
    <message>
        <source>No data</source>
        <translation>没有数据</translation>
    </message>
    <message>
        <source>Pausing · %1 %</source>
        <translation>将暂停 · %1 %</translation>
    </message>
    <message>
        <source>Running · %1 %</source>
        <translation>运行中 · %1 %</translation>
    </message>
    <message>
        <source>running, %1 percent</source>
        <translation>运行中，百分之 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <translation>
            <numerusform>%n 次失败</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) done</source>
        <translation>
            <numerusform>%n 次完成</numerusform>
        </translation>
    </message>
    <message>
        <source>Paused · %1 %</source>
        <translation>已暂停 · %1 %</translation>
    </message>
    <message>
        <source>Not started</source>
        <translation>未开始</translation>
    </message>
    <message numerus="yes">
        <source>%n curve(s)</source>
        <translation>
            <numerusform>%n 条曲线</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n result(s)</source>
        <translation>
            <numerusform>%n 个结果</numerusform>
        </translation>
    </message>
    <message>
        <source>nothing yet</source>
        <translation>暂无</translation>
    </message>
    <message>
        <source>in progress</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>needs you</source>
        <translation>需要处理</translation>
    </message>
    <message>
        <source>broken</source>
        <translation>出错</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Topology</source>
        <translation>拓扑</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>计划</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>实时</translation>
    </message>
    <message>
        <source>Scaling</source>
        <translation>扩展性</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>%1, step %2 of %3, %4, %5</source>
        <translation>%1，第 %2 步，共 %3 步，%4，%5</translation>
    </message>
    <message numerus="yes">
        <source>%n case(s)</source>
        <translation>
            <numerusform>%n 例</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) damaged</source>
        <translation>
            <numerusform>%n 行已损坏</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n island(s)</source>
        <translation>
            <numerusform>%n 个岛</numerusform>
        </translation>
    </message>
    <message>
        <source>Read</source>
        <translation>已读取</translation>
    </message>
    <message>
        <source>A is faster</source>
        <translation>A 更快</translation>
    </message>
    <message>
        <source>A is slower</source>
        <translation>A 更慢</translation>
    </message>
    <message>
        <source>A and B alike</source>
        <translation>A、B 相同</translation>
    </message>
    <message>
        <source>Cannot tell</source>
        <translation>无法判断</translation>
    </message>
    <message>
        <source>One scale</source>
        <translation>只有一种规模</translation>
    </message>
</context>
<context>
    <name>sb::AppearanceForm</name>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Chart colours</source>
        <translation>图表配色</translation>
    </message>
    <message>
        <source>Desktop&apos;s</source>
        <translation>跟随桌面</translation>
    </message>
    <message>
        <source>As the desktop</source>
        <translation>跟随桌面</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
</context>
<context>
    <name>sb::Banner</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Close this message</source>
        <translation>关闭此消息</translation>
    </message>
</context>
<context>
    <name>sb::CaseDelegate</name>
    <message>
        <source>%1 ×</source>
        <comment>repeats of unknown length</comment>
        <translation>%1 ×</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 分</translation>
    </message>
    <message>
        <source>no. %1</source>
        <translation>第 %1</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1/%2</translation>
    </message>
</context>
<context>
    <name>sb::CaseGridModel</name>
    <message>
        <source>%1 · batch %2</source>
        <translation>%1 · 批 %2</translation>
    </message>
    <message numerus="yes">
        <source>%n GPU(s)</source>
        <translation>
            <numerusform>%n GPU</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n worker(s)</source>
        <translation>
            <numerusform>%n 个进程</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, refused: %2</source>
        <translation>%1，不可行：%2</translation>
    </message>
    <message>
        <source>%1, %2 of %3 repeats, running</source>
        <translation>%1，第 %2/%3 次重复，运行中</translation>
    </message>
    <message>
        <source>%1, %2 of %3 repeats, %4 failed</source>
        <translation>%1，%2/%3 次重复，%4 次失败</translation>
    </message>
    <message>
        <source>%1, %2 of %3 repeats done</source>
        <translation>%1，%2/%3 次重复完成</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n repeat(s) planned</source>
        <translation>
            <numerusform>%1，计划重复 %n 次</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::CaseTableModel</name>
    <message>
        <source>faster</source>
        <translation>更快</translation>
    </message>
    <message>
        <source>slower</source>
        <translation>更慢</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>cannot tell</source>
        <translation>无法判断</translation>
    </message>
    <message>
        <source>95 % interval of the ratio, by inverting the rank-sum test</source>
        <translation>比值的 95 % 区间，由秩和检验反推</translation>
    </message>
    <message>
        <source>95 % interval of the ratio, Welch&apos;s on logarithms: few runs</source>
        <translation>比值的 95 % 区间，对数的 Welch 区间：次数较少</translation>
    </message>
    <message>
        <source>Case</source>
        <translation>用例</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备数</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>95 % 区间</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
</context>
<context>
    <name>sb::ChartTip</name>
    <message>
        <source>Show log line</source>
        <translation>显示日志行</translation>
    </message>
    <message>
        <source>Show the run</source>
        <translation>查看运行</translation>
    </message>
</context>
<context>
    <name>sb::ComparePage</name>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>Published results</source>
        <translation>已发表结果</translation>
    </message>
    <message>
        <source>Offer the tables of the 2020-10 report and of its repository, too.</source>
        <translation>同时提供 2020-10 报告及其仓库的表格。</translation>
    </message>
    <message>
        <source>Copy table</source>
        <translation>复制表格</translation>
    </message>
    <message>
        <source>Swap</source>
        <translation>交换</translation>
    </message>
    <message>
        <source>Compare anyway</source>
        <translation>仍然对比</translation>
    </message>
    <message>
        <source>Give a ratio although workload, precision or batch differ, and mark it.</source>
        <translation>即使任务、精度或批大小不同也给出比值，并加以标注。</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Nothing to compare yet</source>
        <translation>还没有可对比的结果</translation>
    </message>
    <message>
        <source>Run a plan, open a workspace with results, or look at published ones.</source>
        <translation>请运行计划、打开含结果的工作区，或查看已发表的结果。</translation>
    </message>
    <message>
        <source>Only differences</source>
        <translation>只看不同</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>键</translation>
    </message>
    <message>
        <source>All cases</source>
        <translation>全部用例</translation>
    </message>
    <message>
        <source>A ÷ B of the medians</source>
        <translation>中位数之比 A ÷ B</translation>
    </message>
    <message>
        <source>Keys of A and B</source>
        <translation>A 与 B 的键</translation>
    </message>
    <message>
        <source>Cases of A and B</source>
        <translation>A 与 B 的用例</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 次运行</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 differ</source>
        <translation>%2 项中 %1 项不同</translation>
    </message>
    <message>
        <source>† Unlike keys: compared because you asked; the ratio is not about one thing.</source>
        <translation>† 键不同：按您的要求对比，该比值并非只反映一个因素。</translation>
    </message>
    <message>
        <source>Only in A: %1.</source>
        <translation>仅 A 有：%1。</translation>
    </message>
    <message>
        <source>Published: %1.</source>
        <translation>已发表：%1。</translation>
    </message>
    <message numerus="yes">
        <source>%n case(s) in common</source>
        <translation>
            <numerusform>%n 个共同用例</numerusform>
        </translation>
    </message>
    <message>
        <source>A and B have no scale in common.</source>
        <translation>A 与 B 没有相同的规模。</translation>
    </message>
    <message>
        <source>No verdict</source>
        <translation>没有结论</translation>
    </message>
    <message>
        <source>Verdict at %1</source>
        <translation>%1 的结论</translation>
    </message>
    <message>
        <source>unlike keys</source>
        <translation>键不同</translation>
    </message>
    <message>
        <source>95 % interval %1 – %2</source>
        <translation>95 % 区间 %1 – %2</translation>
    </message>
    <message>
        <source>no interval: single runs are not known</source>
        <translation>没有区间：缺少单次运行数据</translation>
    </message>
    <message>
        <source>%1 is faster than %2 by %3. The interval does not contain 1.</source>
        <translation>%1 比 %2 快 %3。区间不含 1。</translation>
    </message>
    <message>
        <source>%1 is slower than %2 by %3. The interval does not contain 1.</source>
        <translation>%1 比 %2 慢 %3。区间不含 1。</translation>
    </message>
    <message>
        <source>%1 and %2 are the same within 1 %.</source>
        <translation>%1 与 %2 相差不超过 1 %。</translation>
    </message>
    <message>
        <source>Cannot tell: the interval leaves both open.</source>
        <translation>无法判断：区间两种可能都包含。</translation>
    </message>
    <message>
        <source>Cannot tell: without single runs nobody knows how much they scatter.</source>
        <translation>无法判断：没有单次运行数据，不知道波动有多大。</translation>
    </message>
    <message numerus="yes">
        <source>About %n run(s) a side would settle a difference of 1 %.</source>
        <translation>
            <numerusform>每侧约 %n 次运行可分辨 1 % 的差异。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1; band: interval of the median</source>
        <translation>%1；色带：中位数区间</translation>
    </message>
    <message>
        <source>%1 (%2 against %3)</source>
        <translation>%1（%2 与 %3）</translation>
    </message>
    <message>
        <source>Not compared, because a ratio would mean nothing. What differs: %1. Choose another B, or “Compare anyway”.</source>
        <translation>没有对比，因为比值没有意义。不同之处：%1。请选择其他 B，或选择“仍然对比”。</translation>
    </message>
    <message>
        <source>Add results…</source>
        <translation>添加结果…</translation>
    </message>
    <message>
        <source>Offer the results of another workspace or of a bundle, too.</source>
        <translation>同时提供另一个工作区或归档包的结果。</translation>
    </message>
    <message>
        <source>Export figures…</source>
        <translation>导出图…</translation>
    </message>
    <message>
        <source>Cases</source>
        <translation>用例</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>All cases, or one over time</source>
        <translation>全部用例，或一个用例的历史</translation>
    </message>
    <message>
        <source>The case over time</source>
        <translation>该用例的历史</translation>
    </message>
    <message>
        <source>%1 against %2 at %3: %4</source>
        <translation>%1 对比 %2，%3：%4</translation>
    </message>
    <message>
        <source>SIMULATED</source>
        <translation>模拟数据</translation>
    </message>
    <message>
        <source>A ÷ B %1</source>
        <translation>A ÷ B %1</translation>
    </message>
    <message>
        <source>Runs of A and B</source>
        <translation>A 与 B 的运行</translation>
    </message>
    <message>
        <source>History of %1</source>
        <translation>%1 的历史</translation>
    </message>
    <message>
        <source>runs made together, oldest first, each against the one before</source>
        <translation>同批运行为一组，从旧到新，每组与前一组对比</translation>
    </message>
    <message>
        <source>Published results have no history.</source>
        <translation>已发表的结果没有历史。</translation>
    </message>
    <message numerus="yes">
        <source>%n group(s) of runs</source>
        <translation>
            <numerusform>%n 组运行</numerusform>
        </translation>
    </message>
    <message>
        <source>Side</source>
        <translation>一侧</translation>
    </message>
    <message>
        <source>Day</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>计划</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>÷ before</source>
        <translation>÷ 前一组</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>In the report</source>
        <translation>已在报告中</translation>
    </message>
    <message>
        <source>Add to report</source>
        <translation>加入报告</translation>
    </message>
    <message>
        <source>A report belongs to a workspace; none is open.</source>
        <translation>报告属于工作区；当前没有打开工作区。</translation>
    </message>
    <message>
        <source>This workspace came as a bundle and is read-only.</source>
        <translation>此工作区来自归档包，为只读。</translation>
    </message>
    <message>
        <source>Results of another workspace are not kept in this one&apos;s report; import them for that.</source>
        <translation>另一个工作区的结果不会保存到本工作区的报告；如需保存请先导入。</translation>
    </message>
    <message>
        <source>The report gets a table of this comparison, computed again whenever it is written.</source>
        <translation>报告将包含此对比的表格，每次生成报告时重新计算。</translation>
    </message>
    <message>
        <source>%1 has no measured runs.</source>
        <translation>%1 没有测得结果的运行。</translation>
    </message>
    <message>
        <source>A workspace…</source>
        <translation>工作区…</translation>
    </message>
    <message>
        <source>A bundle…</source>
        <translation>归档包…</translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation>工作区</translation>
    </message>
    <message>
        <source>Bundle</source>
        <translation>归档包</translation>
    </message>
    <message>
        <source>A and B are the same results. Choose another B, add results, or look at the history.</source>
        <translation>A 与 B 是同一结果。请选择其他 B、添加结果，或查看历史。</translation>
    </message>
</context>
<context>
    <name>sb::DryRunWindow</name>
    <message>
        <source>Dry run</source>
        <translation>试运行</translation>
    </message>
    <message>
        <source>These are the commands in the order they would run. Nothing has been started.</source>
        <translation>以下是将按顺序执行的命令。尚未启动任何程序。</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Save commands</source>
        <translation>保存命令</translation>
    </message>
    <message>
        <source>Saved to %1.</source>
        <translation>已保存到 %1。</translation>
    </message>
    <message>
        <source>%1 was not written: %2. Choose another folder.</source>
        <translation>%1 未写入：%2。请选择其他文件夹。</translation>
    </message>
</context>
<context>
    <name>sb::FigureDialog</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Export figures</source>
        <translation>导出图</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Formats</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>85 mm, one column</source>
        <translation>85 mm，单栏</translation>
    </message>
    <message>
        <source>120 mm</source>
        <translation>120 mm</translation>
    </message>
    <message>
        <source>174 mm, two columns</source>
        <translation>174 mm，双栏</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>Width in millimetres</source>
        <translation>宽度（毫米）</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>Print</source>
        <translation>印刷</translation>
    </message>
    <message>
        <source>Grey</source>
        <translation>灰度</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Palette</source>
        <translation>配色</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Folder for the figures</source>
        <translation>图的文件夹</translation>
    </message>
    <message>
        <source>Choose a figure and a format.</source>
        <translation>请选择图和格式。</translation>
    </message>
    <message>
        <source>Writes %1.</source>
        <translation>将写入 %1。</translation>
    </message>
    <message>
        <source>Replaces %1.</source>
        <translation>将替换 %1。</translation>
    </message>
    <message>
        <source>The folder %1 cannot be made; choose another.</source>
        <translation>无法创建文件夹 %1，请另选一个。</translation>
    </message>
    <message>
        <source>%1 was not written: %2. Choose another folder.</source>
        <translation>%1 未写入：%2。请选择其他文件夹。</translation>
    </message>
</context>
<context>
    <name>sb::ColumnChooser</name>
    <message>
        <source>Throughput</source>
        <translation>吞吐量</translation>
    </message>
    <message>
        <source>Framework</source>
        <translation>框架</translation>
    </message>
    <message>
        <source>Workload</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>Case (2n8g)</source>
        <translation>用例（2n8g）</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点数</translation>
    </message>
    <message>
        <source>Devices per node</source>
        <translation>每节点设备数</translation>
    </message>
    <message>
        <source>All devices</source>
        <translation>设备总数</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>单位</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
</context>
<context>
    <name>sb::ImportDialog</name>
    <message>
        <source>Import results</source>
        <translation>导入结果</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Choose a folder or a file: logs of training, tables (CSV), results of the report&apos;s scripts (JSON), MLPerf logs, or what nccl-tests and nvbandwidth print. Nothing is changed before you import.</source>
        <translation>选择一个文件夹或文件：训练日志、表格（CSV）、报告脚本写出的结果（JSON）、MLPerf 日志，或 nccl-tests 与 nvbandwidth 的输出。导入之前不会改动任何内容。</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>文件夹…</translation>
    </message>
    <message>
        <source>File…</source>
        <translation>文件…</translation>
    </message>
    <message>
        <source>&amp;From</source>
        <translation>来源(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Pattern</source>
        <translation>模式(&amp;P)</translation>
    </message>
    <message>
        <source>From</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Pattern</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>only for logs of no known form, for example  step (?P&lt;step&gt;\d+) .* (?P&lt;rate&gt;[\d.]+) images</source>
        <translation>仅用于未知格式的日志，例如  step (?P&lt;step&gt;\d+) .* (?P&lt;rate&gt;[\d.]+) images</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Printed by</source>
        <translation>输出程序</translation>
    </message>
    <message>
        <source>Case</source>
        <translation>用例</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>数值个数</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>吞吐量</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>What would be imported</source>
        <translation>将要导入的内容</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %2 files can be imported: %n case(s).</source>
        <translation>
            <numerusform>%2 个文件中有 %1 个可以导入：%n 个用例。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n measurement(s) of links.</source>
        <translation>
            <numerusform>%n 份链路测量。</numerusform>
        </translation>
    </message>
    <message>
        <source>Lines of the log</source>
        <translation>日志中的行</translation>
    </message>
    <message>
        <source>First lines of %1. A pattern can tell which of their numbers is the throughput.</source>
        <translation>%1 的前几行。可以用模式指出其中哪个数字是吞吐量。</translation>
    </message>
    <message>
        <source>No match in the first %1 lines of %2.</source>
        <translation>%2 的前 %1 行中没有匹配。</translation>
    </message>
    <message>
        <source>%1 of the first %2 lines of %3 match: %4 …</source>
        <translation>%3 的前 %2 行中有 %1 行匹配：%4 …</translation>
    </message>
</context>
<context>
    <name>sb::KeyDialog</name>
    <message>
        <source>Picture of the fingerprint</source>
        <translation>指纹图</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
</context>
<context>
    <name>sb::KeyTableModel</name>
    <message>
        <source>same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>compared</source>
        <translation>对比项</translation>
    </message>
    <message>
        <source>differs</source>
        <translation>不同</translation>
    </message>
    <message>
        <source>unlike</source>
        <translation>不可比</translation>
    </message>
    <message>
        <source>Framework</source>
        <translation>框架</translation>
    </message>
    <message>
        <source>Threads per device</source>
        <translation>每设备线程数</translation>
    </message>
    <message>
        <source>Workload</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Batch per device</source>
        <translation>每设备批大小</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>规模</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Steps skipped + averaged</source>
        <translation>跳过 + 平均步数</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
</context>
<context>
    <name>sb::LinkLegend</name>
    <message>
        <source>NVLinks</source>
        <translation>NVLink</translation>
    </message>
    <message>
        <source>direct</source>
        <translation>直连</translation>
    </message>
    <message>
        <source>1 bridge</source>
        <translation>1 个桥</translation>
    </message>
    <message>
        <source>bridges</source>
        <translation>多个桥</translation>
    </message>
    <message>
        <source>host bridge</source>
        <translation>主桥</translation>
    </message>
    <message>
        <source>PCIe</source>
        <translation>PCIe</translation>
    </message>
    <message>
        <source>in one NUMA</source>
        <translation>同一 NUMA</translation>
    </message>
    <message>
        <source>across sockets</source>
        <translation>跨插槽</translation>
    </message>
    <message>
        <source>can reach each other</source>
        <translation>可互访</translation>
    </message>
    <message>
        <source>cannot</source>
        <translation>不可</translation>
    </message>
    <message>
        <source>chipset cannot</source>
        <translation>芯片组不支持</translation>
    </message>
    <message>
        <source>GPU cannot</source>
        <translation>GPU 不支持</translation>
    </message>
    <message>
        <source>topology cannot</source>
        <translation>拓扑不支持</translation>
    </message>
    <message>
        <source>not known here</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Hatched: the row is damaged; values are its column&apos;s, ! where neither can be read</source>
        <translation>斜线：该行已损坏，值取自对应列；! 表示都无法读取</translation>
    </message>
</context>
<context>
    <name>sb::LiveChart</name>
    <message>
        <source>No step yet.</source>
        <translation>尚无步。</translation>
    </message>
    <message numerus="yes">
        <source>Step %1 of %2, %3 %4; %n rank(s).</source>
        <translation>
            <numerusform>第 %1/%2 步，%3 %4；%n 个 rank。</numerusform>
        </translation>
    </message>
    <message>
        <source>Simulated.</source>
        <translation>模拟数据。</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>Rank %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 毫秒</translation>
    </message>
    <message>
        <source>all ranks&apos; samples over this rank&apos;s step time</source>
        <translation>所有 rank 的样本数 ÷ 本 rank 的步时间</translation>
    </message>
    <message>
        <source>CPU load</source>
        <translation>CPU 负载</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>功率</translation>
    </message>
    <message>
        <source>SM clock</source>
        <translation>SM 时钟</translation>
    </message>
    <message>
        <source>GPU load</source>
        <translation>GPU 负载</translation>
    </message>
    <message>
        <source>lowest %1 · median %2</source>
        <translation>最低 %1 · 中位 %2</translation>
    </message>
    <message>
        <source>mean %1 · max %2</source>
        <translation>平均 %1 · 最大 %2</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>time since the start (s)</source>
        <translation>开始后的时间（秒）</translation>
    </message>
    <message>
        <source>SIMULATED</source>
        <translation>模拟数据</translation>
    </message>
    <message>
        <source>warm-up, not counted</source>
        <translation>预热，不计入</translation>
    </message>
    <message>
        <source>warm-up</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>measured: steps %1–%2</source>
        <translation>测量：第 %1–%2 步</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>no step for %1 s</source>
        <translation>%1 秒没有新的步</translation>
    </message>
</context>
<context>
    <name>sb::LiveChartPanel</name>
    <message>
        <source>Follow</source>
        <translation>跟随</translation>
    </message>
    <message>
        <source>Hold</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Follow new data</source>
        <translation>跟随新数据</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Horizontal axis</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>repeat %1 of %2</source>
        <translation>第 %1/%2 次重复</translation>
    </message>
</context>
<context>
    <name>sb::LaunchForm</name>
    <message>
        <source>Started by</source>
        <translation>启动方式</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>分区</translation>
    </message>
    <message>
        <source>Time limit</source>
        <translation>时间上限</translation>
    </message>
    <message>
        <source>Shared folder</source>
        <translation>共享文件夹</translation>
    </message>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source> min</source>
        <translation> 分钟</translation>
    </message>
    <message>
        <source>home folder</source>
        <translation>主目录</translation>
    </message>
    <message>
        <source>Launcher</source>
        <translation>启动器</translation>
    </message>
    <message>
        <source>Slurm partition</source>
        <translation>Slurm 分区</translation>
    </message>
    <message>
        <source>Folder that the nodes of Slurm share</source>
        <translation>Slurm 各节点共享的文件夹</translation>
    </message>
    <message>
        <source>Time limit of a job in minutes</source>
        <translation>作业的时间上限（分钟）</translation>
    </message>
    <message>
        <source>Who starts the processes: Scaleboard over its own connections; mpirun on the first node, which signs in to the others; or Slurm or Kubernetes, for a job that is submitted on the first node.</source>
        <translation>由谁启动进程：Scaleboard 通过自己的连接启动；第一个节点上的 mpirun，由它登录其他节点；或者 Slurm 或 Kubernetes，作业在第一个节点上提交。</translation>
    </message>
    <message>
        <source>A folder that the first node and the compute nodes of Slurm share</source>
        <translation>第一个节点与 Slurm 计算节点共享的文件夹</translation>
    </message>
    <message>
        <source>Scaleboard</source>
        <translation>Scaleboard</translation>
    </message>
    <message>
        <source>Namespace</source>
        <translation>命名空间</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>of the context</source>
        <translation>由上下文决定</translation>
    </message>
    <message>
        <source>current</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>Kubernetes namespace</source>
        <translation>Kubernetes 命名空间</translation>
    </message>
    <message>
        <source>Context of kubectl</source>
        <translation>kubectl 的上下文</translation>
    </message>
    <message>
        <source>Where the job is made; kubectl runs on the first node, with its configuration there.</source>
        <translation>作业建立的位置；kubectl 在第一个节点上运行，使用那里的配置。</translation>
    </message>
    <message>
        <source>A context of kubectl&apos;s configuration on the first node</source>
        <translation>第一个节点上 kubectl 配置中的一个上下文</translation>
    </message>
</context>
<context>
    <name>sb::LivePage</name>
    <message>
        <source>%1 was under way when Scaleboard was left. It goes on by itself; start its plan again to follow it.</source>
        <translation>退出 Scaleboard 时 %1 还在运行。它会自行继续；再次启动其计划即可继续跟踪。</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>实时</translation>
    </message>
    <message>
        <source>Stop run…</source>
        <translation>停止运行…</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>Figures of the run</source>
        <translation>运行数值</translation>
    </message>
    <message>
        <source>Run %1 of %2</source>
        <translation>第 %1/%2 次运行</translation>
    </message>
    <message>
        <source>started %1</source>
        <translation>%1 开始</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>getting ready, no step yet</source>
        <translation>准备中，尚无步</translation>
    </message>
    <message>
        <source>data %1 s old</source>
        <translation>数据 %1 秒前</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Do not pause</source>
        <translation>取消暂停</translation>
    </message>
    <message>
        <source>Pause after this run</source>
        <translation>本次后暂停</translation>
    </message>
    <message>
        <source>waiting for every rank</source>
        <translation>等待所有 rank</translation>
    </message>
    <message>
        <source>step time against the median, last %1 steps</source>
        <translation>步时间相对中位数，最近 %1 步</translation>
    </message>
    <message>
        <source>%1 failed.</source>
        <translation>%1 失败。</translation>
    </message>
    <message>
        <source>%1 was lost.</source>
        <translation>%1 已断开。</translation>
    </message>
    <message>
        <source>Start a plan, and its runs are shown here while they go on.</source>
        <translation>启动计划后，这里会实时显示各次运行。</translation>
    </message>
    <message>
        <source>Last run: %1, %2.</source>
        <translation>上次运行：%1，%2。</translation>
    </message>
    <message>
        <source>Last run: %1, %2 %3.</source>
        <translation>上次运行：%1，%2 %3。</translation>
    </message>
    <message>
        <source>Nothing is running</source>
        <translation>没有正在进行的运行</translation>
    </message>
    <message>
        <source>Open the plan</source>
        <translation>打开计划</translation>
    </message>
    <message>
        <source>Stop this run?</source>
        <translation>停止本次运行？</translation>
    </message>
    <message>
        <source>%1, repeat %2</source>
        <translation>%1，第 %2 次重复</translation>
    </message>
    <message numerus="yes">
        <source>%1 process(es) on %n node(s) will be ended, and the sweep with them. Steps so far are kept and marked as partial; starting the plan again does the runs that are missing.</source>
        <translation>
            <numerusform>将结束 %n 个节点上的 %1 个进程，整个计划随之停止。已有的步会保留并标为不完整；再次启动计划会补做缺少的运行。</numerusform>
        </translation>
    </message>
    <message>
        <source>Stop run</source>
        <translation>停止运行</translation>
    </message>
    <message>
        <source>Keep running</source>
        <translation>继续运行</translation>
    </message>
    <message>
        <source>Steps…</source>
        <translation>各步统计…</translation>
    </message>
    <message>
        <source>Percentiles, drift, outliers and stragglers of this run, once it has ended.</source>
        <translation>本次运行结束后的分位数、漂移、离群步和拖慢者。</translation>
    </message>
</context>
<context>
    <name>sb::LiveSide</name>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Progress of every case</source>
        <translation>每个用例的进度</translation>
    </message>
    <message>
        <source>Whole sweep</source>
        <translation>整个计划</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>剩余</translation>
    </message>
    <message>
        <source>Ends about</source>
        <translation>约结束于</translation>
    </message>
    <message>
        <source>Used</source>
        <translation>已用</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Next and last</source>
        <translation>后续与最近</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n run(s)</source>
        <translation>
            <numerusform>%1/%n 次运行</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 device-hours</source>
        <translation>%1 设备时</translation>
    </message>
    <message>
        <source>next</source>
        <translation>下一个</translation>
    </message>
</context>
<context>
    <name>sb::LogPanel</name>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Find in the log</source>
        <translation>在日志中查找</translation>
    </message>
    <message>
        <source>Lines shown</source>
        <translation>显示的行</translation>
    </message>
    <message>
        <source>%1 lines</source>
        <translation>%1 行</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Warnings %1</source>
        <translation>警告 %1</translation>
    </message>
</context>
<context>
    <name>sb::MainWindow</name>
    <message>
        <source>%1 of %2 runs measured, %3 failed</source>
        <translation>已测量 %1/%2 次运行，%3 次失败</translation>
    </message>
    <message>
        <source>The sweep is done</source>
        <translation>计划已完成</translation>
    </message>
    <message>
        <source>The sweep has ended</source>
        <translation>计划已结束</translation>
    </message>
    <message>
        <source>A plugin was left out.</source>
        <translation>有一个插件未载入。</translation>
    </message>
</context>
<context>
    <name>sb::MatrixModel</name>
    <message>
        <source>%1 itself</source>
        <translation>%1 自身</translation>
    </message>
    <message>
        <source>%1 to %2, could not be read</source>
        <translation>%1 到 %2，无法读取</translation>
    </message>
    <message>
        <source>%1 to %2, %3</source>
        <translation>%1 到 %2，%3</translation>
    </message>
    <message numerus="yes">
        <source>, %n link(s)</source>
        <translation>
            <numerusform>，%n 条链路</numerusform>
        </translation>
    </message>
    <message>
        <source>, %1 gigabytes per second</source>
        <translation>，每秒 %1 GB</translation>
    </message>
    <message>
        <source>, taken from the column</source>
        <translation>，取自对应列</translation>
    </message>
    <message>
        <source>CPU cores</source>
        <translation>CPU 核</translation>
    </message>
    <message>
        <source>NUMA</source>
        <translation>NUMA</translation>
    </message>
    <message>
        <source>GPU NUMA</source>
        <translation>GPU NUMA</translation>
    </message>
    <message>
        <source>Row %1 is damaged; values come from its column where that is whole</source>
        <translation>第 %1 行已损坏，对应列完整时取列中的值</translation>
    </message>
    <message>
        <source>, measured %1</source>
        <translation>，实测 %1</translation>
    </message>
</context>
<context>
    <name>sb::MeaningPanel</name>
    <message>
        <source>Row %1 is damaged; values come from its column where that is whole</source>
        <translation>第 %1 行已损坏，对应列完整时取列中的值</translation>
    </message>
    <message>
        <source>The word %1 is not known here; it is kept as read.</source>
        <translation>此处不认识“%1”，按原样保留。</translation>
    </message>
    <message>
        <source>%1 has no NVLink, but all other GPUs have. Its links may be broken.</source>
        <translation>%1 没有 NVLink，而其他 GPU 都有，其链路可能已损坏。</translation>
    </message>
    <message>
        <source>%1: there and back have different words.</source>
        <translation>%1：往返两个方向的词不同。</translation>
    </message>
    <message>
        <source>%1 to itself is not X.</source>
        <translation>%1 到自身的单元格不是 X。</translation>
    </message>
    <message>
        <source>From the PCI tree; NVLink unknown</source>
        <translation>来自 PCI 树，NVLink 未知</translation>
    </message>
    <message>
        <source>What it means</source>
        <translation>说明什么</translation>
    </message>
    <message numerus="yes">
        <source>%n GPU pair(s)</source>
        <translation>
            <numerusform>%n 对 GPU</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n network card(s)</source>
        <translation>
            <numerusform>%n 块网卡</numerusform>
        </translation>
    </message>
    <message>
        <source>cores %1</source>
        <translation>核 %1</translation>
    </message>
    <message>
        <source>Near each GPU</source>
        <translation>每个 GPU 附近</translation>
    </message>
</context>
<context>
    <name>sb::Menus</name>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;New workspace…</source>
        <translation>新建工作区(&amp;N)…</translation>
    </message>
    <message>
        <source>&amp;Open workspace…</source>
        <translation>打开工作区(&amp;O)…</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>最近打开(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Close workspace</source>
        <translation>关闭工作区(&amp;C)</translation>
    </message>
    <message>
        <source>Open &amp;plan…</source>
        <translation>打开计划(&amp;P)…</translation>
    </message>
    <message>
        <source>&amp;Save plan…</source>
        <translation>保存计划(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>Nothing yet</source>
        <translation>暂无</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Find in the log</source>
        <translation>在日志中查找(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Settings…</source>
        <translation>设置(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Rail as icons</source>
        <translation>侧栏只显示图标(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Next panel</source>
        <translation>下一面板(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Previous panel</source>
        <translation>上一面板(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Full screen</source>
        <translation>全屏(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Start the plan</source>
        <translation>启动计划(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Pause after this run, or go on</source>
        <translation>本次后暂停或继续(&amp;P)</translation>
    </message>
    <message>
        <source>S&amp;top run…</source>
        <translation>停止运行(&amp;T)…</translation>
    </message>
    <message>
        <source>&amp;Dry run…</source>
        <translation>试运行(&amp;D)…</translation>
    </message>
    <message>
        <source>Run the &amp;first study</source>
        <translation>运行首次测试(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>键盘快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;About Scaleboard</source>
        <translation>关于 Scaleboard(&amp;A)</translation>
    </message>
    <message>
        <source>About &amp;Qt</source>
        <translation>关于 &amp;Qt</translation>
    </message>
    <message>
        <source>&amp;Copy the command line</source>
        <translation>复制命令行(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Nodes</source>
        <translation>节点(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Add a node…</source>
        <translation>添加节点(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Probe all</source>
        <translation>全部探测(&amp;P)</translation>
    </message>
    <message>
        <source>Open &amp;bundle…</source>
        <translation>打开归档包(&amp;B)…</translation>
    </message>
</context>
<context>
    <name>sb::NodeDetails</name>
    <message>
        <source>Most likely</source>
        <translation>最可能的原因</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>如何处理</translation>
    </message>
    <message>
        <source>Same test in a terminal:</source>
        <translation>终端中的相同测试：</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Probe again</source>
        <translation>重新探测</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Choose a node in the table.</source>
        <translation>请在表中选择节点。</translation>
    </message>
    <message>
        <source>What it is</source>
        <translation>硬件与系统</translation>
    </message>
    <message>
        <source>Cores: %1</source>
        <translation>%1 核</translation>
    </message>
    <message>
        <source>Environments: %1</source>
        <translation>环境：%1</translation>
    </message>
</context>
<context>
    <name>sb::NodesPage</name>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Probe all</source>
        <translation>全部探测</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>user@host:port, an ssh alias, or a range such as node[01-16]</source>
        <translation>user@host:port、ssh 别名，或 node[01-16] 这样的范围</translation>
    </message>
    <message>
        <source>Nodes to add</source>
        <translation>要添加的节点</translation>
    </message>
    <message>
        <source>Versions alike?</source>
        <translation>版本一致吗？</translation>
    </message>
    <message>
        <source>%1 of %2 ready</source>
        <translation>%1/%2 就绪</translation>
    </message>
    <message>
        <source>GPUs: %1</source>
        <translation>%1 块 GPU</translation>
    </message>
    <message>
        <source>they meet in %1 over %2</source>
        <translation>经 %2 在 %1 中会合</translation>
    </message>
    <message>
        <source>they share no network</source>
        <translation>没有共同的网络</translation>
    </message>
    <message>
        <source>Driver</source>
        <translation>驱动</translation>
    </message>
    <message>
        <source>CUDA</source>
        <translation>CUDA</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>Cores</source>
        <translation>核数</translation>
    </message>
    <message>
        <source>Containers</source>
        <translation>容器</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Two nodes are needed to compare.</source>
        <translation>比较需要两个节点。</translation>
    </message>
    <message>
        <source>Every fact is the same on all nodes.</source>
        <translation>所有节点完全一致。</translation>
    </message>
    <message>
        <source>%1 of %2 differ</source>
        <translation>%2 项中有 %1 项不同</translation>
    </message>
</context>
<context>
    <name>sb::PairPanel</name>
    <message numerus="yes">
        <source>%n link(s), direct</source>
        <translation>
            <numerusform>%n 条链路，直连</numerusform>
        </translation>
    </message>
    <message>
        <source>PCIe, one bridge at most</source>
        <translation>PCIe，至多一个桥</translation>
    </message>
    <message>
        <source>PCIe, several bridges</source>
        <translation>PCIe，多个桥</translation>
    </message>
    <message>
        <source>PCIe, through the host bridge</source>
        <translation>PCIe，经主桥</translation>
    </message>
    <message>
        <source>PCIe</source>
        <translation>PCIe</translation>
    </message>
    <message>
        <source>PCIe, between host bridges of one NUMA node</source>
        <translation>PCIe，同一 NUMA 节点的主桥之间</translation>
    </message>
    <message>
        <source>PCIe and the link between the sockets</source>
        <translation>PCIe 与 CPU 插槽间链路</translation>
    </message>
    <message>
        <source>not known here</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>by %1: %2, then %3</source>
        <translation>经 %1：先 %2，再 %3</translation>
    </message>
    <message>
        <source>at most %1 GB/s each way</source>
        <translation>单向至多 %1 GB/s</translation>
    </message>
    <message>
        <source>%1 GB/s each way</source>
        <translation>单向 %1 GB/s</translation>
    </message>
    <message>
        <source>Pair</source>
        <translation>GPU 对</translation>
    </message>
    <message>
        <source>Choose a cell of the matrix or a link of the graph.</source>
        <translation>选择矩阵中的单元格或图中的链路。</translation>
    </message>
    <message>
        <source>could not be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>路径</translation>
    </message>
    <message>
        <source>Neither row can be read.</source>
        <translation>两行都无法读取。</translation>
    </message>
    <message>
        <source>Nominal</source>
        <translation>标称</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>unknown: the text does not name the GPU</source>
        <translation>未知：文本没有给出 GPU 型号</translation>
    </message>
    <message>
        <source>NUMA</source>
        <translation>NUMA</translation>
    </message>
    <message>
        <source>Other way</source>
        <translation>另一路径</translation>
    </message>
    <message>
        <source>%1 GB/s</source>
        <translation>%1 GB/s</translation>
    </message>
    <message>
        <source>%1 GB/s there, %2 back</source>
        <translation>去 %1 GB/s，回 %2</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>Measured by</source>
        <translation>测量工具</translation>
    </message>
</context>
<context>
    <name>sb::PasteDialog</name>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Paste a topology</source>
        <translation>粘贴拓扑</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>pasted</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>for nominal rates, for example NVIDIA H200</source>
        <translation>用于标称速率，例如 NVIDIA H200</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>&amp;Node</source>
        <translation>节点(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;GPU</source>
        <translation>GPU(&amp;G)</translation>
    </message>
    <message numerus="yes">
        <source>%n GPU(s)</source>
        <translation>
            <numerusform>%n 块 GPU</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n network card(s)</source>
        <translation>
            <numerusform>%n 块网卡</numerusform>
        </translation>
    </message>
    <message>
        <source>, damaged rows</source>
        <translation>，有损坏的行</translation>
    </message>
    <message>
        <source>What nvidia-smi topo -m, topo -p2p r, nvlink -s or rocm-smi --showtopo printed; or measured rates of sbtrain bench p2p, nvbandwidth, p2pBandwidthLatencyTest or nccl-tests</source>
        <translation>nvidia-smi topo -m、topo -p2p r、nvlink -s 或 rocm-smi --showtopo 的输出；或 sbtrain bench p2p、nvbandwidth、p2pBandwidthLatencyTest、nccl-tests 的实测速率</translation>
    </message>
    <message>
        <source>Measured rates by %1, for the machine shown</source>
        <translation>%1 的实测速率，用于当前显示的机器</translation>
    </message>
</context>
<context>
    <name>sb::PlanAxes</name>
    <message>
        <source>Environments</source>
        <translation>环境</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1/%2</translation>
    </message>
    <message numerus="yes">
        <source>%n models, as in the file</source>
        <translation>
            <numerusform>%n 个模型，与文件相同</numerusform>
        </translation>
    </message>
    <message>
        <source>Axes</source>
        <translation>轴</translation>
    </message>
    <message>
        <source>First study</source>
        <translation>首次测试</translation>
    </message>
    <message>
        <source>2020-10 report</source>
        <translation>2020-10 报告</translation>
    </message>
    <message>
        <source>Own plan</source>
        <translation>自定义计划</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Workload</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Measurement</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Frameworks</source>
        <translation>框架</translation>
    </message>
    <message>
        <source>Nodes × devices</source>
        <translation>节点 × 设备</translation>
    </message>
    <message>
        <source>Another scale</source>
        <translation>其他规模</translation>
    </message>
    <message>
        <source>Another scale, such as 2n4g for two nodes with four devices each. Enter adds it.</source>
        <translation>其他规模，例如 2n4g 表示两个节点、每个四个设备。按回车添加。</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Batch each</source>
        <translation>每设备批大小</translation>
    </message>
    <message>
        <source>Batch size on one device; several sizes separated by commas</source>
        <translation>单个设备的批大小；多个值用逗号分隔</translation>
    </message>
    <message>
        <source>Batch sizes per device</source>
        <translation>每设备批大小</translation>
    </message>
    <message>
        <source>Skip steps</source>
        <translation>跳过步数</translation>
    </message>
    <message>
        <source>Measure steps</source>
        <translation>测量步数</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>CPU threads</source>
        <translation>CPU 线程</translation>
    </message>
    <message>
        <source>interleaved</source>
        <translation>交错顺序</translation>
    </message>
    <message>
        <source>Every case once, then every case again: drift of a machine hits all alike</source>
        <translation>每个用例先各运行一次，再重复一轮：机器漂移对所有用例影响相同</translation>
    </message>
    <message>
        <source>Steps to skip</source>
        <translation>跳过的步数</translation>
    </message>
    <message>
        <source>Steps to measure</source>
        <translation>测量的步数</translation>
    </message>
    <message>
        <source>CPU threads a worker</source>
        <translation>每个进程的 CPU 线程</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Threads each CPU worker computes with; automatic: the cores shared out evenly</source>
        <translation>每个 CPU 进程使用的线程数；自动：平均分配核心</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Processes</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Published recipes: %1</source>
        <translation>已发表的配方：%1</translation>
    </message>
</context>
<context>
    <name>sb::PlanDetails</name>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Estimate</source>
        <translation>估算</translation>
    </message>
    <message>
        <source>Details of the case</source>
        <translation>用例详情</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>No case chosen</source>
        <translation>未选择用例</translation>
    </message>
    <message>
        <source>%1 · steps %2–%3 measured</source>
        <translation>%1 · 测量第 %2–%3 步</translation>
    </message>
    <message>
        <source>This case does not run: %1</source>
        <translation>此用例不会运行：%1</translation>
    </message>
    <message>
        <source>Refused: %1</source>
        <translation>不可行：%1</translation>
    </message>
    <message>
        <source>Runs: the nodes have what it needs.</source>
        <translation>可行：节点满足要求。</translation>
    </message>
    <message>
        <source>Key: %1</source>
        <translation>键：%1</translation>
    </message>
    <message numerus="yes">
        <source>Each worker computes with %n CPU thread(s).</source>
        <translation>
            <numerusform>每个进程使用 %n 个 CPU 线程。</numerusform>
        </translation>
    </message>
    <message>
        <source>Results are compared and put on one curve only where everything else in the key is alike.</source>
        <translation>只有键的其余部分都相同，结果才会相互比较并画在同一条曲线上。</translation>
    </message>
    <message>
        <source>Nothing to estimate: this case does not run.</source>
        <translation>无需估算：此用例不会运行。</translation>
    </message>
    <message>
        <source>No estimate: the plugin does not state the arithmetic of this workload.</source>
        <translation>无法估算：插件没有给出该任务的计算量。</translation>
    </message>
    <message>
        <source>One run: about %1</source>
        <translation>单次运行：约 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n repeat(s): about %1</source>
        <translation>
            <numerusform>%n 次重复：约 %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Measured step time here: %1 ms</source>
        <translation>在此测得的步时间：%1 毫秒</translation>
    </message>
    <message>
        <source>From the arithmetic of the workload and a low rate of the device; the first run corrects it.</source>
        <translation>依据任务的计算量和设备的保守速率；首次运行后会修正。</translation>
    </message>
</context>
<context>
    <name>sb::PlanFoot</name>
    <message>
        <source>Reading this machine…</source>
        <translation>正在读取本机…</translation>
    </message>
    <message>
        <source>No node is ready</source>
        <translation>没有就绪的节点</translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) ready</source>
        <translation>
            <numerusform>%n 个节点就绪</numerusform>
        </translation>
    </message>
    <message>
        <source>results go to %1</source>
        <translation>结果保存到 %1</translation>
    </message>
    <message>
        <source>starting asks where the results go</source>
        <translation>启动时会询问结果的保存位置</translation>
    </message>
    <message>
        <source>The plan needs a change</source>
        <translation>计划需要修改</translation>
    </message>
    <message>
        <source>No case can run on these nodes</source>
        <translation>这些节点上没有可行的用例</translation>
    </message>
    <message>
        <source>This plan is running</source>
        <translation>计划正在运行</translation>
    </message>
    <message>
        <source>Every run of this plan is done</source>
        <translation>计划的所有运行都已完成</translation>
    </message>
    <message>
        <source>Ready to start</source>
        <translation>可以启动</translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>约 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) to do</source>
        <translation>
            <numerusform>待运行 %n 次</numerusform>
        </translation>
    </message>
    <message>
        <source>Dry run…</source>
        <translation>试运行…</translation>
    </message>
    <message numerus="yes">
        <source>Start %n run(s)</source>
        <translation>
            <numerusform>开始 %n 次运行</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing to start</source>
        <translation>没有可启动的运行</translation>
    </message>
</context>
<context>
    <name>sb::PlanGrid</name>
    <message>
        <source>Cases</source>
        <translation>用例</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Framework</source>
        <translation>框架</translation>
    </message>
    <message numerus="yes">
        <source>%n case(s)</source>
        <translation>
            <numerusform>%n 例</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n refused</source>
        <translation>
            <numerusform>%n 例不可行</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::PlanPage</name>
    <message>
        <source>Plan</source>
        <translation>计划</translation>
    </message>
    <message>
        <source>Open plan…</source>
        <translation>打开计划…</translation>
    </message>
    <message>
        <source>Save plan…</source>
        <translation>保存计划…</translation>
    </message>
    <message>
        <source>The plan cannot run as it is.</source>
        <translation>计划目前无法运行。</translation>
    </message>
    <message>
        <source>The plan file was not opened.</source>
        <translation>计划文件未打开。</translation>
    </message>
    <message>
        <source>Open plan</source>
        <translation>打开计划</translation>
    </message>
    <message>
        <source>Plans (*.json)</source>
        <translation>计划 (*.json)</translation>
    </message>
    <message>
        <source>Save plan</source>
        <translation>保存计划</translation>
    </message>
    <message>
        <source>The plan was not saved.</source>
        <translation>计划未保存。</translation>
    </message>
    <message>
        <source>repeat %1</source>
        <translation>第 %1 次重复</translation>
    </message>
</context>
<context>
    <name>sb::ProgressGrid</name>
    <message numerus="yes">
        <source>each cell: %n repeat(s)</source>
        <translation>
            <numerusform>每格：%n 次重复</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <translation>
            <numerusform>%n 次失败</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n refused</source>
        <translation>
            <numerusform>%n 例不可行</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::RankStrip</name>
    <message>
        <source>Rank %1 on %2 is %3 from the median.</source>
        <translation>%2 上的 rank %1 偏离中位数 %3。</translation>
    </message>
    <message>
        <source>All ranks are alike.</source>
        <translation>所有 rank 相近。</translation>
    </message>
    <message>
        <source>%1 · rank %2</source>
        <translation>%1 · rank %2</translation>
    </message>
    <message>
        <source>%1 · ranks %2–%3</source>
        <translation>%1 · rank %2–%3</translation>
    </message>
    <message>
        <source>rank %1 · %2</source>
        <translation>rank %1 · %2</translation>
    </message>
    <message>
        <source>rank %1 · %2 · %3</source>
        <translation>rank %1 · %2 · %3</translation>
    </message>
</context>
<context>
    <name>sb::RecentModel</name>
    <message>
        <source>en</source>
        <comment>language of dates: en or zh</comment>
        <translation>zh</translation>
    </message>
    <message>
        <source>Today %1</source>
        <translation>今天 %1</translation>
    </message>
    <message>
        <source>d MMM</source>
        <comment>date without year</comment>
        <translation>M月d日</translation>
    </message>
    <message>
        <source>d MMM yyyy</source>
        <comment>date with year</comment>
        <translation>yyyy年M月d日</translation>
    </message>
    <message>
        <source>Folder not found · Locate…</source>
        <translation>找不到文件夹 · 定位…</translation>
    </message>
    <message>
        <source>No runs yet</source>
        <translation>暂无运行</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 次运行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Content</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Opened</source>
        <translation>打开时间</translation>
    </message>
</context>
<context>
    <name>sb::RefusedKeyDialog</name>
    <message>
        <source>line %1 of %2</source>
        <translation>%2 第 %1 行</translation>
    </message>
    <message>
        <source>%1 shows a key that is revoked</source>
        <translation>%1 出示了已吊销的密钥</translation>
    </message>
    <message>
        <source>%1 does not show the key you trusted</source>
        <translation>%1 出示的不是您信任的密钥</translation>
    </message>
    <message>
        <source>%1 is known by certificates only</source>
        <translation>%1 只以证书为人所知</translation>
    </message>
    <message>
        <source>Scaleboard has closed the connection. Nothing was sent: no password, no command.</source>
        <translation>Scaleboard 已关闭连接。没有发送任何内容：没有密码，没有命令。</translation>
    </message>
    <message>
        <source>Trusted until now</source>
        <translation>此前信任</translation>
    </message>
    <message>
        <source>Shown today</source>
        <translation>现在出示</translation>
    </message>
    <message>
        <source>If it matches, remove the old entry yourself, then connect again and compare once more:</source>
        <translation>如果一致，请自行删除旧条目，然后重新连接并再次比较：</translation>
    </message>
    <message>
        <source>Copy fingerprints</source>
        <translation>复制指纹</translation>
    </message>
    <message>
        <source>Take %1 out</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>sb::ReportExportPanel</name>
    <message>
        <source>Cancelled; nothing was written.</source>
        <translation>已取消，没有写入任何内容。</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Language of the report</source>
        <translation>报告语言</translation>
    </message>
    <message>
        <source>Width of the figures</source>
        <translation>图的宽度</translation>
    </message>
    <message>
        <source>85 mm, one column</source>
        <translation>85 mm，单栏</translation>
    </message>
    <message>
        <source>120 mm</source>
        <translation>120 mm</translation>
    </message>
    <message>
        <source>174 mm, two columns</source>
        <translation>174 mm，双栏</translation>
    </message>
    <message>
        <source>Replace names and addresses</source>
        <translation>替换名称和地址</translation>
    </message>
    <message>
        <source>Export to folder…</source>
        <translation>导出到文件夹…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Formats</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>No font here has the Chinese glyphs. Install Noto Sans CJK SC, then export again.</source>
        <translation>本机没有含中文字形的字体。请安装 Noto Sans CJK SC 后再导出。</translation>
    </message>
    <message>
        <source>No font here has %1.</source>
        <translation>本机没有含 %1 的字体。</translation>
    </message>
    <message numerus="yes">
        <source>Wrote %n file(s) to %1</source>
        <translation>
            <numerusform>已写入 %n 个文件到 %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Colours of the figures</source>
        <translation>图的配色</translation>
    </message>
    <message>
        <source>Print</source>
        <translation>印刷</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Grey</source>
        <translation>灰度</translation>
    </message>
    <message>
        <source>Bundle</source>
        <translation>归档包</translation>
    </message>
    <message>
        <source>All of it, with the raw logs, in one file that opens elsewhere.</source>
        <translation>全部内容及原始日志，合为一个可在别处打开的文件。</translation>
    </message>
    <message>
        <source>Palette</source>
        <translation>配色</translation>
    </message>
    <message>
        <source>%1 mm</source>
        <translation>%1 mm</translation>
    </message>
    <message>
        <source>Fonts found · no missing glyph · text of figures at least 7 pt</source>
        <translation>已找到字体 · 无缺失字形 · 图中文字不小于 7 pt</translation>
    </message>
</context>
<context>
    <name>sb::ReportPage</name>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>Nothing to report yet</source>
        <translation>暂无可报告的内容</translation>
    </message>
    <message>
        <source>A report needs at least one measured run.</source>
        <translation>报告至少需要一次已测量的运行。</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>计划</translation>
    </message>
    <message>
        <source>Sections</source>
        <translation>章节</translation>
    </message>
    <message>
        <source>drag to reorder</source>
        <translation>拖动排序</translation>
    </message>
    <message>
        <source>Copy command line</source>
        <translation>复制命令行</translation>
    </message>
    <message>
        <source>%1, %2. Each number leads back to its runs.</source>
        <translation>%1，%2。每个数值都可追溯到其运行。</translation>
    </message>
    <message numerus="yes">
        <source>%n figure(s)</source>
        <translation>
            <numerusform>%n 幅图</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n table(s)</source>
        <translation>
            <numerusform>%n 张表</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 · %n page(s)</source>
        <translation>
            <numerusform>%1 · %n 页</numerusform>
        </translation>
    </message>
    <message>
        <source>Folder that the report&apos;s folder goes into</source>
        <translation>报告文件夹的存放位置</translation>
    </message>
    <message>
        <source>House style…</source>
        <translation>版式…</translation>
    </message>
    <message>
        <source>A file with order of sections, titles, logo, colours and figures.</source>
        <translation>规定章节次序、标题、徽标、颜色与图的文件。</translation>
    </message>
    <message>
        <source>House style of reports</source>
        <translation>报告版式</translation>
    </message>
    <message>
        <source>House style (*.json)</source>
        <translation>版式 (*.json)</translation>
    </message>
</context>
<context>
    <name>sb::ReportPreview</name>
    <message>
        <source>Page</source>
        <translation>页</translation>
    </message>
    <message>
        <source>Previous page</source>
        <translation>上一页</translation>
    </message>
    <message>
        <source>Next page</source>
        <translation>下一页</translation>
    </message>
    <message>
        <source>Page number</source>
        <translation>页码</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>Size of the page</source>
        <translation>页面大小</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>彩色</translation>
    </message>
    <message>
        <source>Grey</source>
        <translation>灰度</translation>
    </message>
    <message>
        <source>Palette of the figures</source>
        <translation>图的配色</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>/ %1</translation>
    </message>
    <message>
        <source>Page %1 of the report</source>
        <translation>报告第 %1 页</translation>
    </message>
</context>
<context>
    <name>sb::RunDots</name>
    <message numerus="yes">
        <source>%1: median %2, %n run(s)</source>
        <translation>
            <numerusform>%1：中位数 %2，%n 次运行</numerusform>
        </translation>
    </message>
    <message>
        <source>All runs</source>
        <translation>全部运行</translation>
    </message>
</context>
<context>
    <name>sb::ScalingChart</name>
    <message numerus="yes">
        <source>%1 leads at %n device(s) with %2; %3 curves.</source>
        <translation>
            <numerusform>%n 个设备时 %1 最高，为 %2；共 %3 条曲线。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n GPU(s)</source>
        <translation>
            <numerusform>%n GPU</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n device(s)</source>
        <translation>
            <numerusform>%n 个设备</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>median of %n run(s)</source>
        <translation>
            <numerusform>%n 次运行的中位数</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 – %2 (%3)</source>
        <translation>%1 – %2（%3）</translation>
    </message>
    <message numerus="yes">
        <source>and %n more run(s)</source>
        <translation>
            <numerusform>另有 %n 次运行</numerusform>
        </translation>
    </message>
    <message>
        <source>median; single runs were not published</source>
        <translation>中位数；未发表单次运行</translation>
    </message>
</context>
<context>
    <name>sb::ScalingPage</name>
    <message>
        <source>Nothing was published of this workload, precision and batch; choose others above.</source>
        <translation>没有发表过此任务、精度和批大小的结果；请在上方另选。</translation>
    </message>
    <message>
        <source>Show data</source>
        <translation>显示数据</translation>
    </message>
    <message>
        <source>Copy table</source>
        <translation>复制表格</translation>
    </message>
    <message>
        <source>As CSV</source>
        <translation>CSV 格式</translation>
    </message>
    <message>
        <source>As Markdown</source>
        <translation>Markdown 格式</translation>
    </message>
    <message>
        <source>Export figures…</source>
        <translation>导出图…</translation>
    </message>
    <message>
        <source>Workload</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Batch per device</source>
        <translation>每设备批大小</translation>
    </message>
    <message>
        <source>Scaling</source>
        <translation>扩展性</translation>
    </message>
    <message>
        <source>No results yet</source>
        <translation>暂无结果</translation>
    </message>
    <message>
        <source>Run a plan, or open a workspace with results.</source>
        <translation>请运行计划，或打开含有结果的工作区。</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>计划</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>Scale of the axes</source>
        <translation>坐标轴刻度</translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation>加速比</translation>
    </message>
    <message>
        <source>Efficiency</source>
        <translation>效率</translation>
    </message>
    <message>
        <source>Right chart</source>
        <translation>右侧图表</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>吞吐量</translation>
    </message>
    <message>
        <source>median; whiskers span the repeats</source>
        <translation>中位数；须线为重复范围</translation>
    </message>
    <message>
        <source>Throughput (%1)</source>
        <translation>吞吐量（%1）</translation>
    </message>
    <message>
        <source>Speedup over 1 GPU</source>
        <translation>相对单卡的加速比</translation>
    </message>
    <message>
        <source>Speedup over 1 device</source>
        <translation>相对单设备的加速比</translation>
    </message>
    <message>
        <source>Efficiency (%)</source>
        <translation>效率（%）</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU 数</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备数</translation>
    </message>
    <message>
        <source>ideal</source>
        <translation>理想线</translation>
    </message>
    <message>
        <source>SIMULATED</source>
        <translation>模拟数据</translation>
    </message>
    <message>
        <source>No speedup: the 1-GPU run is missing</source>
        <translation>无加速比：缺少单卡结果</translation>
    </message>
    <message>
        <source>No speedup: the 1-device run is missing</source>
        <translation>无加速比：缺少单设备结果</translation>
    </message>
    <message>
        <source>Every curve is hidden</source>
        <translation>所有曲线均已隐藏</translation>
    </message>
    <message>
        <source>speedup ÷ number of devices</source>
        <translation>加速比 ÷ 设备数</translation>
    </message>
    <message>
        <source>throughput ÷ same framework on 1 GPU</source>
        <translation>吞吐量 ÷ 同框架单卡</translation>
    </message>
    <message>
        <source>throughput ÷ same framework on 1 device</source>
        <translation>吞吐量 ÷ 同框架单设备</translation>
    </message>
    <message numerus="yes">
        <source>%1 · %n curve(s)</source>
        <translation>
            <numerusform>%1 · %n 条曲线</numerusform>
        </translation>
    </message>
    <message>
        <source>SIMULATED: values are made up.</source>
        <translation>模拟数据：数值为虚构。</translation>
    </message>
    <message>
        <source>No speedup for %1: the run on 1 device is missing.</source>
        <translation>%1 无加速比：缺少单设备结果。</translation>
    </message>
    <message numerus="yes">
        <source>%n repeat(s) give a %1 interval; six or more give 95 %.</source>
        <translation>
            <numerusform>%n 次重复只能给出 %1 区间，6 次以上可达 95 %。</numerusform>
        </translation>
    </message>
    <message>
        <source>Fewer than six repeats give an interval of less than 95 %.</source>
        <translation>少于 6 次重复时，区间的置信水平低于 95 %。</translation>
    </message>
    <message>
        <source>%1, %2, batch %3 per device</source>
        <translation>%1，%2，每设备批大小 %3</translation>
    </message>
    <message numerus="yes">
        <source>Scaleboard · %1 · %n run(s), newest %2</source>
        <translation>
            <numerusform>Scaleboard · %1 · %n 次运行，最新 %2</numerusform>
        </translation>
    </message>
    <message>
        <source>Published results</source>
        <translation>已发表结果</translation>
    </message>
    <message>
        <source>Lay the tables of the 2020-10 report over your results, with their source.</source>
        <translation>把 2020-10 报告的表格叠加到您的结果上，并注明来源。</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>拟合</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>to </source>
        <translation>至 </translation>
    </message>
    <message>
        <source>Devices that the fit is drawn to</source>
        <translation>拟合外推到的设备数</translation>
    </message>
    <message>
        <source>superlinear at %1 (× %2), the base is likely slow.</source>
        <translation>%1 个设备时超线性（× %2），基线可能偏慢。</translation>
    </message>
    <message>
        <source>grows faster than the devices from %1 to %2 (× %3).</source>
        <translation>从 %1 到 %2 个设备，增长快于设备数（× %3）。</translation>
    </message>
    <message>
        <source>slower with %2 devices than with %1 (× %3).</source>
        <translation>%2 个设备比 %1 个更慢（× %3）。</translation>
    </message>
    <message>
        <source>real input data, not synthetic</source>
        <translation>真实输入数据，而非合成数据</translation>
    </message>
    <message>
        <source>Published: %1.</source>
        <translation>已发表：%1。</translation>
    </message>
    <message>
        <source>Choose a row to see its band alone.</source>
        <translation>选择一行可单独查看其置信带。</translation>
    </message>
    <message>
        <source>Runs…</source>
        <translation>运行…</translation>
    </message>
    <message>
        <source>The runs behind the chosen cell: their steps, percentiles and ranks.</source>
        <translation>所选单元格背后的运行：各步、分位数和各 rank。</translation>
    </message>
    <message>
        <source>Global batch</source>
        <translation>全局批大小</translation>
    </message>
    <message>
        <source>Weak</source>
        <translation>弱扩展</translation>
    </message>
    <message>
        <source>Strong</source>
        <translation>强扩展</translation>
    </message>
    <message>
        <source>Kind of scaling</source>
        <translation>扩展类型</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>屋顶线</translation>
    </message>
    <message>
        <source>Weak: the same batch on each device. Strong: the same batch on all together.</source>
        <translation>弱扩展：每个设备的批大小相同。强扩展：所有设备合计的批大小相同。</translation>
    </message>
    <message>
        <source>No configuration was measured at two scales with the same batch on all devices together, as strong scaling needs.</source>
        <translation>强扩展需要同一配置在两个规模上以相同的全局批大小测量，目前没有。</translation>
    </message>
    <message>
        <source>No speedup: the whole batch was not run on 1 device</source>
        <translation>无加速比：没有在单设备上运行整个批</translation>
    </message>
    <message numerus="yes">
        <source>%n sample(s) a step at every scale</source>
        <translation>
            <numerusform>各规模每步均为 %n 个样本</numerusform>
        </translation>
    </message>
    <message>
        <source>Speedup, strong scaling</source>
        <translation>加速比，强扩展</translation>
    </message>
    <message>
        <source>Efficiency, strong scaling</source>
        <translation>效率，强扩展</translation>
    </message>
    <message>
        <source>Where the loss goes</source>
        <translation>损失去向</translation>
    </message>
    <message>
        <source>%1; choose another in the table</source>
        <translation>%1；可在表中选择其他</translation>
    </message>
    <message>
        <source>at each curve&apos;s largest scale</source>
        <translation>各曲线的最大规模处</translation>
    </message>
    <message>
        <source>throughput ÷ the whole batch on 1 device</source>
        <translation>吞吐量 ÷ 单设备运行整个批</translation>
    </message>
    <message>
        <source>Nothing was measured on more than 1 device.</source>
        <translation>没有在多于 1 个设备上测量。</translation>
    </message>
    <message>
        <source>α–β needs measured all-reduce times: open the output of sbtrain bench allreduce or of all_reduce_perf.</source>
        <translation>α–β 需要 all-reduce 的测量时间：请打开 sbtrain bench allreduce 或 all_reduce_perf 的输出。</translation>
    </message>
    <message>
        <source>α–β from %1: %2.</source>
        <translation>α–β（%1）：%2。</translation>
    </message>
    <message>
        <source>No speedup for %1: the whole batch was not run on 1 device.</source>
        <translation>%1 无加速比：没有在单设备上运行整个批。</translation>
    </message>
    <message>
        <source>%1, global batch %2, strong scaling</source>
        <translation>%1，全局批大小 %2，强扩展</translation>
    </message>
    <message>
        <source>%1, batch %2 per device</source>
        <translation>%1，每设备批大小 %2</translation>
    </message>
    <message>
        <source>† %1: %2.</source>
        <translation>† %1：%2。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>sb::ScalingTableModel</name>
    <message>
        <source>Framework</source>
        <translation>框架</translation>
    </message>
    <message numerus="yes">
        <source>%n GPU(s)</source>
        <translation>
            <numerusform>%n GPU</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n device(s)</source>
        <translation>
            <numerusform>%n 个设备</numerusform>
        </translation>
    </message>
    <message>
        <source>speedup</source>
        <translation>加速比</translation>
    </message>
    <message>
        <source>Efficiency</source>
        <translation>效率</translation>
    </message>
    <message>
        <source>Interval at %1</source>
        <translation>%1 设备区间</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>Noise</source>
        <translation>噪声</translation>
    </message>
    <message>
        <source>Range of the repeats over their median: A up to 1 %, B up to 3 %, C more.</source>
        <translation>重复范围与中位数之比：A ≤ 1 %，B ≤ 3 %，C 更大。</translation>
    </message>
    <message>
        <source>skip %1 steps, average %2</source>
        <translation>跳过 %1 步，平均 %2 步</translation>
    </message>
    <message>
        <source>Speedup: throughput divided by that of the same framework, batch and precision on one device.</source>
        <translation>加速比：吞吐量除以同一框架、批大小和精度在单设备上的吞吐量。</translation>
    </message>
    <message>
        <source>Efficiency: speedup divided by the number of devices.</source>
        <translation>效率：加速比除以设备数。</translation>
    </message>
    <message>
        <source>Throughput: samples all devices finish in a second, averaged over the measured steps.</source>
        <translation>吞吐量：所有设备每秒完成的样本数，对测量步取平均。</translation>
    </message>
    <message>
        <source>low</source>
        <translation>下限</translation>
    </message>
    <message>
        <source>high</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>coverage</source>
        <translation>置信水平</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation>已隐藏</translation>
    </message>
    <message numerus="yes">
        <source>Not identifiable from %n scale(s)</source>
        <translation>
            <numerusform>%n 个规模不足以确定参数</numerusform>
        </translation>
    </message>
    <message>
        <source>Not identifiable: the scales do not tell the parameters apart</source>
        <translation>无法确定：这些规模无法区分各参数</translation>
    </message>
    <message>
        <source>Not identifiable: grows faster than the devices</source>
        <translation>无法确定：增长快于设备数</translation>
    </message>
    <message>
        <source>Not identifiable: the fit found no end</source>
        <translation>无法确定：拟合未收敛</translation>
    </message>
    <message>
        <source>not identifiable</source>
        <translation>无法确定</translation>
    </message>
    <message>
        <source>One device: %1 (%2 – %3)</source>
        <translation>单设备：%1（%2 – %3）</translation>
    </message>
    <message>
        <source>Residuals, measured over fitted:</source>
        <translation>残差（实测与拟合之比）：</translation>
    </message>
    <message>
        <source>Greatest throughput at about %1 devices</source>
        <translation>约 %1 个设备时吞吐量最高</translation>
    </message>
    <message>
        <source>Expected at %1</source>
        <translation>%1 处预期</translation>
    </message>
    <message>
        <source>Share of a step that does not get shorter by sharing it, with its 95 % interval.</source>
        <translation>一步中不随分摊而缩短的比例，及其 95 % 区间。</translation>
    </message>
    <message>
        <source>Cost of every pair of devices talking to each other, with its 95 % interval.</source>
        <translation>设备两两通信的代价，及其 95 % 区间。</translation>
    </message>
    <message>
        <source>What the fit expects, and the interval in which 95 % of measurements would lie.</source>
        <translation>拟合的预期值，以及 95 % 的测量值所在的区间。</translation>
    </message>
    <message numerus="yes">
        <source>β %1 GB/s bus bandwidth, from %n size(s) over %2 ranks</source>
        <translation>
            <numerusform>β %1 GB/s 总线带宽，来自 %2 个 rank 上的 %n 种大小</numerusform>
        </translation>
    </message>
    <message>
        <source>α %1 µs a step of the ring</source>
        <translation>α 每个环步 %1 µs</translation>
    </message>
    <message>
        <source>α not identifiable: taken as 0</source>
        <translation>α 无法确定：取 0</translation>
    </message>
    <message>
        <source>Their residuals: spread %1, at most %2</source>
        <translation>其残差：离散 %1，最大 %2</translation>
    </message>
    <message>
        <source>Not identifiable: neither the runs nor the program know how many bytes of gradients this model has</source>
        <translation>无法确定：运行和程序都不知道该模型的梯度字节数</translation>
    </message>
    <message>
        <source>Gradients: %1 a step</source>
        <translation>梯度：每步 %1</translation>
    </message>
    <message>
        <source>Not identifiable: the run on 1 device is missing</source>
        <translation>无法确定：缺少单设备运行</translation>
    </message>
    <message>
        <source>All-reduce over %1: %2 ms a step of %3 ms; efficiency %4 if none of it is hidden, %5 if all that can be is</source>
        <translation>%1 个设备的 all-reduce：每步 %2 毫秒（一步 %3 毫秒）；完全不隐藏时效率 %4，尽可能隐藏时 %5</translation>
    </message>
    <message>
        <source>Not identifiable: communication hardly changes a step</source>
        <translation>无法确定：通信几乎不改变步时间</translation>
    </message>
    <message>
        <source>Residuals of the curve: spread %1</source>
        <translation>曲线残差：离散 %1</translation>
    </message>
    <message>
        <source>Not hidden</source>
        <translation>未隐藏</translation>
    </message>
    <message>
        <source>How much of the gradients&apos; communication a step pays for, by the measured all-reduce; the rest is hidden behind the backward pass. With its 95 % interval.</source>
        <translation>按测得的 all-reduce，一步实际付出的梯度通信比例，其余隐藏在反向计算之后。附 95 % 区间。</translation>
    </message>
    <message>
        <source>No utilisation: nothing says how many FLOPs a sample of this model takes.</source>
        <translation>无利用率：不知道该模型每个样本需要多少 FLOP。</translation>
    </message>
    <message>
        <source>No utilisation: the runs do not say what device they ran on.</source>
        <translation>无利用率：运行没有说明所用设备。</translation>
    </message>
    <message>
        <source>No utilisation: the peak of “%1” is not known.</source>
        <translation>无利用率：不知道“%1”的峰值。</translation>
    </message>
    <message>
        <source>No utilisation: “%1” has no units of this precision.</source>
        <translation>无利用率：“%1”没有此精度的计算单元。</translation>
    </message>
    <message>
        <source>%1 TFLOP/s of %2 a device (%3; %4)</source>
        <translation>每设备 %1 / %2 TFLOP/s（%3；%4）</translation>
    </message>
    <message>
        <source>%1 GFLOP a sample, as the program logged it</source>
        <translation>每样本 %1 GFLOP，程序记录</translation>
    </message>
    <message>
        <source>%1 GFLOP a sample, counted from the model&apos;s layers</source>
        <translation>每样本 %1 GFLOP，按模型各层计数</translation>
    </message>
    <message>
        <source>Above the peak: the program must have used faster units (TF32 or half precision) than the case says.</source>
        <translation>高于峰值：程序必定使用了比用例所述更快的单元（TF32 或半精度）。</translation>
    </message>
    <message>
        <source>MFU at %1</source>
        <translation>%1 处 MFU</translation>
    </message>
    <message>
        <source>Model FLOPs utilisation: the arithmetic that the model needs over what the devices could do by their data sheet.</source>
        <translation>模型 FLOP 利用率（MFU）：模型所需计算量与设备标称能力之比。</translation>
    </message>
</context>
<context>
    <name>sb::Screenshots</name>
    <message>
        <source>The folder %1 cannot be made.</source>
        <translation>无法创建文件夹 %1。</translation>
    </message>
    <message>
        <source>%1 cannot be written.</source>
        <translation>无法写入 %1。</translation>
    </message>
</context>
<context>
    <name>sb::SecretDialog</name>
    <message>
        <source>Passphrase of a key</source>
        <translation>密钥的口令</translation>
    </message>
    <message>
        <source>Password of %1</source>
        <translation>%1 的密码</translation>
    </message>
    <message>
        <source>%1 asks</source>
        <translation>%1 询问</translation>
    </message>
    <message>
        <source>It says: “%1”</source>
        <translation>它说：“%1”</translation>
    </message>
    <message>
        <source>⚠ That was not right. Try again.</source>
        <translation>⚠ 不正确，请重试。</translation>
    </message>
    <message>
        <source>Passphrase</source>
        <translation>口令</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>密码</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>“%1”</translation>
    </message>
    <message>
        <source>Keep in the desktop keychain</source>
        <translation>保存在桌面密钥环中</translation>
    </message>
    <message>
        <source>It is kept in memory until you quit, and nowhere else.</source>
        <translation>只在内存中保存到您退出为止。</translation>
    </message>
    <message>
        <source>Unlock</source>
        <translation>解锁</translation>
    </message>
    <message>
        <source>Sign in</source>
        <translation>登录</translation>
    </message>
    <message>
        <source>More questions wait: %1</source>
        <translation>还有 %1 个问题等待</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>sb::SetsPanel</name>
    <message>
        <source>Best GPU sets</source>
        <translation>最佳 GPU 组合</translation>
    </message>
    <message>
        <source>Copy line</source>
        <translation>复制该行</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU 数</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>理由</translation>
    </message>
    <message>
        <source>Use in plan</source>
        <translation>用于计划</translation>
    </message>
    <message>
        <source>Cases on so many GPUs of a node take these</source>
        <translation>在一个节点上使用这么多 GPU 的用例将使用它们</translation>
    </message>
</context>
<context>
    <name>sb::StartPage</name>
    <message>
        <source>Import logs…</source>
        <translation>导入日志…</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Measure training on one machine or a cluster, and leave with curves and a report.</source>
        <translation>在单机或集群上测量训练速度，得到曲线和报告。</translation>
    </message>
    <message>
        <source>Run the first study</source>
        <translation>运行首次测试</translation>
    </message>
    <message>
        <source>Trains one model on this machine with one device, then with more, and draws how it scales. Nothing leaves this computer.</source>
        <translation>在本机先用一个设备、再用更多设备训练同一模型，并画出扩展曲线。不会有数据离开本机。</translation>
    </message>
    <message>
        <source>Start the first study</source>
        <translation>开始首次测试</translation>
    </message>
    <message>
        <source>Open results</source>
        <translation>打开结果</translation>
    </message>
    <message>
        <source>A workspace folder with its runs, logs and curves. You can also drop a folder or a plan file here.</source>
        <translation>含有运行、日志和曲线的工作区文件夹。也可以把文件夹或计划文件拖到这里。</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Recent workspaces</source>
        <translation>最近的工作区</translation>
    </message>
    <message>
        <source>New…</source>
        <translation>新建…</translation>
    </message>
    <message>
        <source>A workspace is one folder: the raw logs and an index that can be rebuilt from them.</source>
        <translation>工作区就是一个文件夹：原始日志，以及可由日志重建的索引。</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>重新读取</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Containers</source>
        <translation>容器</translation>
    </message>
    <message>
        <source>First study</source>
        <translation>首次测试</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message numerus="yes">
        <source>%n core(s)</source>
        <translation>
            <numerusform>%n 核</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 free</source>
        <translation>%2 中 %1 可用</translation>
    </message>
    <message>
        <source>none found · trains on the CPU</source>
        <translation>未找到 · 使用 CPU 训练</translation>
    </message>
    <message>
        <source>no framework runs here</source>
        <translation>没有可在此运行的框架</translation>
    </message>
    <message>
        <source>%1, 1 → %2, about %3</source>
        <translation>%1，1 → %2，约 %3</translation>
    </message>
    <message>
        <source>%1, 1 → %2</source>
        <translation>%1，1 → %2</translation>
    </message>
    <message>
        <source>reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Nothing yet. The first study makes a workspace of its own in your home folder.</source>
        <translation>暂无。首次测试会在您的主目录中创建自己的工作区。</translation>
    </message>
    <message>
        <source>Add a node</source>
        <translation>添加节点</translation>
    </message>
    <message>
        <source>Connect over SSH with your own keys and known_hosts. Reads GPUs and versions as a plain user; installs nothing.</source>
        <translation>使用您自己的密钥和 known_hosts 通过 SSH 连接。以普通用户读取 GPU 和版本，不安装任何东西。</translation>
    </message>
    <message>
        <source>Add a node…</source>
        <translation>添加节点…</translation>
    </message>
</context>
<context>
    <name>sb::StatusLine</name>
    <message>
        <source>Connecting to nodes…</source>
        <translation>正在连接节点…</translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) ready</source>
        <translation>
            <numerusform>%n 个节点就绪</numerusform>
        </translation>
    </message>
    <message>
        <source>Reading this machine…</source>
        <translation>正在读取本机…</translation>
    </message>
    <message>
        <source>No node is ready</source>
        <translation>没有就绪的节点</translation>
    </message>
    <message>
        <source>No data for %1 s</source>
        <translation>%1 秒没有数据</translation>
    </message>
    <message>
        <source>Run %1 of %2</source>
        <translation>第 %1/%2 次运行</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>No run in progress</source>
        <translation>没有正在进行的运行</translation>
    </message>
    <message>
        <source>No workspace open</source>
        <translation>没有打开工作区</translation>
    </message>
    <message>
        <source>Program to %1: %2 %</source>
        <translation>程序传到 %1：%2 %</translation>
    </message>
    <message>
        <source>Building from source on %1: %2 %</source>
        <translation>在 %1 上从源码编译：%2 %</translation>
    </message>
    <message>
        <source>Getting the image on %1: %2</source>
        <translation>正在 %1 上获取镜像：%2</translation>
    </message>
</context>
<context>
    <name>sb::StepRail</name>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
</context>
<context>
    <name>sb::TopologyEntries</name>
    <message>
        <source>unlike %1 of %2 nodes</source>
        <translation>与 %2 个节点中的 %1 个不同</translation>
    </message>
    <message>
        <source>unlike %1</source>
        <translation>与 %1 不同</translation>
    </message>
    <message>
        <source>%1 of %2 nodes alike</source>
        <translation>%2 个节点中 %1 个相同</translation>
    </message>
    <message>
        <source>%1–%2 is %3 here, %4 elsewhere</source>
        <translation>%1–%2 此处为 %3，其他节点为 %4</translation>
    </message>
    <message>
        <source>%1 is missing here</source>
        <translation>此处缺少 %1</translation>
    </message>
    <message>
        <source>%1 is only here</source>
        <translation>%1 仅此处有</translation>
    </message>
    <message>
        <source>%1 has the cores %2 here, %3 elsewhere</source>
        <translation>%1 的核此处为 %2，其他节点为 %3</translation>
    </message>
    <message>
        <source>%1 is in NUMA node %2 here, %3 elsewhere</source>
        <translation>%1 此处在 NUMA 节点 %2，其他节点为 %3</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>另有 %n 处</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::TopologyPage</name>
    <message>
        <source>Nominal or measured rates</source>
        <translation>标称或实测速率</translation>
    </message>
    <message>
        <source>Open a topology text</source>
        <translation>打开拓扑文本</translation>
    </message>
    <message>
        <source>Topology</source>
        <translation>拓扑</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Paste text…</source>
        <translation>粘贴文本…</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Matrix</source>
        <translation>矩阵</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>arrow keys move; Enter selects a pair</source>
        <translation>方向键移动，Enter 选择一对</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Pair</source>
        <translation>GPU 对</translation>
    </message>
    <message>
        <source>Best sets</source>
        <translation>最佳组合</translation>
    </message>
    <message>
        <source>Nothing yet</source>
        <translation>暂无</translation>
    </message>
    <message>
        <source>en</source>
        <comment>code of the language of this file: en or zh</comment>
        <translation>zh</translation>
    </message>
    <message>
        <source>%1 holds no topology.</source>
        <translation>%1 中没有拓扑。</translation>
    </message>
    <message>
        <source>%1 cannot be read.</source>
        <translation>无法读取 %1。</translation>
    </message>
    <message>
        <source>file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>pasted text</source>
        <translation>粘贴的文本</translation>
    </message>
    <message>
        <source>Export the topology</source>
        <translation>导出拓扑</translation>
    </message>
    <message>
        <source>Graph (*.%1)</source>
        <translation>图 (*.%1)</translation>
    </message>
    <message>
        <source>Matrix (*.%1)</source>
        <translation>矩阵 (*.%1)</translation>
    </message>
    <message>
        <source>%1 could not be written.</source>
        <translation>无法写入 %1。</translation>
    </message>
    <message>
        <source>Wrote %1</source>
        <translation>已写入 %1</translation>
    </message>
    <message>
        <source>From the PCI tree; NVLink unknown</source>
        <translation>来自 PCI 树，NVLink 未知</translation>
    </message>
    <message>
        <source>read just now</source>
        <translation>刚刚读取</translation>
    </message>
    <message numerus="yes">
        <source>read %n min ago</source>
        <translation>
            <numerusform>%n 分钟前读取</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n GPU(s)</source>
        <translation>
            <numerusform>%n 块 GPU</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n network card(s)</source>
        <translation>
            <numerusform>%n 块网卡</numerusform>
        </translation>
    </message>
    <message>
        <source>bar = all to all</source>
        <translation>竖条 = 全互联</translation>
    </message>
    <message>
        <source>n lines = n NVLinks</source>
        <translation>n 条线 = n 条 NVLink</translation>
    </message>
    <message>
        <source>dropped text</source>
        <translation>拖入的文本</translation>
    </message>
    <message>
        <source>Nominal</source>
        <translation>标称</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>重新读取</translation>
    </message>
    <message>
        <source>Connect a node with GPUs, or paste what nvidia-smi topo -m printed there.</source>
        <translation>连接带 GPU 的节点，或粘贴那里 nvidia-smi topo -m 的输出。</translation>
    </message>
    <message>
        <source>These are measured rates; show a topology first.</source>
        <translation>这是实测速率；请先显示一个拓扑。</translation>
    </message>
    <message>
        <source>They are drawn on its links.</source>
        <translation>速率会画在它的链路上。</translation>
    </message>
    <message>
        <source>The topology of %1 was not read.</source>
        <translation>未能读取 %1 的拓扑。</translation>
    </message>
    <message>
        <source>GB/s measured by %1</source>
        <translation>%1 实测 GB/s</translation>
    </message>
    <message>
        <source>Unlike the other nodes: %1.</source>
        <translation>与其他节点不同：%1。</translation>
    </message>
    <message>
        <source>Bus bandwidth over %1 GPUs, measured: %2 GB/s</source>
        <translation>%1 个 GPU 的实测总线带宽：%2 GB/s</translation>
    </message>
</context>
<context>
    <name>sb::Units</name>
    <message>
        <source>images/s</source>
        <translation>图片/秒</translation>
    </message>
    <message>
        <source>sequences/s</source>
        <translation>序列/秒</translation>
    </message>
    <message>
        <source>samples/s</source>
        <translation>样本/秒</translation>
    </message>
    <message>
        <source>en</source>
        <comment>the code of this language: zh for Chinese</comment>
        <translation>zh</translation>
    </message>
</context>
<context>
    <name>sb::UnknownKeyDialog</name>
    <message>
        <source>%1 is not known yet</source>
        <translation>%1 尚未认识</translation>
    </message>
    <message>
        <source>It is on the way to %1. Nothing has been sent to it: no password, no command. Compare this key with the one the machine itself names.</source>
        <translation>它位于通往 %1 的路上。尚未向它发送任何内容：没有密码，没有命令。请将此密钥与该机器自身给出的密钥比较。</translation>
    </message>
    <message>
        <source>Nothing has been sent to it: no password, no command. Compare this key with the one the machine itself names.</source>
        <translation>尚未向它发送任何内容：没有密码，没有命令。请将此密钥与该机器自身给出的密钥比较。</translation>
    </message>
    <message>
        <source>On the machine, or by somebody who runs it:</source>
        <translation>在该机器上，或由其管理者运行：</translation>
    </message>
    <message>
        <source>ssh_config names no file for it, so it can only be trusted this time.</source>
        <translation>ssh_config 没有为它指定文件，因此只能信任这一次。</translation>
    </message>
    <message>
        <source>“Trust and save” adds a line to %1.</source>
        <translation>“信任并保存”会在 %1 中添加一行。</translation>
    </message>
    <message>
        <source>Copy to compare</source>
        <translation>复制以比较</translation>
    </message>
    <message>
        <source>Trust and save</source>
        <translation>信任并保存</translation>
    </message>
    <message>
        <source>This time only</source>
        <translation>仅此一次</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>sb::WorkspaceActions</name>
    <message>
        <source>Not everything was imported.</source>
        <translation>并非所有内容都已导入。</translation>
    </message>
    <message>
        <source>The workspace was not opened.</source>
        <translation>工作区未打开。</translation>
    </message>
    <message>
        <source>The workspace was not made.</source>
        <translation>工作区未创建。</translation>
    </message>
    <message>
        <source>Open a workspace</source>
        <translation>打开工作区</translation>
    </message>
    <message>
        <source>Make a workspace: where should results go?</source>
        <translation>新建工作区：结果保存到哪里？</translation>
    </message>
    <message>
        <source>New folder:</source>
        <translation>新文件夹：</translation>
    </message>
    <message>
        <source>Make</source>
        <translation>创建</translation>
    </message>
    <message>
        <source>Where is %1 now?</source>
        <translation>%1 现在在哪里？</translation>
    </message>
    <message>
        <source>The plan was not started.</source>
        <translation>计划未启动。</translation>
    </message>
    <message>
        <source>The first study was not started.</source>
        <translation>首次测试未启动。</translation>
    </message>
    <message>
        <source>This machine is still being read; try again in a moment.</source>
        <translation>正在读取本机，请稍后再试。</translation>
    </message>
    <message>
        <source>No framework of the plugin folder runs on this machine.</source>
        <translation>插件文件夹中没有可在本机运行的框架。</translation>
    </message>
    <message>
        <source>%1 cannot be made. Make a workspace elsewhere, then start again.</source>
        <translation>无法创建 %1。请在别处新建工作区后重新开始。</translation>
    </message>
    <message>
        <source>Open a bundle</source>
        <translation>打开归档包</translation>
    </message>
    <message>
        <source>Bundles (*.tar.zst)</source>
        <translation>归档包 (*.tar.zst)</translation>
    </message>
    <message>
        <source>The bundle was not opened.</source>
        <translation>归档包未能打开。</translation>
    </message>
</context>
<context>
    <name>Sentence</name>
    <message>
        <source>There is no data folder %1 on %2: put the same data at the same place on every node.</source>
        <translation>%2 上没有数据文件夹 %1：请在每个节点的同一位置放置相同的数据。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; has a &quot;{&quot; without &quot;}&quot;</source>
        <translation>&quot;%1&quot; 中的 &quot;{&quot; 缺少对应的 &quot;}&quot;</translation>
    </message>
    <message>
        <source>&quot;%1&quot; uses the unknown placeholder {%2}</source>
        <translation>&quot;%1&quot; 用了未知的占位符 {%2}</translation>
    </message>
    <message>
        <source>&quot;%1&quot; uses the unknown placeholder {%2}; did you mean {%3}?</source>
        <translation>&quot;%1&quot; 用了未知的占位符 {%2}；是否想写 {%3}？</translation>
    </message>
    <message>
        <source>%1 is no pattern that RE2 takes: %2</source>
        <translation>%1 不是 RE2 能用的模式：%2</translation>
    </message>
    <message>
        <source>%1.kind is &quot;%2&quot;; known: %3</source>
        <translation>%1.kind 是 &quot;%2&quot;；可用的有：%3</translation>
    </message>
    <message>
        <source>%1.scope is &quot;%2&quot;; known: total, per_gpu, per_rank</source>
        <translation>%1.scope 是 &quot;%2&quot;；可用的有：total、per_gpu、per_rank</translation>
    </message>
    <message>
        <source>the pattern uses {%1}, which &quot;define&quot; does not have</source>
        <translation>模式用了 {%1}，但 &quot;define&quot; 中没有它</translation>
    </message>
    <message>
        <source>log.rule is &quot;%1&quot;; known: json_lines, lines</source>
        <translation>log.rule 是 &quot;%1&quot;；可用的有：json_lines、lines</translation>
    </message>
    <message>
        <source>log.throughput is &quot;%1&quot;; known: clock, printed</source>
        <translation>log.throughput 是 &quot;%1&quot;；可用的有：clock、printed</translation>
    </message>
    <message>
        <source>log.lines is empty</source>
        <translation>log.lines 是空的</translation>
    </message>
    <message>
        <source>log.lines needs the rule &quot;lines&quot;</source>
        <translation>log.lines 需要规则 &quot;lines&quot;</translation>
    </message>
    <message>
        <source>%1 was written for a newer version (schema %2; this one reads up to 1).</source>
        <translation>%1 是为更新的版本写的（schema %2；本程序最多读到 1）。</translation>
    </message>
    <message>
        <source>%1 was written by a newer version (schema %2; this one reads up to 1).</source>
        <translation>%1 由更新的版本写成（schema %2；本程序最多读到 1）。</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2.</source>
        <translation>无法读取 %1：%2。</translation>
    </message>
    <message>
        <source>precisions.%1 must be a list […]</source>
        <translation>precisions.%1 必须是列表 […]</translation>
    </message>
    <message>
        <source>precisions.%1 must be a list of texts</source>
        <translation>precisions.%1 必须是文本列表</translation>
    </message>
    <message>
        <source>launch is &quot;%1&quot;; known: %2</source>
        <translation>launch 是 &quot;%1&quot;；可用的有：%2</translation>
    </message>
    <message>
        <source>switches.%1 must be a list of texts</source>
        <translation>switches.%1 必须是文本列表</translation>
    </message>
    <message>
        <source>switches.%1 must be a list […] whose first value is the default</source>
        <translation>switches.%1 必须是列表 […]，第一个值是默认值</translation>
    </message>
    <message>
        <source>program_is is &quot;%1&quot;; known: copied, on_node</source>
        <translation>program_is 是 &quot;%1&quot;；可用的有：copied、on_node</translation>
    </message>
    <message>
        <source>command is empty</source>
        <translation>command 是空的</translation>
    </message>
    <message>
        <source>There is no plugin folder %1.</source>
        <translation>没有插件文件夹 %1。</translation>
    </message>
    <message>
        <source>%1: name is &quot;%2&quot;, but the folder is called &quot;%3&quot;.</source>
        <translation>%1：name 是 &quot;%2&quot;，但文件夹名为 &quot;%3&quot;。</translation>
    </message>
    <message>
        <source>it has no group (?P&lt;rate&gt;…) for the number</source>
        <translation>它没有取数字的分组 (?P&lt;rate&gt;…)</translation>
    </message>
    <message>
        <source>measurement.preset is &quot;%1&quot;; known: dlperf</source>
        <translation>measurement.preset 是 &quot;%1&quot;；可用的有：dlperf</translation>
    </message>
    <message>
        <source>gpu_sets has the key &quot;%1&quot;; it must be a number of GPUs</source>
        <translation>gpu_sets 中有键 &quot;%1&quot;；键必须是 GPU 数量</translation>
    </message>
    <message>
        <source>There is no plan %1.</source>
        <translation>没有计划文件 %1。</translation>
    </message>
    <message>
        <source>The plan %1 cannot be read: %2.</source>
        <translation>无法读取计划 %1：%2。</translation>
    </message>
    <message>
        <source>%1 is larger than 16 MB; this is not a plan.</source>
        <translation>%1 大于 16 MB；这不是计划文件。</translation>
    </message>
    <message>
        <source>The plan cannot be saved to %1: %2.</source>
        <translation>计划无法保存到 %1：%2。</translation>
    </message>
    <message>
        <source>%1 has no all-reduce times; give the output of &quot;sbtrain bench allreduce&quot; or of all_reduce_perf.</source>
        <translation>%1 中没有 all-reduce 时间；请给出 &quot;sbtrain bench allreduce&quot; 或 all_reduce_perf 的输出。</translation>
    </message>
    <message>
        <source>%1 does not say how many ranks took part (its &quot;# Rank&quot; lines), or only one did.</source>
        <translation>%1 没有说明有多少个 rank 参与（&quot;# Rank&quot; 行），或只有一个参与。</translation>
    </message>
    <message>
        <source>Not compared, because a ratio would mean nothing: the two differ in %1.</source>
        <translation>没有对比，因为比值没有意义：两者的不同在于 %1。</translation>
    </message>
    <message>
        <source>the key &quot;%1&quot; is there twice</source>
        <translation>键 &quot;%1&quot; 出现了两次</translation>
    </message>
    <message>
        <source>this is not valid JSON</source>
        <translation>这不是有效的 JSON</translation>
    </message>
    <message>
        <source>this is not valid JSON near &quot;%1&quot;</source>
        <translation>在 &quot;%1&quot; 附近不是有效的 JSON</translation>
    </message>
    <message>
        <source>this is nested more than 64 deep</source>
        <translation>嵌套超过 64 层</translation>
    </message>
    <message>
        <source>this has more than 4 million values</source>
        <translation>值的数量超过 400 万</translation>
    </message>
    <message>
        <source>%1, line %2: %3.</source>
        <translation>%1 第 %2 行：%3。</translation>
    </message>
    <message>
        <source>%1, line %2</source>
        <translation>%1 第 %2 行</translation>
    </message>
    <message>
        <source>%1 must be an object {…}</source>
        <translation>%1 必须是对象 {…}</translation>
    </message>
    <message>
        <source>%1 has no &quot;%2&quot;</source>
        <translation>%1 缺少 &quot;%2&quot;</translation>
    </message>
    <message>
        <source>%1 must be a text</source>
        <translation>%1 必须是文本</translation>
    </message>
    <message>
        <source>%1 must be a whole number</source>
        <translation>%1 必须是整数</translation>
    </message>
    <message>
        <source>%1 must be a number</source>
        <translation>%1 必须是数字</translation>
    </message>
    <message>
        <source>%1 must be true or false</source>
        <translation>%1 必须是 true 或 false</translation>
    </message>
    <message>
        <source>%1 must be a list […]</source>
        <translation>%1 必须是列表 […]</translation>
    </message>
    <message>
        <source>%1 is too large</source>
        <translation>%1 太大</translation>
    </message>
    <message>
        <source>%1 must be a list of texts</source>
        <translation>%1 必须是文本列表</translation>
    </message>
    <message>
        <source>%1 must be a list of whole numbers</source>
        <translation>%1 必须是整数列表</translation>
    </message>
    <message>
        <source>the %1 has no &quot;%2&quot;</source>
        <translation>%1 没有 &quot;%2&quot;</translation>
    </message>
    <message>
        <source>the %1 has no &quot;%2&quot;. Did you mean &quot;%3&quot;?</source>
        <translation>%1 没有 &quot;%2&quot;。是否想写 &quot;%3&quot;？</translation>
    </message>
    <message>
        <source>A fit of %1 parameters needs at least as many values, not %2.</source>
        <translation>%1 个参数的拟合至少需要同样多的数据，而不是 %2 个。</translation>
    </message>
    <message>
        <source>The values cannot be fitted: the model has no value where the fit begins.</source>
        <translation>无法拟合：模型在起点没有值。</translation>
    </message>
    <message>
        <source>The fit ended where the model has no value beside it.</source>
        <translation>拟合停在模型无值的边界上。</translation>
    </message>
    <message>
        <source>The text has no measurement between two GPUs; paste what sbtrain bench p2p, nvbandwidth, p2pBandwidthLatencyTest or nccl-tests on one node printed.</source>
        <translation>文本中没有两块 GPU 之间的测量值；请粘贴 sbtrain bench p2p、nvbandwidth、p2pBandwidthLatencyTest 或单节点 nccl-tests 的输出。</translation>
    </message>
    <message>
        <source>The log has %1 steps, the measurement needs %2 (skip %3, then average %4).</source>
        <translation>日志有 %1 步，测量需要 %2 步（跳过 %3 步，再平均 %4 步）。</translation>
    </message>
    <message>
        <source>The log has no line at step %1; it has one every %2 steps, so skip and average multiples of that.</source>
        <translation>日志在第 %1 步没有记录；它每 %2 步一行，因此跳过和平均的步数应是它的倍数。</translation>
    </message>
    <message>
        <source>The plan measures no step.</source>
        <translation>计划没有要测量的步。</translation>
    </message>
    <message>
        <source>Step %1 is missing in the log.</source>
        <translation>日志中缺少第 %1 步。</translation>
    </message>
    <message>
        <source>The rates that the log prints average %1 a second, but its clock gives %2; is the batch size or the number of devices another?</source>
        <translation>日志打印的速率平均为每秒 %1，但按时间算是 %2；批大小或设备数是否有误？</translation>
    </message>
    <message>
        <source>The log does not say how many samples a step has.</source>
        <translation>日志没有说明每步有多少样本。</translation>
    </message>
    <message>
        <source>The measured steps carry no usable times.</source>
        <translation>被测量的步没有可用的时间。</translation>
    </message>
    <message>
        <source>%1 Did you mean &quot;%2&quot;?</source>
        <translation>%1 是否想写 &quot;%2&quot;？</translation>
    </message>
    <message>
        <source>measurement.warmup_steps is %1; it must be between 0 and 10000000.</source>
        <translation>measurement.warmup_steps 是 %1；必须在 0 到 10000000 之间。</translation>
    </message>
    <message>
        <source>measurement.measured_steps is %1; it must be between 1 and 10000000.</source>
        <translation>measurement.measured_steps 是 %1；必须在 1 到 10000000 之间。</translation>
    </message>
    <message>
        <source>measurement.repeats is %1; it must be between 1 and 10000.</source>
        <translation>measurement.repeats 是 %1；必须在 1 到 10000 之间。</translation>
    </message>
    <message>
        <source>%1 names the workload &quot;%2&quot;, which no chosen framework has.</source>
        <translation>%1 写了任务 &quot;%2&quot;，所选框架都没有它。</translation>
    </message>
    <message>
        <source>%1.precisions is empty; name at least one, such as &quot;fp32&quot;.</source>
        <translation>%1.precisions 是空的；至少写一个，例如 &quot;fp32&quot;。</translation>
    </message>
    <message>
        <source>%1.batch_sizes_per_device is empty; give at least one batch size.</source>
        <translation>%1.batch_sizes_per_device 是空的；至少给一个批大小。</translation>
    </message>
    <message>
        <source>%1.batch_sizes_per_device has %2; a batch size must be between 1 and 1000000.</source>
        <translation>%1.batch_sizes_per_device 中有 %2；批大小必须在 1 到 1000000 之间。</translation>
    </message>
    <message>
        <source>%1.precisions has &quot;%2&quot;.</source>
        <translation>%1.precisions 中有 &quot;%2&quot;。</translation>
    </message>
    <message>
        <source>%1 lists a precision or batch size twice; remove one of them.</source>
        <translation>%1 把同一精度或批大小列了两次；请删去一个。</translation>
    </message>
    <message>
        <source>gpu_sets gives &quot;%1&quot; for %2 GPUs; list the number of each once, such as &quot;0,1&quot; for 2.</source>
        <translation>gpu_sets 为 %2 块 GPU 给出 &quot;%1&quot;；每块的编号各列一次，例如 2 块写 &quot;0,1&quot;。</translation>
    </message>
    <message>
        <source>scales is empty; give at least {&quot;nodes&quot;: 1, &quot;devices_per_node&quot;: 1}.</source>
        <translation>scales 是空的；至少给出 {&quot;nodes&quot;: 1, &quot;devices_per_node&quot;: 1}。</translation>
    </message>
    <message>
        <source>%1 must have nodes and devices_per_node above 0, and at most 1000000 devices in all.</source>
        <translation>%1 的 nodes 和 devices_per_node 必须大于 0，设备总数不得超过 1000000。</translation>
    </message>
    <message>
        <source>%1 is listed twice; remove one of them.</source>
        <translation>%1 列了两次；请删去一个。</translation>
    </message>
    <message>
        <source>options has &quot;%1&quot;, which no chosen framework knows.</source>
        <translation>options 中有 &quot;%1&quot;，所选框架都不认识它。</translation>
    </message>
    <message>
        <source>options.%1 is &quot;%2&quot;.</source>
        <translation>options.%1 是 &quot;%2&quot;。</translation>
    </message>
    <message>
        <source>environments names &quot;%1&quot;, which is not among the plan&apos;s frameworks.</source>
        <translation>environments 写了 &quot;%1&quot;，它不在计划的框架中。</translation>
    </message>
    <message>
        <source>frameworks is empty; name at least one.</source>
        <translation>frameworks 是空的；至少写一个。</translation>
    </message>
    <message>
        <source>frameworks names &quot;%1&quot;, for which there is no plugin.</source>
        <translation>frameworks 写了 &quot;%1&quot;，没有对应的插件。</translation>
    </message>
    <message>
        <source>frameworks lists one twice; remove one of them.</source>
        <translation>frameworks 把同一框架列了两次；请删去一个。</translation>
    </message>
    <message>
        <source>workloads is empty; give at least one.</source>
        <translation>workloads 是空的；至少给一个。</translation>
    </message>
    <message>
        <source>device is &quot;%1&quot;.</source>
        <translation>device 是 &quot;%1&quot;。</translation>
    </message>
    <message>
        <source>threads_per_device is %1; it must be between 1 and 4096.</source>
        <translation>threads_per_device 是 %1；必须在 1 到 4096 之间。</translation>
    </message>
    <message>
        <source>no workload</source>
        <translation>无此任务</translation>
    </message>
    <message>
        <source>no %1</source>
        <translation>无 %1</translation>
    </message>
    <message>
        <source>%1 has no workload &quot;%2&quot;.</source>
        <translation>%1 没有任务 &quot;%2&quot;。</translation>
    </message>
    <message>
        <source>%1 does not run %2 on the device %3.</source>
        <translation>%1 不能在设备 %3 上运行 %2。</translation>
    </message>
    <message>
        <source>%1 runs %2 on %3 in %4, not in %5.</source>
        <translation>%1 在 %3 上以 %4 运行 %2，不支持 %5。</translation>
    </message>
    <message>
        <source>too few nodes</source>
        <translation>节点不足</translation>
    </message>
    <message>
        <source>%1 needs %2 nodes; %3 ready.</source>
        <translation>%1 需要 %2 个节点；%3 个就绪。</translation>
    </message>
    <message>
        <source>too few GPUs</source>
        <translation>GPU 不足</translation>
    </message>
    <message>
        <source>%1 needs %2 GPUs on %3, which has %4.</source>
        <translation>%1 在 %3 上需要 %2 块 GPU，而它有 %4 块。</translation>
    </message>
    <message>
        <source>too few cores</source>
        <translation>核心不足</translation>
    </message>
    <message>
        <source>%1 needs %2 cores on %3, which has %4.</source>
        <translation>%1 在 %3 上需要 %2 个核心，而它有 %4 个。</translation>
    </message>
    <message>
        <source>%1 at batch size %2 needs about %3 GB on %4, which has %5 GB.</source>
        <translation>%1 在批大小 %2 时在 %4 上约需 %3 GB，而它有 %5 GB。</translation>
    </message>
    <message>
        <source>%1 needs counts, a throughput and runs above 0</source>
        <translation>%1 需要大于 0 的数量、吞吐量和运行次数</translation>
    </message>
    <message>
        <source>%1.kind is &quot;%2&quot;; known: report, median, summary, branch, runs</source>
        <translation>%1.kind 是 &quot;%2&quot;；可用的有：report、median、summary、branch、runs</translation>
    </message>
    <message>
        <source>the table &quot;%1&quot; names the series &quot;%2&quot;</source>
        <translation>表 &quot;%1&quot; 写了系列 &quot;%2&quot;</translation>
    </message>
    <message>
        <source>the series &quot;%1&quot; names the workload &quot;%2&quot;</source>
        <translation>系列 &quot;%1&quot; 写了任务 &quot;%2&quot;</translation>
    </message>
    <message>
        <source>the series &quot;%1&quot; names the series &quot;%2&quot;</source>
        <translation>系列 &quot;%1&quot; 写了系列 &quot;%2&quot;</translation>
    </message>
    <message>
        <source>an anomaly names a point of &quot;%1&quot;</source>
        <translation>一处异常写了 &quot;%1&quot; 的一个点</translation>
    </message>
    <message>
        <source>%1: %2, which is not in the file.</source>
        <translation>%1：%2，而文件中没有它。</translation>
    </message>
    <message>
        <source>There is no file of published results at %1.</source>
        <translation>%1 处没有已发表结果的文件。</translation>
    </message>
    <message>
        <source>%1 is larger than 64 MB; that is no file of published results.</source>
        <translation>%1 大于 64 MB；这不是已发表结果的文件。</translation>
    </message>
    <message>
        <source>%1 could not be read; look at its permissions.</source>
        <translation>无法读取 %1；请检查权限。</translation>
    </message>
    <message>
        <source>There are no published results &quot;%1&quot;; none came with this program.</source>
        <translation>没有已发表的结果 &quot;%1&quot;；本程序没有附带任何结果。</translation>
    </message>
    <message>
        <source>colours.%1 is &quot;%2&quot;; write it like &quot;#1f5fbf&quot;</source>
        <translation>colours.%1 是 &quot;%2&quot;；请写成 &quot;#1f5fbf&quot; 的形式</translation>
    </message>
    <message>
        <source>palette is &quot;%1&quot;; it must be print, light, dark or grey</source>
        <translation>palette 是 &quot;%1&quot;；必须是 print、light、dark 或 grey</translation>
    </message>
    <message>
        <source>figure_width_mm must be 40 to 400</source>
        <translation>figure_width_mm 必须在 40 到 400 之间</translation>
    </message>
    <message>
        <source>The report template %1 cannot be read; check that the file is there.</source>
        <translation>无法读取报告模板 %1；请检查文件是否存在。</translation>
    </message>
    <message>
        <source>%1 is larger than 1 MB; this is not a report template.</source>
        <translation>%1 大于 1 MB；这不是报告模板。</translation>
    </message>
    <message>
        <source>%1 needs nodes, gpus_per_node, a throughput and runs above 0, and at most 1000000 devices in all</source>
        <translation>%1 需要大于 0 的 nodes、gpus_per_node、吞吐量和各次运行，设备总数不得超过 1000000</translation>
    </message>
    <message>
        <source>A process of the run ended with an error; its own lines come before the launcher&apos;s.</source>
        <translation>运行中的一个进程出错结束；它自己的输出在启动器的输出之前。</translation>
    </message>
    <message>
        <source>A rank stopped taking part: look at the rank that is silent, not only at the one that complains.</source>
        <translation>有 rank 停止参与：请查看没有输出的 rank，而不仅是报错的那个。</translation>
    </message>
    <message>
        <source>Another job holds the rendezvous port; end it or take another port.</source>
        <translation>其他作业占用了会合端口；请结束它或换一个端口。</translation>
    </message>
    <message>
        <source>Ask the queue for more time, or plan fewer steps.</source>
        <translation>请向队列申请更多时间，或减少计划的步数。</translation>
    </message>
    <message>
        <source>Check the image&apos;s name and tag, and whether the node may pull from that registry.</source>
        <translation>请检查镜像的名称和标签，以及节点是否能从该仓库拉取。</translation>
    </message>
    <message>
        <source>Free some space in the folder that the program writes to.</source>
        <translation>请在程序写入的文件夹所在磁盘腾出空间。</translation>
    </message>
    <message>
        <source>Give containers more shared memory (--shm-size=16g or --ipc=host).</source>
        <translation>请给容器更多共享内存（--shm-size=16g 或 --ipc=host）。</translation>
    </message>
    <message>
        <source>Install what is missing in the environment that the framework runs in, on every node.</source>
        <translation>请在每个节点上、在框架运行的环境中安装缺少的东西。</translation>
    </message>
    <message>
        <source>Look at nvidia-smi and the kernel log of that node; the driver must be new enough for the CUDA of the framework.</source>
        <translation>请查看该节点的 nvidia-smi 和内核日志；驱动必须足够新，能支持框架所用的 CUDA。</translation>
    </message>
    <message>
        <source>Look whether the node is up, and take it out of the plan until it is.</source>
        <translation>请查看节点是否在运行；恢复之前先把它从计划中去掉。</translation>
    </message>
    <message>
        <source>Lower the learning rate, or use a precision with a wider range.</source>
        <translation>请降低学习率，或使用范围更宽的精度。</translation>
    </message>
    <message>
        <source>NCCL took an interface that leads nowhere; name the right one with NCCL_SOCKET_IFNAME.</source>
        <translation>NCCL 选了不通的网络接口；请用 NCCL_SOCKET_IFNAME 指定正确的接口。</translation>
    </message>
    <message>
        <source>Nothing listens at the rendezvous: check that the first node&apos;s process is up and that the port is free and open.</source>
        <translation>会合地址没有监听者：请确认第一个节点的进程已启动，端口空闲且开放。</translation>
    </message>
    <message>
        <source>Read the lines before it in the log: they say where in the script.</source>
        <translation>请看日志中它之前的几行：那里写明了脚本中的位置。</translation>
    </message>
    <message>
        <source>Run again with NCCL_DEBUG=INFO and look at the first NCCL WARN line.</source>
        <translation>请设置 NCCL_DEBUG=INFO 再运行一次，查看第一行 NCCL WARN。</translation>
    </message>
    <message>
        <source>Something ended the process from outside; the host&apos;s memory is the usual reason.</source>
        <translation>进程被外部终止；通常是主机内存不足。</translation>
    </message>
    <message>
        <source>Take a smaller batch, a lower precision or fewer samples in flight.</source>
        <translation>请减小批大小、降低精度或减少同时处理的样本。</translation>
    </message>
    <message>
        <source>The host&apos;s memory was used up: take fewer loader workers or a smaller batch.</source>
        <translation>主机内存用尽：请减少数据加载进程或减小批大小。</translation>
    </message>
    <message>
        <source>The nodes do not reach each other on the chosen network interface: check routes, firewall and NCCL_SOCKET_IFNAME.</source>
        <translation>节点在所选网络接口上互相无法到达：请检查路由、防火墙和 NCCL_SOCKET_IFNAME。</translation>
    </message>
    <message>
        <source>The nodes must reach each other over SSH with keys, on the container&apos;s own port.</source>
        <translation>节点之间必须能用密钥通过 SSH 互相登录，并使用容器自己的端口。</translation>
    </message>
    <message>
        <source>The program crashed; mixed versions of libraries are the usual reason.</source>
        <translation>程序崩溃；通常是库的版本混用。</translation>
    </message>
    <message>
        <source>The program is not on that node, or not in PATH there.</source>
        <translation>该节点上没有此程序，或不在 PATH 中。</translation>
    </message>
    <message>
        <source>%1 Known: %2.</source>
        <translation>%1 可用的有：%2。</translation>
    </message>
    <message>
        <source>source_folders names &quot;%1&quot;, which is not among the plan&apos;s frameworks.</source>
        <translation>source_folders 写了 &quot;%1&quot;，它不在计划的框架中。</translation>
    </message>
    <message>
        <source>source_folders.%1 is &quot;%2&quot;; it must be an absolute folder.</source>
        <translation>source_folders.%1 是 &quot;%2&quot;；必须是绝对路径的文件夹。</translation>
    </message>
    <message>
        <source>source_folders has no &quot;%1&quot;: clone %2 on every node and give the folder, such as {&quot;%3&quot;: &quot;/opt/scripts&quot;}.</source>
        <translation>source_folders 中没有 &quot;%1&quot;：请在每个节点上克隆 %2 并写出文件夹，例如 {&quot;%3&quot;: &quot;/opt/scripts&quot;}。</translation>
    </message>
    <message>
        <source>options has &quot;%1&quot;, which needs data from a folder; data is &quot;synthetic&quot;.</source>
        <translation>options 中有 &quot;%1&quot;，它需要文件夹中的数据；而 data 是 &quot;synthetic&quot;。</translation>
    </message>
    <message>
        <source>data is &quot;%1&quot;; it must be &quot;synthetic&quot; or an absolute folder that every node has.</source>
        <translation>data 是 &quot;%1&quot;；必须是 &quot;synthetic&quot; 或每个节点都有的绝对路径文件夹。</translation>
    </message>
    <message>
        <source>no such data</source>
        <translation>无此数据</translation>
    </message>
    <message>
        <source>%1 trains %2 on data from a folder only, not on synthetic data.</source>
        <translation>%1 只能用文件夹中的数据训练 %2，不能用合成数据。</translation>
    </message>
    <message>
        <source>%1 trains %2 on synthetic data only, not from the folder %3.</source>
        <translation>%1 只能用合成数据训练 %2，不能用文件夹 %3 中的数据。</translation>
    </message>
    <message>
        <source>%1 is not used: %2 has the same name. Rename its folder and &quot;name&quot;.</source>
        <translation>没有使用 %1：%2 与它同名。请改它的文件夹名和 &quot;name&quot;。</translation>
    </message>
    <message>
        <source>device is &quot;auto&quot;, but the launcher %1 runs on nodes that are not known here; say &quot;cpu&quot; or &quot;cuda&quot;.</source>
        <translation>device 是 &quot;auto&quot;，但启动器 %1 运行在这里未知的节点上；请写 &quot;cpu&quot; 或 &quot;cuda&quot;。</translation>
    </message>
    <message>
        <source>threads_per_device is missing; the launcher %1 runs on nodes whose cores are not known here.</source>
        <translation>缺少 threads_per_device；启动器 %1 运行在核心数未知的节点上。</translation>
    </message>
    <message>
        <source>slurm.time_limit_min is %1; it must be between 1 and 525600 minutes.</source>
        <translation>slurm.time_limit_min 是 %1；必须在 1 到 525600 分钟之间。</translation>
    </message>
    <message>
        <source>slurm.folder is &quot;%1&quot;; it must begin with &quot;/&quot;.</source>
        <translation>slurm.folder 是 &quot;%1&quot;；必须以 &quot;/&quot; 开头。</translation>
    </message>
    <message>
        <source>slurm has &quot;%1&quot;, which cannot stand in a job script.</source>
        <translation>slurm 中有 &quot;%1&quot;，它不能写入作业脚本。</translation>
    </message>
    <message>
        <source>slurm.options has &quot;%1&quot;; write options of sbatch as &quot;--name=value&quot;.</source>
        <translation>slurm.options 中有 &quot;%1&quot;；请把 sbatch 的选项写成 &quot;--name=value&quot;。</translation>
    </message>
    <message>
        <source>launcher is &quot;%1&quot;.</source>
        <translation>launcher 是 &quot;%1&quot;。</translation>
    </message>
    <message>
        <source>launcher is &quot;%1&quot;, which the plugin of %2 does not allow; take it out of the plan, or choose another launcher.</source>
        <translation>launcher 是 &quot;%1&quot;，%2 的插件不允许；请从计划中去掉它，或选择其他启动器。</translation>
    </message>
    <message>
        <source>The NVIDIA driver in the kernel and its libraries differ in version, usually after an update: restart the node or reload the driver.</source>
        <translation>内核中的 NVIDIA 驱动与其库版本不同，通常发生在更新之后：请重启节点或重新加载驱动。</translation>
    </message>
    <message>
        <source>nvidia-smi cannot reach the NVIDIA driver: install it or load its kernel module on the node.</source>
        <translation>nvidia-smi 无法访问 NVIDIA 驱动：请在节点上安装驱动或加载其内核模块。</translation>
    </message>
    <message>
        <source>The NVIDIA driver is not loaded on the node: load its kernel module.</source>
        <translation>节点上没有加载 NVIDIA 驱动：请加载其内核模块。</translation>
    </message>
    <message>
        <source>The driver could not make the matrix; a software RDMA device is a known cause. The PCI tree can be read instead.</source>
        <translation>驱动无法生成矩阵；软件 RDMA 设备是已知原因之一。可以改读 PCI 树。</translation>
    </message>
    <message>
        <source>The driver runs but finds no GPU: see dmesg on the node for Xid messages.</source>
        <translation>驱动在运行，但找不到 GPU：请在节点上用 dmesg 查看 Xid 消息。</translation>
    </message>
    <message>
        <source>The driver runs but finds no GPU.</source>
        <translation>驱动在运行，但找不到 GPU。</translation>
    </message>
    <message>
        <source>The account may not use the GPU driver on the node.</source>
        <translation>该账户无权使用节点上的 GPU 驱动。</translation>
    </message>
    <message>
        <source>A GPU fell off the bus: restart the node.</source>
        <translation>一块 GPU 掉线：请重启节点。</translation>
    </message>
    <message>
        <source>A GPU does not answer: see dmesg on the node for Xid messages, then restart the node.</source>
        <translation>一块 GPU 没有响应：请在节点上用 dmesg 查看 Xid 消息，然后重启节点。</translation>
    </message>
    <message>
        <source>The driver&apos;s library could not start on the node.</source>
        <translation>驱动的库无法在节点上启动。</translation>
    </message>
    <message>
        <source>The tool is not installed on the node, or not in PATH.</source>
        <translation>节点上没有安装该工具，或不在 PATH 中。</translation>
    </message>
    <message>
        <source>The node shows another host key than before; nothing was sent.</source>
        <translation>节点给出的主机密钥与以前不同；没有发送任何内容。</translation>
    </message>
    <message>
        <source>The node&apos;s host key could not be verified.</source>
        <translation>无法验证节点的主机密钥。</translation>
    </message>
    <message>
        <source>The node accepted neither key nor password.</source>
        <translation>节点既不接受密钥也不接受密码。</translation>
    </message>
    <message>
        <source>The node answers, but no SSH server listens there.</source>
        <translation>节点有响应，但没有 SSH 服务在监听。</translation>
    </message>
    <message>
        <source>The node does not answer.</source>
        <translation>节点没有响应。</translation>
    </message>
    <message>
        <source>The node&apos;s name has no address.</source>
        <translation>节点名没有对应的地址。</translation>
    </message>
    <message>
        <source>There is no route to the node.</source>
        <translation>没有到该节点的路由。</translation>
    </message>
    <message>
        <source>The node closed the connection before anything was read.</source>
        <translation>节点在读到任何内容之前关闭了连接。</translation>
    </message>
    <message>
        <source>The text is longer than 1 MiB; the rest was not read.</source>
        <translation>文本超过 1 MiB；其余部分没有读取。</translation>
    </message>
    <message>
        <source>The text has no topology table; paste what nvidia-smi topo -m printed.</source>
        <translation>文本中没有拓扑表；请粘贴 nvidia-smi topo -m 的输出。</translation>
    </message>
    <message>
        <source>The text is empty: the command printed nothing.</source>
        <translation>文本是空的：命令没有输出。</translation>
    </message>
    <message>
        <source>A socket for the ssh-agent cannot be made in %1 (%2).</source>
        <translation>无法在 %1 中为 ssh-agent 建立套接字（%2）。</translation>
    </message>
    <message>
        <source>The host key was not saved: %1 cannot be %2 (%3).</source>
        <translation>主机密钥没有保存：%1 无法%2（%3）。</translation>
    </message>
    <message>
        <source>was ended by a signal</source>
        <translation>被信号终止</translation>
    </message>
    <message>
        <source>could not be started: %1</source>
        <translation>无法启动：%1</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not the name of a node: %2 Write an alias of ssh_config, user@host:port or a range like node[01-16].</source>
        <translation>&quot;%1&quot; 不是节点名：%2请写 ssh_config 中的别名、user@host:port 或 node[01-16] 这样的范围。</translation>
    </message>
    <message>
        <source>the port must be a number from 1 to 65535.</source>
        <translation>端口必须是 1 到 65535 的数字。</translation>
    </message>
    <message>
        <source>its range is not understood.</source>
        <translation>无法理解其中的范围。</translation>
    </message>
    <message>
        <source>it stands for more than %1 nodes.</source>
        <translation>它代表的节点超过 %1 个。</translation>
    </message>
    <message>
        <source>there is no user before the @.</source>
        <translation>@ 前没有用户名。</translation>
    </message>
    <message>
        <source>the ] is missing.</source>
        <translation>缺少 ]。</translation>
    </message>
    <message>
        <source>only :port may follow the ].</source>
        <translation>] 后面只能是 :端口。</translation>
    </message>
    <message>
        <source>it is empty.</source>
        <translation>它是空的。</translation>
    </message>
    <message>
        <source>it starts with a dash.</source>
        <translation>它以短横线开头。</translation>
    </message>
    <message>
        <source>it has a blank or a control character.</source>
        <translation>它含有空格或控制字符。</translation>
    </message>
    <message>
        <source>it has a character that no host name has.</source>
        <translation>它含有主机名不能用的字符。</translation>
    </message>
    <message>
        <source>The SSH configuration %1 cannot be read.</source>
        <translation>无法读取 SSH 配置 %1。</translation>
    </message>
    <message>
        <source>%1: a quote is not closed; fix the line.</source>
        <translation>%1：引号没有闭合；请改正该行。</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; has no value; fix the line.</source>
        <translation>%1：&quot;%2&quot; 没有值；请改正该行。</translation>
    </message>
    <message>
        <source>%1: Include is nested too deeply; it may include itself.</source>
        <translation>%1：Include 嵌套过深；它可能包含了自己。</translation>
    </message>
    <message>
        <source>%1 can be changed by others, so it is not used. Run: chmod 600 %2</source>
        <translation>%1 可被他人修改，因此不使用。请运行：chmod 600 %2</translation>
    </message>
    <message>
        <source>&quot;Match %1&quot; is not followed, so this block does not count; use Host, or Match with host, originalhost, user or localuser</source>
        <translation>不支持 &quot;Match %1&quot;，因此这一段不生效；请用 Host，或带 host、originalhost、user、localuser 的 Match</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a number from 1 to %2.</source>
        <translation>&quot;%1&quot; 不是 1 到 %2 的数字。</translation>
    </message>
    <message>
        <source>RevokedHostKeys is not supported, and connecting without it could accept a revoked key. Put the keys into known_hosts with @revoked instead.</source>
        <translation>不支持 RevokedHostKeys，忽略它可能会接受已吊销的密钥。请改为在 known_hosts 中用 @revoked 标出这些密钥。</translation>
    </message>
    <message>
        <source>StrictHostKeyChecking %1 is not followed: host keys are always checked</source>
        <translation>不遵从 StrictHostKeyChecking %1：主机密钥始终检查</translation>
    </message>
    <message>
        <source>%1 is not followed</source>
        <translation>不支持 %1</translation>
    </message>
    <message>
        <source>ssh_config uses ${%1} for %2, which is not set in the environment.</source>
        <translation>ssh_config 为 %2 用了 ${%1}，而环境中没有设置它。</translation>
    </message>
    <message>
        <source>ssh_config uses %%1 for %2, which is not supported; %h, %n, %p, %r, %u, %d, %i and %k are.</source>
        <translation>ssh_config 为 %2 用了 %%1，这不受支持；支持的有 %h、%n、%p、%r、%u、%d、%i 和 %k。</translation>
    </message>
    <message>
        <source>ProxyJump of %1: %2</source>
        <translation>%1 的 ProxyJump：%2</translation>
    </message>
    <message>
        <source>The jump host %1 is reached through itself; give it &quot;ProxyJump none&quot; in ssh_config, before the line for others.</source>
        <translation>跳板机 %1 要经过它自己才能到达；请在 ssh_config 中针对其他主机的那一行之前，为它设置“ProxyJump none”。</translation>
    </message>
    <message>
        <source>The connection was closed.</source>
        <translation>连接已关闭。</translation>
    </message>
    <message>
        <source>%1 did not answer within %2 s.</source>
        <translation>%1 在 %2 秒内没有响应。</translation>
    </message>
    <message>
        <source>The server is overloaded, or what listens there is not an SSH server.</source>
        <translation>服务器过载，或在那里监听的不是 SSH 服务。</translation>
    </message>
    <message>
        <source>Try again, or look at the server&apos;s log.</source>
        <translation>请重试，或查看服务器的日志。</translation>
    </message>
    <message>
        <source>The user name %1 has a character that libssh refuses, such as $ or a quote.</source>
        <translation>用户名 %1 含有 libssh 不接受的字符，例如 $ 或引号。</translation>
    </message>
    <message>
        <source>Use another account on %1.</source>
        <translation>请在 %1 上使用其他账户。</translation>
    </message>
    <message>
        <source>An SSH option for %1 is not accepted: %2.</source>
        <translation>%1 的一个 SSH 选项不被接受：%2。</translation>
    </message>
    <message>
        <source>no memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>Check Ciphers, MACs, KexAlgorithms and HostKeyAlgorithms in ssh_config.</source>
        <translation>请检查 ssh_config 中的 Ciphers、MACs、KexAlgorithms 和 HostKeyAlgorithms。</translation>
    </message>
    <message>
        <source>The link to the jump host is gone.</source>
        <translation>到跳板机的连接已断开。</translation>
    </message>
    <message>
        <source>no answer for %1 s</source>
        <translation>%1 秒没有响应</translation>
    </message>
    <message>
        <source>The connection to %1 broke: %2.</source>
        <translation>到 %1 的连接断开：%2。</translation>
    </message>
    <message>
        <source>it was closed there</source>
        <translation>对方关闭了连接</translation>
    </message>
    <message>
        <source>The node or the network between went away.</source>
        <translation>节点或中间的网络断开了。</translation>
    </message>
    <message>
        <source>It is tried again.</source>
        <translation>正在重试。</translation>
    </message>
    <message>
        <source>No encrypted connection to %1: %2.</source>
        <translation>无法与 %1 建立加密连接：%2。</translation>
    </message>
    <message>
        <source>The server is busy with other log-ins (MaxStartups), refuses this machine, or has no algorithm in common with this program.</source>
        <translation>服务器正忙于其他登录（MaxStartups），或拒绝本机，或与本程序没有共同的算法。</translation>
    </message>
    <message>
        <source>Try again; if it stays, compare with ssh -v.</source>
        <translation>请重试；若仍如此，请与 ssh -v 的输出比较。</translation>
    </message>
    <message>
        <source>The host key of %1 cannot be read.</source>
        <translation>无法读取 %1 的主机密钥。</translation>
    </message>
    <message>
        <source>%1, on file</source>
        <translation>%1，已有记录</translation>
    </message>
    <message>
        <source>%1, trusted this time</source>
        <translation>%1，仅信任这一次</translation>
    </message>
    <message>
        <source>%1, saved</source>
        <translation>%1，已保存</translation>
    </message>
    <message>
        <source>Make the file writable, or trust the key this time only.</source>
        <translation>请让该文件可写，或仅信任这一次。</translation>
    </message>
    <message>
        <source>The host key of %1 is not known and was not trusted.</source>
        <translation>%1 的主机密钥未知，且没有被信任。</translation>
    </message>
    <message>
        <source>This machine has not been connected to from here before.</source>
        <translation>以前没有从这里连接过这台机器。</translation>
    </message>
    <message>
        <source>Compare the fingerprint %1 with the node&apos;s own: ssh-keygen -lf /etc/ssh/ssh_host_%2_key.pub</source>
        <translation>请把指纹 %1 与节点自己的比较：ssh-keygen -lf /etc/ssh/ssh_host_%2_key.pub</translation>
    </message>
    <message>
        <source>line %1 of %2</source>
        <translation>%2 第 %1 行</translation>
    </message>
    <message>
        <source>The key that %1 shows (%2) is marked as revoked in %3.</source>
        <translation>%1 给出的密钥（%2）在 %3 中被标为已吊销。</translation>
    </message>
    <message>
        <source>The key was stolen or withdrawn; whoever answers there must not be trusted.</source>
        <translation>该密钥已被盗或被撤回；不能信任那里的应答者。</translation>
    </message>
    <message>
        <source>Do not connect. Ask the administrator for a new host key.</source>
        <translation>不要连接。请向管理员索取新的主机密钥。</translation>
    </message>
    <message>
        <source>%1 is known by host certificates only (%2), which this program does not verify.</source>
        <translation>%1 只有主机证书（%2），本程序不验证主机证书。</translation>
    </message>
    <message>
        <source>The server&apos;s certificate cannot be checked here, and its bare key is not on file.</source>
        <translation>这里无法检查服务器的证书，而其密钥本身没有记录。</translation>
    </message>
    <message>
        <source>Ask the administrator for the key %1 and add it to known_hosts, if it is the right one.</source>
        <translation>请向管理员核实密钥 %1，若正确则把它加入 known_hosts。</translation>
    </message>
    <message>
        <source>The host key of %1 has changed: it shows %2 %3, but %4 has %5 %6.</source>
        <translation>%1 的主机密钥变了：它给出 %2 %3，而 %4 中是 %5 %6。</translation>
    </message>
    <message>
        <source>The node was installed anew, or somebody stands between you and it.</source>
        <translation>节点被重新安装过，或者有人在中间冒充它。</translation>
    </message>
    <message>
        <source>Compare the fingerprint on the node; only if it is right, remove the old line.</source>
        <translation>请在节点上核对指纹；只有正确时才删除旧的一行。</translation>
    </message>
    <message>
        <source>as %1 with %2</source>
        <translation>以 %1 登录，使用%2</translation>
    </message>
    <message>
        <source>It was closed before it began.</source>
        <translation>尚未开始就被关闭。</translation>
    </message>
    <message>
        <source>No channel could be made.</source>
        <translation>无法建立通道。</translation>
    </message>
    <message>
        <source>The server starts no program for this user (%1).</source>
        <translation>服务器不为此用户启动程序（%1）。</translation>
    </message>
    <message>
        <source>It was ended by the signal %1.</source>
        <translation>被信号 %1 终止。</translation>
    </message>
    <message>
        <source>The channel was closed.</source>
        <translation>通道已关闭。</translation>
    </message>
    <message>
        <source>The login shell of this user runs no commands%1.</source>
        <translation>该用户的登录 shell 不执行命令%1。</translation>
    </message>
    <message>
        <source>The password or the user name is wrong.</source>
        <translation>密码或用户名有误。</translation>
    </message>
    <message>
        <source>Check the user name, then try again to be asked again.</source>
        <translation>请检查用户名，然后重试，届时会再次询问。</translation>
    </message>
    <message>
        <source>Your key is not in authorized_keys of %1 there, or the user name is wrong.</source>
        <translation>您的密钥不在那里 %1 的 authorized_keys 中，或用户名有误。</translation>
    </message>
    <message>
        <source>Check the user name and which key belongs to this node; IdentityFile in ssh_config names it.</source>
        <translation>请检查用户名以及该节点用哪把密钥；ssh_config 中的 IdentityFile 可以指定。</translation>
    </message>
    <message>
        <source>Signing in to %1 broke off: %2.</source>
        <translation>登录 %1 中断：%2。</translation>
    </message>
    <message>
        <source>You cancelled the question.</source>
        <translation>您取消了询问。</translation>
    </message>
    <message>
        <source>Connect again to be asked again.</source>
        <translation>重新连接会再次询问。</translation>
    </message>
    <message>
        <source>Signing in to %1 was cancelled.</source>
        <translation>登录 %1 已取消。</translation>
    </message>
    <message>
        <source>%1 accepted none of what was tried: %2.</source>
        <translation>%1 没有接受所尝试的任何方式：%2。</translation>
    </message>
    <message>
        <source>there is no key, and the server allows no password</source>
        <translation>没有密钥，而服务器不允许密码</translation>
    </message>
    <message>
        <source>a key of the agent</source>
        <translation>agent 中的密钥</translation>
    </message>
    <message>
        <source>the agent&apos;s keys</source>
        <translation>agent 中的密钥</translation>
    </message>
    <message>
        <source>the server&apos;s questions</source>
        <translation>服务器的提问</translation>
    </message>
    <message>
        <source>a password</source>
        <translation>密码</translation>
    </message>
    <message>
        <source>%1 (not used: others can read it; run chmod 600)</source>
        <translation>%1（未使用：他人可读；请运行 chmod 600）</translation>
    </message>
    <message>
        <source>%1 (wrong passphrase)</source>
        <translation>%1（口令短语错误）</translation>
    </message>
    <message>
        <source>%1 (its format cannot be read)</source>
        <translation>%1（无法读取其格式）</translation>
    </message>
    <message>
        <source>key %1</source>
        <translation>密钥 %1</translation>
    </message>
    <message>
        <source>The answers could not be sent to %1.</source>
        <translation>无法把回答发送给 %1。</translation>
    </message>
    <message>
        <source>No SSH server listens on port %1, or a firewall refuses.</source>
        <translation>端口 %1 上没有 SSH 服务在监听，或被防火墙拒绝。</translation>
    </message>
    <message>
        <source>Check the port and that sshd runs on the node.</source>
        <translation>请检查端口，以及节点上的 sshd 是否在运行。</translation>
    </message>
    <message>
        <source>This machine has no way into the node&apos;s network.</source>
        <translation>本机没有通往节点网络的路径。</translation>
    </message>
    <message>
        <source>Is a VPN needed, or a ProxyJump in ssh_config?</source>
        <translation>是否需要 VPN，或在 ssh_config 中设置 ProxyJump？</translation>
    </message>
    <message>
        <source>The node is off, its network is down, or a firewall drops the packets.</source>
        <translation>节点关机、网络断开，或防火墙丢弃了数据包。</translation>
    </message>
    <message>
        <source>Check that the node is on and reachable from here.</source>
        <translation>请确认节点已开机，并能从这里到达。</translation>
    </message>
    <message>
        <source>The name %1 is not known (%2).</source>
        <translation>名称 %1 未知（%2）。</translation>
    </message>
    <message>
        <source>A typing error, or the name is only known inside a VPN.</source>
        <translation>可能是输入错误，或该名称只在 VPN 内可用。</translation>
    </message>
    <message>
        <source>Check the name, or give the node a HostName in ssh_config.</source>
        <translation>请检查名称，或在 ssh_config 中为该节点设置 HostName。</translation>
    </message>
    <message>
        <source>%1 port %2</source>
        <translation>%1 端口 %2</translation>
    </message>
    <message>
        <source>Port %1 of %2 (%3) cannot be reached: %4.</source>
        <translation>无法到达 %2（%3）的端口 %1：%4。</translation>
    </message>
    <message>
        <source>No local socket could be made: %1.</source>
        <translation>无法建立本地套接字：%1。</translation>
    </message>
    <message>
        <source>the ProxyCommand ended with status %1</source>
        <translation>ProxyCommand 以状态 %1 结束</translation>
    </message>
    <message>
        <source>the ProxyCommand ended with status %1: %2</source>
        <translation>ProxyCommand 以状态 %1 结束：%2</translation>
    </message>
    <message>
        <source>The ProxyCommand of %1 could not be started.</source>
        <translation>无法启动 %1 的 ProxyCommand。</translation>
    </message>
    <message>
        <source>the jump host %1 is gone: %2</source>
        <translation>跳板机 %1 已断开：%2</translation>
    </message>
    <message>
        <source>by %1</source>
        <translation>经由 %1</translation>
    </message>
    <message>
        <source>through %1</source>
        <translation>经由 %1</translation>
    </message>
    <message>
        <source>the jump host closed the channel.</source>
        <translation>跳板机关闭了通道。</translation>
    </message>
    <message>
        <source>%1 cannot reach port %2 of %3: %4</source>
        <translation>%1 无法到达 %3 的端口 %2：%4</translation>
    </message>
    <message>
        <source>The node is off, or the jump host may not forward to it (AllowTcpForwarding).</source>
        <translation>节点关机，或跳板机不允许转发（AllowTcpForwarding）。</translation>
    </message>
    <message>
        <source>Try the same from the jump host.</source>
        <translation>请在跳板机上做同样的尝试。</translation>
    </message>
    <message>
        <source>The node is not connected any more.</source>
        <translation>节点已断开。</translation>
    </message>
    <message>
        <source>the folder of %1 cannot be made.</source>
        <translation>无法建立 %1 所在的文件夹。</translation>
    </message>
    <message>
        <source>the folder of %1 cannot be made (%2).</source>
        <translation>无法建立 %1 所在的文件夹（%2）。</translation>
    </message>
    <message>
        <source>%1 cannot be written; is the disk full?</source>
        <translation>无法写入 %1；磁盘是否已满？</translation>
    </message>
    <message>
        <source>%1 cannot be written; is the disk full? (%2)</source>
        <translation>无法写入 %1；磁盘是否已满？（%2）</translation>
    </message>
    <message>
        <source>what arrives as %1 is damaged.</source>
        <translation>传到 %1 的内容已损坏。</translation>
    </message>
    <message>
        <source>writing %1 ended with status %2.</source>
        <translation>写入 %1 以状态 %2 结束。</translation>
    </message>
    <message>
        <source>writing %1 ended with status %2 (%3).</source>
        <translation>写入 %1 以状态 %2 结束（%3）。</translation>
    </message>
    <message>
        <source>The login shell of this user runs no commands.</source>
        <translation>该用户的登录 shell 不执行命令。</translation>
    </message>
    <message>
        <source>%1 was made by a newer version (schema %2; this one reads up to %3); open it with that version.</source>
        <translation>%1 由更新的版本生成（schema %2；本程序最多读到 %3）；请用那个版本打开。</translation>
    </message>
    <message>
        <source>kind is &quot;%1&quot;, not &quot;scaleboard bundle&quot;</source>
        <translation>kind 是 &quot;%1&quot;，不是 &quot;scaleboard bundle&quot;</translation>
    </message>
    <message>
        <source>%1 was not unpacked: &quot;%2&quot; is nothing that a bundle has.</source>
        <translation>没有解开 %1：&quot;%2&quot; 不是归档包应有的内容。</translation>
    </message>
    <message>
        <source>%1 was not unpacked: it has no workspace.json.</source>
        <translation>没有解开 %1：其中没有 workspace.json。</translation>
    </message>
    <message>
        <source>The workspace %1 has no run that has ended; there is nothing to bundle.</source>
        <translation>工作区 %1 没有已结束的运行；没有可打包的内容。</translation>
    </message>
    <message>
        <source>The bundle was stopped; nothing was written.</source>
        <translation>打包已停止；没有写入任何内容。</translation>
    </message>
    <message>
        <source>%1 has names or addresses that are not neutral; export the report again with neutral names.</source>
        <translation>%1 含有未替换的名称或地址；请用替换名称的方式重新导出报告。</translation>
    </message>
    <message>
        <source>The node %1 is not connected.</source>
        <translation>节点 %1 没有连接。</translation>
    </message>
    <message>
        <source>%1 could not be put on %2: %3</source>
        <translation>无法把 %1 放到 %2 上：%3</translation>
    </message>
    <message>
        <source>%1 does not run on %2: %3.</source>
        <translation>%1 无法在 %2 上运行：%3。</translation>
    </message>
    <message>
        <source>status %1</source>
        <translation>状态 %1</translation>
    </message>
    <message>
        <source>%1 cannot be written.</source>
        <translation>无法写入 %1。</translation>
    </message>
    <message>
        <source>%1 cannot be copied to %2: %3.</source>
        <translation>%1 无法复制到 %2：%3。</translation>
    </message>
    <message>
        <source>the case &quot;%1&quot; is not of the form 2n8g</source>
        <translation>用例 &quot;%1&quot; 不是 2n8g 的形式</translation>
    </message>
    <message>
        <source>the throughput &quot;%1&quot; is no number above zero</source>
        <translation>吞吐量 &quot;%1&quot; 不是大于零的数字</translation>
    </message>
    <message>
        <source>the table cannot be read, or is larger than 64 MB</source>
        <translation>无法读取该表，或它大于 64 MB</translation>
    </message>
    <message>
        <source>no number that a training program would print</source>
        <translation>没有训练程序会打印的数字</translation>
    </message>
    <message>
        <source>a benchmark of links, not a training run</source>
        <translation>这是链路基准测试，不是训练运行</translation>
    </message>
    <message>
        <source>There is no %1 to import.</source>
        <translation>没有可导入的 %1。</translation>
    </message>
    <message>
        <source>The pattern cannot be used: %1.</source>
        <translation>无法使用该模式：%1。</translation>
    </message>
    <message>
        <source>The import was cancelled.</source>
        <translation>导入已取消。</translation>
    </message>
    <message>
        <source>%1 needs %2 nodes.</source>
        <translation>%1 需要 %2 个节点。</translation>
    </message>
    <message>
        <source>The log %1 cannot be read: %2.</source>
        <translation>无法读取日志 %1：%2。</translation>
    </message>
    <message>
        <source>The log %1 cannot be opened: %2.</source>
        <translation>无法打开日志 %1：%2。</translation>
    </message>
    <message>
        <source>The log %1 cannot be read.</source>
        <translation>无法读取日志 %1。</translation>
    </message>
    <message>
        <source>The disk took no more of %1 (%2). The log is kept up to byte %3; free some space and start again to go on from there.</source>
        <translation>磁盘无法再写入 %1（%2）。日志保留到第 %3 字节；请腾出空间后重新开始，将从那里继续。</translation>
    </message>
    <message>
        <source>The topology of %1 was not read: %2</source>
        <translation>没有读到 %1 的拓扑：%2</translation>
    </message>
    <message>
        <source>%1 GPUs, %2 cores</source>
        <translation>%1 块 GPU，%2 个核心</translation>
    </message>
    <message>
        <source>%1 cores</source>
        <translation>%1 个核心</translation>
    </message>
    <message>
        <source>The probe of %1 failed: %2</source>
        <translation>探测 %1 失败：%2</translation>
    </message>
    <message>
        <source>the node says of no home folder.</source>
        <translation>节点没有给出主目录。</translation>
    </message>
    <message>
        <source>the node says of no home folder, nor anything else.</source>
        <translation>节点没有给出主目录，也没有给出其他任何信息。</translation>
    </message>
    <message>
        <source>The login shell of the user runs no commands, or standard programs are missing.</source>
        <translation>该用户的登录 shell 不执行命令，或缺少标准程序。</translation>
    </message>
    <message>
        <source>Sign in by hand and run: sh -c &apos;uname -n&apos;</source>
        <translation>请手动登录并运行：sh -c &apos;uname -n&apos;</translation>
    </message>
    <message>
        <source>the folder %1 cannot be made.</source>
        <translation>无法建立文件夹 %1。</translation>
    </message>
    <message>
        <source>the folder %1 cannot be made (%2).</source>
        <translation>无法建立文件夹 %1（%2）。</translation>
    </message>
    <message>
        <source>the folder %1 cannot be written; is the disk full?</source>
        <translation>无法写入文件夹 %1；磁盘是否已满？</translation>
    </message>
    <message>
        <source>the folder %1 cannot be written; is the disk full? (%2)</source>
        <translation>无法写入文件夹 %1；磁盘是否已满？（%2）</translation>
    </message>
    <message>
        <source>the run did not come up within 5 s in %1.</source>
        <translation>运行没有在 5 秒内于 %1 中启动。</translation>
    </message>
    <message>
        <source>the run did not come up within 5 s in %1 (%2).</source>
        <translation>运行没有在 5 秒内于 %1 中启动（%2）。</translation>
    </message>
    <message>
        <source>the run folder %1 is gone.</source>
        <translation>运行文件夹 %1 不见了。</translation>
    </message>
    <message>
        <source>the run was killed from outside or the node restarted.</source>
        <translation>运行被外部终止，或节点重启过。</translation>
    </message>
    <message>
        <source>the process group of the run is not known in %1.</source>
        <translation>%1 中没有运行的进程组记录。</translation>
    </message>
    <message>
        <source>processes of the run are still there after a KILL.</source>
        <translation>发送 KILL 后运行的进程仍然存在。</translation>
    </message>
    <message>
        <source>a standard program is missing on the node.</source>
        <translation>节点上缺少标准程序。</translation>
    </message>
    <message>
        <source>a standard program is missing on the node (%1).</source>
        <translation>节点上缺少标准程序（%1）。</translation>
    </message>
    <message>
        <source>the node&apos;s shell ended with status %1.</source>
        <translation>节点的 shell 以状态 %1 结束。</translation>
    </message>
    <message>
        <source>the node&apos;s shell ended with status %1 (%2).</source>
        <translation>节点的 shell 以状态 %1 结束（%2）。</translation>
    </message>
    <message>
        <source>%1 has no GPU: there is none in its PCI tree, and nvidia-smi and rocm-smi are not installed.</source>
        <translation>%1 没有 GPU：其 PCI 树中没有，也没有安装 nvidia-smi 和 rocm-smi。</translation>
    </message>
    <message>
        <source>%1 shows no topology, and there is no GPU in its PCI tree. %2</source>
        <translation>%1 没有给出拓扑，其 PCI 树中也没有 GPU。%2</translation>
    </message>
    <message>
        <source>A run of this workspace was started on nodes that are not connected now (%1). It is left as it is.</source>
        <translation>本工作区有一次运行是在现在未连接的节点上启动的（%1）。它保持原样。</translation>
    </message>
    <message>
        <source>There is no plugin &quot;%1&quot; any more.</source>
        <translation>插件 &quot;%1&quot; 已不存在。</translation>
    </message>
    <message>
        <source>There is no %1.</source>
        <translation>没有 %1。</translation>
    </message>
    <message>
        <source>%1: there is no plugin &quot;%2&quot;.</source>
        <translation>%1：没有插件 &quot;%2&quot;。</translation>
    </message>
    <message>
        <source>On %1, %2</source>
        <translation>在 %1 上，%2</translation>
    </message>
    <message>
        <source>%1 has not answered for %2 s. When it is back, see whether processes of the run are left there: their folder is %3.</source>
        <translation>%1 已 %2 秒没有响应。它恢复后，请查看那里是否还有运行的进程：其文件夹是 %3。</translation>
    </message>
    <message>
        <source>The run could not be stopped. On %1, %2</source>
        <translation>无法停止运行。在 %1 上，%2</translation>
    </message>
    <message>
        <source>Rank %1 on %2 ended with status %3.</source>
        <translation>%2 上的 rank %1 以状态 %3 结束。</translation>
    </message>
    <message>
        <source>Rank %1 on %2 ended with status %3: %4</source>
        <translation>%2 上的 rank %1 以状态 %3 结束：%4</translation>
    </message>
    <message>
        <source>Stopped by the user.</source>
        <translation>由用户停止。</translation>
    </message>
    <message>
        <source>The environment &quot;%1&quot; has no name after the colon.</source>
        <translation>环境 &quot;%1&quot; 的冒号后没有名称。</translation>
    </message>
    <message>
        <source>The environment &quot;%1&quot; needs an absolute folder.</source>
        <translation>环境 &quot;%1&quot; 需要绝对路径的文件夹。</translation>
    </message>
    <message>
        <source>The environment &quot;%1&quot; begins with none of %2:.</source>
        <translation>环境 &quot;%1&quot; 不以 %2: 中的任何一个开头。</translation>
    </message>
    <message>
        <source>Open or make a workspace first: results need a place.</source>
        <translation>请先打开或新建工作区：结果需要有地方存放。</translation>
    </message>
    <message>
        <source>No workspace is open.</source>
        <translation>没有打开的工作区。</translation>
    </message>
    <message>
        <source>This workspace is a bundle and read-only. Make a new workspace and run the plan there; the bundle has it below plans/.</source>
        <translation>此工作区是归档包，只读。请新建工作区并在那里运行计划；归档包的 plans/ 下有计划文件。</translation>
    </message>
    <message>
        <source>A plan is running already.</source>
        <translation>已有计划在运行。</translation>
    </message>
    <message>
        <source>A plan is running; stop it or wait for its end, then open the other workspace.</source>
        <translation>正在运行计划；请停止它或等它结束，然后再打开另一个工作区。</translation>
    </message>
    <message>
        <source>The nodes are still being connected to; try again in a moment.</source>
        <translation>节点仍在连接中；请稍后再试。</translation>
    </message>
    <message>
        <source>No node is connected. Connect one first.</source>
        <translation>没有连接任何节点。请先连接一个。</translation>
    </message>
    <message>
        <source>The node %1 has no home folder for its runs.</source>
        <translation>节点 %1 没有存放运行的主目录。</translation>
    </message>
    <message>
        <source>Every case of the plan is refused: %1</source>
        <translation>计划的所有用例都被拒绝：%1</translation>
    </message>
    <message>
        <source>it has none.</source>
        <translation>它没有用例。</translation>
    </message>
    <message>
        <source>A plan is running on this machine; add nodes when it is done.</source>
        <translation>本机正在运行计划；请在完成后添加节点。</translation>
    </message>
    <message>
        <source>A plan is running; nodes can be removed when it is done.</source>
        <translation>正在运行计划；完成后才能移除节点。</translation>
    </message>
    <message>
        <source>The source folder %1 is not there.</source>
        <translation>源码文件夹 %1 不存在。</translation>
    </message>
    <message>
        <source>The source folder %1 cannot be packed: a path is too long, or it has more than 64 MiB.</source>
        <translation>无法打包源码文件夹 %1：路径过长，或大于 64 MiB。</translation>
    </message>
    <message>
        <source>its folder there cannot be written; is the disk full? (%1)</source>
        <translation>无法写入那里的文件夹；磁盘是否已满？（%1）</translation>
    </message>
    <message>
        <source>these programs are missing there: %1. Install them (in Debian: build-essential cmake libdnnl-dev libgloo-dev)</source>
        <translation>那里缺少这些程序：%1。请安装（Debian 中为 build-essential cmake libdnnl-dev libgloo-dev）</translation>
    </message>
    <message>
        <source>CMake says: %1</source>
        <translation>CMake 报告：%1</translation>
    </message>
    <message>
        <source>the compiler says: %1</source>
        <translation>编译器报告：%1</translation>
    </message>
    <message>
        <source>A temporary file cannot be written: %1.</source>
        <translation>无法写入临时文件：%1。</translation>
    </message>
    <message>
        <source>It could not be built from source: %1.</source>
        <translation>无法从源码编译：%1。</translation>
    </message>
    <message>
        <source>%1 Install what is missing there, or build the program on a node like it.</source>
        <translation>%1 请在那里安装缺少的东西，或在同类节点上编译该程序。</translation>
    </message>
    <message>
        <source>%1 is larger than 16 MB; a benchmark of links prints less.</source>
        <translation>%1 大于 16 MB；链路基准测试的输出没有这么多。</translation>
    </message>
    <message>
        <source>%1 cannot be looked for in %2: %3</source>
        <translation>无法在 %2 中查找 %1：%3</translation>
    </message>
    <message>
        <source>its Python did not answer</source>
        <translation>其 Python 没有响应</translation>
    </message>
    <message>
        <source>it did not answer</source>
        <translation>它没有响应</translation>
    </message>
    <message>
        <source>%1 is not in %2: the package %3 is missing. Install it there.</source>
        <translation>%2 中没有 %1：缺少软件包 %3。请在那里安装。</translation>
    </message>
    <message>
        <source>There is no folder %1 on %2: clone %3&apos;s scripts there.</source>
        <translation>%2 上没有文件夹 %1：请把 %3 的脚本克隆到那里。</translation>
    </message>
    <message>
        <source>%1 on %2 is at %3, the recipe is of %4. Run there: %5</source>
        <translation>%2 上的 %1 位于提交 %3，而配方属于 %4。请在那里运行：%5</translation>
    </message>
    <message>
        <source>Whether a container of %1 sees the GPUs of %2 could not be found out: %3 Install the NVIDIA Container Toolkit there; podman needs the file that nvidia-ctk cdi generate makes.</source>
        <translation>无法查明 %1 的容器能否看到 %2 的 GPU：%3 请在那里安装 NVIDIA Container Toolkit；podman 需要 nvidia-ctk cdi generate 生成的文件。</translation>
    </message>
    <message>
        <source>A container of %1 sees %2 GPUs on %3, %4 are needed: its engine ignored the flag. Install the NVIDIA Container Toolkit there; podman needs the file that nvidia-ctk cdi generate makes.</source>
        <translation>%1 的容器在 %3 上看到 %2 块 GPU，而需要 %4 块：容器引擎忽略了该选项。请在那里安装 NVIDIA Container Toolkit；podman 需要 nvidia-ctk cdi generate 生成的文件。</translation>
    </message>
    <message>
        <source>The check before the run broke off on %1: %2</source>
        <translation>运行前的检查在 %1 上中断：%2</translation>
    </message>
    <message>
        <source>The image %1 could not be got on %2: %3 Check the image&apos;s name and tag, and whether the node may pull from that registry.</source>
        <translation>无法在 %2 上取得镜像 %1：%3 请检查镜像的名称和标签，以及节点是否能从该仓库拉取。</translation>
    </message>
    <message>
        <source>%1 and %2 differ in %3: %4 on the second. Install the same on both, or the curve compares two things.</source>
        <translation>%1 与 %2 在%3上不同：%4 在后者上。请在两边安装相同的版本，否则曲线比较的是两样东西。</translation>
    </message>
    <message>
        <source>%1 on the first and %2</source>
        <translation>前者为 %1，%2</translation>
    </message>
    <message>
        <source>the versions of %1</source>
        <translation>%1 的版本</translation>
    </message>
    <message>
        <source>the scripts in %1</source>
        <translation>%1 中的脚本</translation>
    </message>
    <message>
        <source>the image %1</source>
        <translation>镜像 %1</translation>
    </message>
    <message>
        <source>No node is connected.</source>
        <translation>没有连接任何节点。</translation>
    </message>
    <message>
        <source>%1 needs the same folder for runs on all nodes; %2 has %3 and %4 has %5. Choose the launcher per_rank.</source>
        <translation>%1 要求所有节点上运行的文件夹相同；%2 是 %3，而 %4 是 %5。请选择启动器 per_rank。</translation>
    </message>
    <message>
        <source>Slurm cannot use the folder %1: its name has blanks or quotation marks. Name another as slurm.folder in the plan.</source>
        <translation>Slurm 无法使用文件夹 %1：名称含有空格或引号。请在计划中用 slurm.folder 指定其他文件夹。</translation>
    </message>
    <message>
        <source>the job was submitted from %1, but Slurm knows no job of its name.</source>
        <translation>作业已从 %1 提交，但 Slurm 中没有这个名称的作业。</translation>
    </message>
    <message>
        <source>the job is still in Slurm&apos;s queue after scancel.</source>
        <translation>scancel 之后作业仍在 Slurm 队列中。</translation>
    </message>
    <message>
        <source>%1 The nodes do not reach each other; see the network and firewalls between them.</source>
        <translation>%1 节点之间互相无法到达；请检查它们之间的网络和防火墙。</translation>
    </message>
    <message>
        <source>%1 No sshd listens there; start it, or name its port in ssh_config.</source>
        <translation>%1 那里没有 sshd 在监听；请启动它，或在 ssh_config 中写明端口。</translation>
    </message>
    <message>
        <source>%1 &quot;node-ssh prepare&quot; makes this log-in possible.</source>
        <translation>%1 &quot;node-ssh prepare&quot; 可以使登录成为可能。</translation>
    </message>
    <message>
        <source>%1 has no key of this purpose; nothing to remove.</source>
        <translation>%1 没有用于此目的的密钥；没有可移除的。</translation>
    </message>
    <message>
        <source>%1 said nothing about %2.</source>
        <translation>%1 没有给出关于 %2 的信息。</translation>
    </message>
    <message>
        <source>%1 signs in to %2</source>
        <translation>%1 能登录 %2</translation>
    </message>
    <message>
        <source>%1 cannot sign in to %2: %3.</source>
        <translation>%1 无法登录 %2：%3。</translation>
    </message>
    <message>
        <source>%1: the key is in %2</source>
        <translation>%1：密钥在 %2</translation>
    </message>
    <message>
        <source>%1: lets the key in from %2</source>
        <translation>%1：允许该密钥从 %2 登录</translation>
    </message>
    <message>
        <source>%1: the key is not let in any more</source>
        <translation>%1：不再允许该密钥登录</translation>
    </message>
    <message>
        <source>A rank of the run left no exit code; it was killed from outside.</source>
        <translation>运行的一个 rank 没有留下退出码；它被外部终止。</translation>
    </message>
    <message>
        <source>Log-ins from node to node need at least two nodes.</source>
        <translation>节点之间的登录至少需要两个节点。</translation>
    </message>
    <message>
        <source>The Slurm job %1</source>
        <translation>Slurm 作业 %1</translation>
    </message>
    <message>
        <source>%1 was ended at its time limit. Raise slurm.time_limit_min in the plan.</source>
        <translation>%1 到达时间限制而结束。请在计划中增大 slurm.time_limit_min。</translation>
    </message>
    <message>
        <source>%1 was ended at its time limit of %2. Raise slurm.time_limit_min in the plan.</source>
        <translation>%1 到达时间限制 %2 而结束。请在计划中增大 slurm.time_limit_min。</translation>
    </message>
    <message>
        <source>%1 was cancelled by somebody else (scancel).</source>
        <translation>%1 被他人取消（scancel）。</translation>
    </message>
    <message>
        <source>%1 ended because a node failed. Run the plan again.</source>
        <translation>%1 因节点故障而结束。请再次运行计划。</translation>
    </message>
    <message>
        <source>%1 ended because a node failed on %2. Run the plan again.</source>
        <translation>%1 因节点故障（%2）而结束。请再次运行计划。</translation>
    </message>
    <message>
        <source>%1 used more memory than it had asked for. Ask for more (slurm.options: &quot;--mem=…&quot;) or take a smaller batch.</source>
        <translation>%1 使用的内存超过申请的数量。请申请更多（slurm.options：&quot;--mem=…&quot;）或减小批大小。</translation>
    </message>
    <message>
        <source>%1 was ended to make room for another. Run the plan again.</source>
        <translation>%1 为给其他作业让位而被结束。请再次运行计划。</translation>
    </message>
    <message>
        <source>Slurm does not know the job %1 any more, and it left no exit codes.</source>
        <translation>Slurm 已不知道作业 %1，它也没有留下退出码。</translation>
    </message>
    <message>
        <source>%1: the run folder is not there on the compute nodes. Name one that they share with the login node as slurm.folder in the plan.</source>
        <translation>%1：计算节点上没有运行文件夹。请在计划中用 slurm.folder 指定计算节点与登录节点共享的文件夹。</translation>
    </message>
    <message>
        <source>case must have nodes and devices_per_node above 0, and at most 1000000 devices in all</source>
        <translation>case 的 nodes 和 devices_per_node 必须大于 0，设备总数不得超过 1000000</translation>
    </message>
    <message>
        <source>case must have warmup_steps and measured_steps between 0 and 10000000</source>
        <translation>case 的 warmup_steps 和 measured_steps 必须在 0 到 10000000 之间</translation>
    </message>
    <message>
        <source>unknown reason</source>
        <translation>原因未知</translation>
    </message>
    <message>
        <source>%1 cannot be read as an archive: %2; it is damaged, cut short, or something else.</source>
        <translation>无法把 %1 作为归档读取：%2；它已损坏、不完整，或是别的文件。</translation>
    </message>
    <message>
        <source>%1 was not unpacked: its entry &quot;%2&quot; %3, which a bundle never has.</source>
        <translation>没有解开 %1：其条目 &quot;%2&quot; %3，归档包中不会有这种情况。</translation>
    </message>
    <message>
        <source>is a link</source>
        <translation>是链接</translation>
    </message>
    <message>
        <source>is not a regular file</source>
        <translation>不是普通文件</translation>
    </message>
    <message>
        <source>has no plain size</source>
        <translation>没有明确的大小</translation>
    </message>
    <message>
        <source>%1 is damaged: an entry has not the size that it says.</source>
        <translation>%1 已损坏：一个条目的大小与所记的不符。</translation>
    </message>
    <message>
        <source>Unpacking was stopped; nothing was kept.</source>
        <translation>解包已停止；没有保留任何内容。</translation>
    </message>
    <message>
        <source>%1 is damaged: %2 has not the contents that it was made with.</source>
        <translation>%1 已损坏：%2 的内容与生成时不同。</translation>
    </message>
    <message>
        <source>Cannot write %1 of %2 below %3: %4; nothing was kept. Free some space or choose another folder.</source>
        <translation>无法把 %2 中的 %1 写到 %3 下：%4；没有保留任何内容。请腾出空间或选择其他文件夹。</translation>
    </message>
    <message>
        <source>%1 was not unpacked: its entry &quot;%2&quot; is not the one in its list.</source>
        <translation>没有解开 %1：其条目 &quot;%2&quot; 与清单不符。</translation>
    </message>
    <message>
        <source>%1 is cut short: %2 and %3 more are missing.</source>
        <translation>%1 不完整：缺少 %2 以及另外 %3 个。</translation>
    </message>
    <message>
        <source>%1 was not unpacked: &quot;%2&quot; %3, which a bundle never has.</source>
        <translation>没有解开 %1：&quot;%2&quot; %3，归档包中不会有这种情况。</translation>
    </message>
    <message>
        <source>%1 was not unpacked: it lists %2 twice.</source>
        <translation>没有解开 %1：它把 %2 列了两次。</translation>
    </message>
    <message>
        <source>%1 was not unpacked: it would become larger than %2.</source>
        <translation>没有解开 %1：解开后会大于 %2。</translation>
    </message>
    <message>
        <source>%1 was not unpacked: it has more than %2 files.</source>
        <translation>没有解开 %1：其中文件超过 %2 个。</translation>
    </message>
    <message>
        <source>has no name or a very long one</source>
        <translation>没有名称或名称过长</translation>
    </message>
    <message>
        <source>has an absolute path</source>
        <translation>是绝对路径</translation>
    </message>
    <message>
        <source>has a name with characters that do not belong there</source>
        <translation>名称含有不该有的字符</translation>
    </message>
    <message>
        <source>has a path that leaves its folder or has empty parts</source>
        <translation>路径越出了文件夹或含有空的部分</translation>
    </message>
    <message>
        <source>has a very long name</source>
        <translation>名称过长</translation>
    </message>
    <message>
        <source>%1 is not a bundle of Scaleboard: it does not begin with %2.</source>
        <translation>%1 不是 Scaleboard 的归档包：它不以 %2 开头。</translation>
    </message>
    <message>
        <source>%1 is there already; choose a new folder to unpack the bundle into.</source>
        <translation>%1 已存在；请选择新的文件夹来解开归档包。</translation>
    </message>
    <message>
        <source>The folder %1 cannot be made; choose another place.</source>
        <translation>无法建立文件夹 %1；请选择其他位置。</translation>
    </message>
    <message>
        <source>%1 needs %2, but only %3 are left on the disk of %4; choose another place.</source>
        <translation>%1 需要 %2，但 %4 所在磁盘只剩 %3；请选择其他位置。</translation>
    </message>
    <message>
        <source>The folder %1 cannot be replaced.</source>
        <translation>无法替换文件夹 %1。</translation>
    </message>
    <message>
        <source>The unpacked bundle cannot be moved to %1.</source>
        <translation>解开的归档包无法移动到 %1。</translation>
    </message>
    <message>
        <source>Cannot write %1 to the archive %2: %3; nothing was left behind. Free some space or choose another place.</source>
        <translation>无法把 %1 写入归档 %2：%3；没有留下任何内容。请腾出空间或选择其他位置。</translation>
    </message>
    <message>
        <source>The archive %1 cannot be made: choose a file&apos;s name.</source>
        <translation>无法建立归档 %1：请选择一个文件名。</translation>
    </message>
    <message>
        <source>the first bytes</source>
        <translation>开头的字节</translation>
    </message>
    <message>
        <source>%1 became shorter while it was read; try again.</source>
        <translation>%1 在读取时变短了；请重试。</translation>
    </message>
    <message>
        <source>the end</source>
        <translation>结尾</translation>
    </message>
    <message>
        <source>The archive cannot be moved to %1.</source>
        <translation>归档无法移动到 %1。</translation>
    </message>
    <message>
        <source>The index %1 could not be opened: %2.</source>
        <translation>索引 %1 无法打开：%2。</translation>
    </message>
    <message>
        <source>The index %1 could not be set up: %2.</source>
        <translation>索引 %1 无法建立：%2。</translation>
    </message>
    <message>
        <source>The index %1 could not be read: %2.</source>
        <translation>无法读取索引 %1：%2。</translation>
    </message>
    <message>
        <source>The index %1 could not take a run: %2.</source>
        <translation>索引 %1 无法写入运行：%2。</translation>
    </message>
    <message>
        <source>The index %1 could not take samples: %2.</source>
        <translation>索引 %1 无法写入样本：%2。</translation>
    </message>
    <message>
        <source>The index %1 could not start to write samples: %2.</source>
        <translation>索引 %1 无法开始写入样本：%2。</translation>
    </message>
    <message>
        <source>The index %1 could not drop samples: %2.</source>
        <translation>索引 %1 无法删除样本：%2。</translation>
    </message>
    <message>
        <source>%1. Free some space on this disk; the raw logs are complete.</source>
        <translation>%1。请在此磁盘上腾出空间；原始日志是完整的。</translation>
    </message>
    <message>
        <source>%1 is damaged: %2.</source>
        <translation>%1 已损坏：%2。</translation>
    </message>
    <message>
        <source>The workspace index %1 was made by a newer version (schema %2; this one reads up to %3); open it with that version.</source>
        <translation>工作区索引 %1 由更新的版本生成（schema %2；本程序最多读到 %3）；请用那个版本打开。</translation>
    </message>
    <message>
        <source>Qt&apos;s SQLite driver is missing; install the package libqt6sql6-sqlite.</source>
        <translation>缺少 Qt 的 SQLite 驱动；请安装软件包 libqt6sql6-sqlite。</translation>
    </message>
    <message>
        <source>state is &quot;%1&quot;, which is not a run&apos;s state</source>
        <translation>state 是 &quot;%1&quot;，它不是运行的状态</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2.</source>
        <translation>无法写入 %1：%2。</translation>
    </message>
    <message>
        <source>The workspace %1 is open in another program; close it there first.</source>
        <translation>工作区 %1 已在其他程序中打开；请先在那里关闭它。</translation>
    </message>
    <message>
        <source>The workspace %1 cannot be written to; look at its permissions, or copy it to a folder of your own.</source>
        <translation>无法写入工作区 %1；请检查其权限，或把它复制到您自己的文件夹。</translation>
    </message>
    <message>
        <source>The workspace %1 was made by a newer version (schema %2; this one reads up to %3); open it with that version.</source>
        <translation>工作区 %1 由更新的版本生成（schema %2；本程序最多读到 %3）；请用那个版本打开。</translation>
    </message>
    <message>
        <source>%1 It was moved to %2.damaged and made again.</source>
        <translation>%1它已移到 %2.damaged 并重新生成。</translation>
    </message>
    <message>
        <source>%1 is the record of another run (%2).</source>
        <translation>%1 是另一次运行（%2）的记录。</translation>
    </message>
    <message>
        <source>%1 is not empty and not a workspace; choose an empty or a new folder.</source>
        <translation>%1 不是空文件夹也不是工作区；请选择空的或新的文件夹。</translation>
    </message>
    <message>
        <source>The workspace folder %1 cannot be made; choose a place where you may write.</source>
        <translation>无法建立工作区文件夹 %1；请选择您可以写入的位置。</translation>
    </message>
    <message>
        <source>There is no workspace in %1; choose a folder with a workspace.json that you may read, or import its logs.</source>
        <translation>%1 中没有工作区；请选择含有可读的 workspace.json 的文件夹，或导入其中的日志。</translation>
    </message>
    <message>
        <source>The workspace %1 is a bundle and read-only; run its plan again in a new workspace (scaleboard-cli bundle run-again).</source>
        <translation>工作区 %1 是归档包，只读；请在新的工作区中再次运行其计划（scaleboard-cli bundle run-again）。</translation>
    </message>
    <message>
        <source>The folder %1 cannot be made.</source>
        <translation>无法建立文件夹 %1。</translation>
    </message>
    <message>
        <source>It was stopped before mpirun was started.</source>
        <translation>在启动 mpirun 之前已停止。</translation>
    </message>
    <message>
        <source>The workspace has another measurement named %1 already; give this one another name.</source>
        <translation>工作区中已有另一个名为 %1 的测量；请换一个名称。</translation>
    </message>
    <message>
        <source>%1 was written by a newer version (schema %2; this one reads up to %3).</source>
        <translation>%1 由更新的版本写入（schema %2；本程序最多读到 %3）。</translation>
    </message>
    <message>
        <source>No temporary folder could be made to unpack %1 into: %2.</source>
        <translation>无法创建用于解包 %1 的临时文件夹：%2。</translation>
    </message>
    <message>
        <source>Rank %1 on %2 ended with status %3. Something killed it; the node&apos;s memory, or a container&apos;s share of it, is the usual reason.</source>
        <translation>%2 上的 rank %1 以状态 %3 结束。它被外部终止；通常是节点的内存、或容器的内存份额不足。</translation>
    </message>
    <message>
        <source>Rank %1 on %2 ended with status %3: %4 Something killed it; the node&apos;s memory, or a container&apos;s share of it, is the usual reason.</source>
        <translation>%2 上的 rank %1 以状态 %3 结束：%4 它被外部终止；通常是节点的内存、或容器的内存份额不足。</translation>
    </message>
    <message>
        <source>Something killed it; the node&apos;s memory, or a container&apos;s share of it, is the usual reason.</source>
        <translation>它被外部终止；通常是节点的内存、或容器的内存份额不足。</translation>
    </message>
    <message>
        <source>line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message>
        <source>the %1 &quot;%2&quot; is no count</source>
        <translation>%1 &quot;%2&quot; 不是数量</translation>
    </message>
    <message>
        <source>%1 devices cannot be spread evenly over %2 nodes</source>
        <translation>%1 个设备无法平均分到 %2 个节点</translation>
    </message>
    <message>
        <source>%1 nodes of %2 devices are more than any cluster has</source>
        <translation>%1 个节点、每节点 %2 个设备，超过任何集群的规模</translation>
    </message>
    <message>
        <source>it cannot be read: %1</source>
        <translation>无法读取：%1</translation>
    </message>
    <message>
        <source>it is larger than 64 MB</source>
        <translation>大于 64 MB</translation>
    </message>
    <message>
        <source>it is a workbook (XLSX) in spite of its name; save it as CSV</source>
        <translation>尽管名称如此，它是工作簿（XLSX）；请另存为 CSV</translation>
    </message>
    <message>
        <source>it is empty</source>
        <translation>它是空的</translation>
    </message>
    <message>
        <source>it has no column &quot;%1&quot;; its columns are %2</source>
        <translation>没有列 &quot;%1&quot;；其中的列有 %2</translation>
    </message>
    <message>
        <source>a quote is not closed</source>
        <translation>引号没有闭合</translation>
    </message>
    <message>
        <source>a benchmark of links, but not between the GPUs of a node</source>
        <translation>这是链路基准测试，但不是在一个节点的 GPU 之间</translation>
    </message>
    <message>
        <source>&quot;%1&quot; holds no cases</source>
        <translation>&quot;%1&quot; 中没有用例</translation>
    </message>
    <message>
        <source>batch_size_per_device is no count</source>
        <translation>batch_size_per_device 不是数量</translation>
    </message>
    <message>
        <source>the case &quot;%1&quot; has neither median_speed nor average_speed</source>
        <translation>用例 &quot;%1&quot; 既没有 median_speed 也没有 average_speed</translation>
    </message>
    <message>
        <source>the speed of &quot;%1&quot; is no number above zero</source>
        <translation>&quot;%1&quot; 的速度不是大于零的数字</translation>
    </message>
    <message>
        <source>the file cannot be read, or is larger than 64 MB</source>
        <translation>无法读取该文件，或它大于 64 MB</translation>
    </message>
    <message>
        <source>%1 has more nodes than %2 can train %3 on: %4.</source>
        <translation>%1 的节点比 %2 训练 %3 时最多能用的多：%4。</translation>
    </message>
    <message>
        <source>kubernetes.namespace is &quot;%1&quot;; it must be small letters, digits and &quot;-&quot;.</source>
        <translation>kubernetes.namespace 是“%1”；只能用小写字母、数字和“-”。</translation>
    </message>
    <message>
        <source>kubernetes.service_account is &quot;%1&quot;; it must be small letters, digits, &quot;-&quot; and &quot;.&quot;.</source>
        <translation>kubernetes.service_account 是“%1”；只能用小写字母、数字、“-”和“.”。</translation>
    </message>
    <message>
        <source>kubernetes.data_claim is &quot;%1&quot;; it must be small letters, digits, &quot;-&quot; and &quot;.&quot;.</source>
        <translation>kubernetes.data_claim 是“%1”；只能用小写字母、数字、“-”和“.”。</translation>
    </message>
    <message>
        <source>kubernetes.context is &quot;%1&quot;; take a name that kubectl config get-contexts lists.</source>
        <translation>kubernetes.context 是“%1”；请用 kubectl config get-contexts 列出的名称。</translation>
    </message>
    <message>
        <source>kubernetes.time_limit_min is %1; it must be between 1 and 525600 minutes.</source>
        <translation>kubernetes.time_limit_min 是 %1；必须在 1 到 525600 分钟之间。</translation>
    </message>
    <message>
        <source>kubernetes.shared_memory_gb is %1; it must be between 1 and 4096.</source>
        <translation>kubernetes.shared_memory_gb 是 %1；必须在 1 到 4096 之间。</translation>
    </message>
    <message>
        <source>kubernetes.node_selector has &quot;%1&quot;: &quot;%2&quot;, which is no label of a node.</source>
        <translation>kubernetes.node_selector 中的“%1”: “%2”不是节点的标签。</translation>
    </message>
    <message>
        <source>kubernetes.resources has nvidia.com/gpu; the number of GPUs comes from scales.</source>
        <translation>kubernetes.resources 中有 nvidia.com/gpu；GPU 数量由 scales 决定。</translation>
    </message>
    <message>
        <source>kubernetes.resources has &quot;%1&quot;: &quot;%2&quot;; write a resource and how much of it, such as {&quot;memory&quot;: &quot;64Gi&quot;}.</source>
        <translation>kubernetes.resources 中有“%1”: “%2”；请写资源和数量，例如 {&quot;memory&quot;: &quot;64Gi&quot;}。</translation>
    </message>
    <message>
        <source>environments has no image for &quot;%1&quot;, and the launcher kubernetes runs in containers; name one, such as {&quot;%2&quot;: &quot;docker:registry.example/image:tag&quot;}.</source>
        <translation>environments 中没有“%1”的镜像，而启动器 kubernetes 在容器中运行；请指定一个，例如 {&quot;%2&quot;: &quot;docker:registry.example/image:tag&quot;}。</translation>
    </message>
    <message>
        <source>environments.%1 names the image &quot;%2&quot;, which is no name of an image.</source>
        <translation>environments.%1 指定的镜像“%2”不是镜像名称。</translation>
    </message>
    <message>
        <source>The file %1 cannot go into a pod: its name must be letters, digits, &quot;-&quot;, &quot;_&quot; and &quot;.&quot;, and not launch.sh.</source>
        <translation>文件 %1 不能放进 pod：其名称只能用字母、数字、“-”、“_”和“.”，且不能是 launch.sh。</translation>
    </message>
    <message>
        <source>The file %1 cannot go into a pod: it is no text in UTF-8. Put it into the image.</source>
        <translation>文件 %1 不能放进 pod：它不是 UTF-8 文本。请把它放进镜像。</translation>
    </message>
    <message>
        <source>The scripts of the run have %1 bytes; a ConfigMap of Kubernetes takes 1000000. Put them into the image, or take fewer nodes.</source>
        <translation>运行的脚本共 %1 字节；Kubernetes 的 ConfigMap 最多容纳 1000000。请把它们放进镜像，或减少节点。</translation>
    </message>
    <message>
        <source>The Kubernetes job %1</source>
        <translation>Kubernetes 作业 %1</translation>
    </message>
    <message>
        <source>%1 was ended at its time limit. Raise kubernetes.time_limit_min in the plan.</source>
        <translation>%1 到达时限被终止。请在计划中提高 kubernetes.time_limit_min。</translation>
    </message>
    <message>
        <source>%1 was ended at its time limit of %2. Raise kubernetes.time_limit_min in the plan.</source>
        <translation>%1 到达时限 %2 被终止。请在计划中提高 kubernetes.time_limit_min。</translation>
    </message>
    <message>
        <source>%1 used more memory than it may (%2). Give it more (kubernetes.resources: &quot;memory&quot;), or take a smaller batch.</source>
        <translation>%1 使用的内存超出限额（%2）。请给它更多内存（kubernetes.resources: &quot;memory&quot;），或减小批大小。</translation>
    </message>
    <message>
        <source>%1 lost a pod to its node&apos;s needs (%2). Run the plan again.</source>
        <translation>%1 有一个 pod 被其节点驱逐（%2）。请重新运行计划。</translation>
    </message>
    <message>
        <source>%1 could not start (%2). The image needs sh, and the framework&apos;s program in its PATH.</source>
        <translation>%1 无法启动（%2）。镜像中需要有 sh，且框架的程序在其 PATH 中。</translation>
    </message>
    <message>
        <source>%1 was deleted by somebody else (kubectl delete).</source>
        <translation>%1 被他人删除（kubectl delete）。</translation>
    </message>
    <message>
        <source>%1 No cluster answers there; see the configuration of kubectl on that node.</source>
        <translation>%1 那里没有集群应答；请检查该节点上 kubectl 的配置。</translation>
    </message>
    <message>
        <source>%1 Its user needs the right to create and delete jobs, services and config maps, and to read pods and their logs.</source>
        <translation>%1 该用户需要有权创建和删除 job、service 和 configmap，并读取 pod 及其日志。</translation>
    </message>
    <message>
        <source>Kubernetes did not take the job: %1</source>
        <translation>Kubernetes 没有接受该作业：%1</translation>
    </message>
    <message>
        <source>The launcher kubernetes needs an image for %1; name one as its environment in the plan.</source>
        <translation>启动器 kubernetes 需要 %1 的镜像；请在计划中把它指定为其环境。</translation>
    </message>
    <message>
        <source>there is no kubectl; install it there, or name another node first.</source>
        <translation>那里没有 kubectl；请在该处安装，或把另一个节点放在首位。</translation>
    </message>
    <message>
        <source>something of the job is still in the cluster after kubectl delete: %1.</source>
        <translation>kubectl delete 之后集群中仍有该作业的对象：%1。</translation>
    </message>
    <message>
        <source>Rank %1 of the Kubernetes job %2 ended with status %3.</source>
        <translation>Kubernetes 作业 %2 的 rank %1 以状态 %3 结束。</translation>
    </message>
    <message>
        <source>Rank %1 of the Kubernetes job %2 ended with status %3: %4</source>
        <translation>Kubernetes 作业 %2 的 rank %1 以状态 %3 结束：%4</translation>
    </message>
    <message>
        <source>The launcher kubernetes was not run against a cluster yet: its manifests are checked against the published schemas, and kubectl against a stand-in for the API server.</source>
        <translation>启动器 kubernetes 尚未在真实集群上运行过：其清单按已发布的模式校验，kubectl 只对着 API 服务器的替身试过。</translation>
    </message>
    <message>
        <source>%1 was ended at its time limit while it still waited (%2).</source>
        <translation>%1 到达时限被终止，当时仍在等待（%2）。</translation>
    </message>
    <message>
        <source>%1 was ended at its time limit of %2 while it still waited (%3).</source>
        <translation>%1 到达时限 %2 被终止，当时仍在等待（%3）。</translation>
    </message>
    <message>
        <source>horovodrun is started in a virtual environment or from the node&apos;s own PATH, not in %1. Choose the launcher mpirun or per_rank.</source>
        <translation>horovodrun 在虚拟环境中或从节点自己的 PATH 启动，不能在 %1 中启动。请选择启动器 mpirun 或 per_rank。</translation>
    </message>
    <message>
        <source>horovodrun needs a network interface of the same name on all nodes; %1 has %2 and %3 has %4. Choose the launcher mpirun or per_rank.</source>
        <translation>horovodrun 要求所有节点的网络接口同名；%1 是 %2，而 %3 是 %4。请选择启动器 mpirun 或 per_rank。</translation>
    </message>
</context>
<context>
    <name>sb::CommMenu</name>
    <message numerus="yes">
        <source>%1 · %2, %n rank(s)</source>
        <translation>
            <numerusform>%1 · %2，%n 个 rank</numerusform>
        </translation>
    </message>
    <message>
        <source>Open measured all-reduce…</source>
        <translation>打开 all-reduce 测量…</translation>
    </message>
    <message>
        <source>No all-reduce measured</source>
        <translation>没有 all-reduce 测量</translation>
    </message>
    <message>
        <source>The output of sbtrain bench allreduce or of all_reduce_perf, from which latency and bandwidth are fitted.</source>
        <translation>sbtrain bench allreduce 或 all_reduce_perf 的输出，用于拟合延迟和带宽。</translation>
    </message>
    <message>
        <source>Measured all-reduce</source>
        <translation>all-reduce 测量</translation>
    </message>
</context>
<context>
    <name>sb::RunDetails</name>
    <message>
        <source>%1 · GPU %2</source>
        <translation>%1 · GPU %2</translation>
    </message>
    <message numerus="yes">
        <source>ms, p50 of %n step(s)</source>
        <translation>
            <numerusform>毫秒，p50，共 %n 步</numerusform>
        </translation>
    </message>
    <message>
        <source>about 95 %: %1 – %2</source>
        <translation>约 95 %：%1 – %2</translation>
    </message>
    <message>
        <source>95 %: %1 – %2</source>
        <translation>95 %：%1 – %2</translation>
    </message>
    <message>
        <source>ms, p90</source>
        <translation>毫秒，p90</translation>
    </message>
    <message>
        <source>ms, p99</source>
        <translation>毫秒，p99</translation>
    </message>
    <message>
        <source>longest %1</source>
        <translation>最长 %1</translation>
    </message>
    <message>
        <source>outliers</source>
        <translation>离群步</translation>
    </message>
    <message>
        <source>flagged, not dropped</source>
        <translation>只标记，不剔除</translation>
    </message>
    <message>
        <source>Judged by own work a step, without waits.</source>
        <translation>按每步自身工作时间判断，不含等待。</translation>
    </message>
    <message>
        <source>Judged by step times, since not every rank logs its own work; a collective evens them out.</source>
        <translation>按步时间判断，因为并非每个 rank 都记录自身工作；集合通信会使其趋于一致。</translation>
    </message>
    <message>
        <source>Straggler: rank %1 (%2), %3 ms a step, %4 over the median rank, slowest in %5 of the steps.</source>
        <translation>拖慢者：rank %1（%2），每步 %3 毫秒，比中位 rank 多 %4，在 %5 的步中最慢。</translation>
    </message>
    <message>
        <source>No straggler: rank %1 is the slowest, %2 over the median rank.</source>
        <translation>没有拖慢者：rank %1 最慢，比中位 rank 多 %2。</translation>
    </message>
    <message>
        <source>Open the log</source>
        <translation>打开日志</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Steps of the run</source>
        <translation>该运行的各步</translation>
    </message>
    <message>
        <source>Throughput by step</source>
        <translation>各步吞吐量</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>各 rank</translation>
    </message>
    <message>
        <source>Ranks, slowest first</source>
        <translation>各 rank，最慢者在前</translation>
    </message>
    <message>
        <source>%1 · repeat %2</source>
        <translation>%1 · 第 %2 次重复</translation>
    </message>
    <message>
        <source>Steps of %1</source>
        <translation>%1 的各步</translation>
    </message>
    <message>
        <source>The index has no steps of this run. scaleboard-cli rebuild reads them again.</source>
        <translation>索引中没有此运行的步。scaleboard-cli rebuild 可重新读取。</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Own work, ms</source>
        <translation>自身工作，毫秒</translation>
    </message>
    <message>
        <source>Step, ms</source>
        <translation>步时间，毫秒</translation>
    </message>
    <message>
        <source>Over the median rank</source>
        <translation>比中位 rank 多</translation>
    </message>
    <message>
        <source>Slowest in</source>
        <translation>最慢的步占比</translation>
    </message>
    <message>
        <source>drift</source>
        <translation>漂移</translation>
    </message>
    <message>
        <source>first to last step, flagged</source>
        <translation>首步到末步，已标记</translation>
    </message>
    <message>
        <source>first to last step, chance</source>
        <translation>首步到末步，属偶然</translation>
    </message>
    <message>
        <source>Outliers, further than 3.5 spreads from the median: %1.</source>
        <translation>离群步（距中位数超过 3.5 个离散度）：%1。</translation>
    </message>
</context>
<context>
    <name>sb::ScalingInsight</name>
    <message>
        <source>the rank that waits least waits %1 → %2 ms for collectives</source>
        <translation>等待最少的 rank 等待集合通信 %1 → %2 毫秒</translation>
    </message>
    <message>
        <source>the median rank waits %1 → %2 ms for input</source>
        <translation>中位 rank 等待输入 %1 → %2 毫秒</translation>
    </message>
    <message>
        <source>rank %1 works %2 ms a step, the median rank %3 ms</source>
        <translation>rank %1 每步工作 %2 毫秒，中位 rank %3 毫秒</translation>
    </message>
    <message>
        <source>clock of the slowest GPU %1 → %2 MHz</source>
        <translation>最慢 GPU 的频率 %1 → %2 MHz</translation>
    </message>
    <message>
        <source>the median rank works %1 → %2 ms, more than its clocks explain</source>
        <translation>中位 rank 工作 %1 → %2 毫秒，超出频率所能解释</translation>
    </message>
    <message>
        <source>the median rank works %1 → %2 ms; clocks were not recorded</source>
        <translation>中位 rank 工作 %1 → %2 毫秒；未记录频率</translation>
    </message>
    <message>
        <source>nothing in the logs says where it went</source>
        <translation>日志没有说明去向</translation>
    </message>
    <message>
        <source>an even share of the work</source>
        <translation>均分的工作</translation>
    </message>
    <message>
        <source>one device alone</source>
        <translation>单个设备</translation>
    </message>
    <message>
        <source>%1: a step takes %2 ms, %3 ms less than %4. Nothing is lost.</source>
        <translation>%1：每步 %2 毫秒，比%4少 %3 毫秒，没有损失。</translation>
    </message>
    <message>
        <source>%1: a step takes %2 ms, %3 ms more than %4.</source>
        <translation>%1：每步 %2 毫秒，比%4多 %3 毫秒。</translation>
    </message>
    <message>
        <source>Noise: the difference is within what the two results are uncertain by.</source>
        <translation>噪声：差异在两个结果的不确定范围之内。</translation>
    </message>
    <message>
        <source>%1: %2 ms, %3 of the loss: %4.</source>
        <translation>%1：%2 毫秒，占损失的 %3：%4。</translation>
    </message>
    <message>
        <source>Not every rank logs its waits and its own work, so they cannot be told apart.</source>
        <translation>并非每个 rank 都记录等待和自身工作，因此无法区分。</translation>
    </message>
    <message>
        <source>published results have no steps to account for</source>
        <translation>已发表的结果没有逐步数据</translation>
    </message>
    <message>
        <source>the logs tell no step times</source>
        <translation>日志没有步时间</translation>
    </message>
    <message>
        <source>no steps in the index; scaleboard-cli rebuild reads them again</source>
        <translation>索引中没有步；scaleboard-cli rebuild 可重新读取</translation>
    </message>
    <message>
        <source>Communication</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>Input data</source>
        <translation>输入数据</translation>
    </message>
    <message>
        <source>Straggler</source>
        <translation>拖慢者</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>频率</translation>
    </message>
    <message>
        <source>Slower work</source>
        <translation>工作变慢</translation>
    </message>
    <message>
        <source>Unexplained</source>
        <translation>未解释</translation>
    </message>
    <message numerus="yes">
        <source>%n GPU(s)</source>
        <translation>
            <numerusform>%n 块 GPU</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n device(s)</source>
        <translation>
            <numerusform>%n 个设备</numerusform>
        </translation>
    </message>
    <message>
        <source>the run on 1 device is missing</source>
        <translation>缺少单设备运行</translation>
    </message>
    <message>
        <source>FLOPs a byte of memory traffic, at most</source>
        <translation>每字节显存流量的 FLOP 数（上限）</translation>
    </message>
    <message>
        <source>TFLOP/s a device</source>
        <translation>每设备 TFLOP/s</translation>
    </message>
    <message>
        <source>Not drawn: how much memory traffic this model needs is not known.</source>
        <translation>未绘制：不知道该模型需要多少显存流量。</translation>
    </message>
    <message>
        <source>Limited by memory: at %1 FLOPs a byte it feeds %2 TFLOP/s at most.</source>
        <translation>受显存限制：每字节 %1 FLOP 时最多支撑 %2 TFLOP/s。</translation>
    </message>
    <message>
        <source>Limited by arithmetic: %1 FLOPs a byte let memory feed %2 TFLOP/s or more.</source>
        <translation>受算力限制：每字节 %1 FLOP 时显存可支撑 %2 TFLOP/s 或更多。</translation>
    </message>
    <message>
        <source>Every curve is hidden</source>
        <translation>所有曲线都已隐藏</translation>
    </message>
    <message>
        <source>Peaks: %1, dense, at boost clock.</source>
        <translation>峰值：%1，稠密计算，加速频率。</translation>
    </message>
    <message>
        <source>Memory traffic is the least there is without fusing layers, so a point can lie further left, never further right.</source>
        <translation>显存流量取不融合层时的最小值，因此点只可能更靠左，不会更靠右。</translation>
    </message>
    <message>
        <source>The memory bandwidth of this device depends on its size, which its name does not tell: no slope is drawn.</source>
        <translation>该设备的显存带宽取决于容量，而名称没有说明：未绘制斜线。</translation>
    </message>
    <message>
        <source>Milliseconds lost a step</source>
        <translation>每步损失毫秒</translation>
    </message>
</context>
<context>
    <name>sb::UnlikeText</name>
    <message>
        <source>batch %1 per device, not %2</source>
        <translation>每设备批大小 %1，而非 %2</translation>
    </message>
    <message>
        <source>without gradient clipping</source>
        <translation>无梯度裁剪</translation>
    </message>
    <message>
        <source>runs %1, not %2</source>
        <translation>运行 %1，而非 %2</translation>
    </message>
    <message>
        <source>FP16 without automatic mixed precision</source>
        <translation>FP16，但未用自动混合精度</translation>
    </message>
    <message>
        <source>real input data, not synthetic</source>
        <translation>真实输入数据，而非合成数据</translation>
    </message>
</context>
</TS>
