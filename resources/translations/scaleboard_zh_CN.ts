<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>DialogText</name>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About Scaleboard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measures how training scales over devices and nodes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free software under the GNU General Public License, version 3 or later.
Built on Qt %1 and QCustomPlot.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Duration</name>
    <message>
        <source>%1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LiveText</name>
    <message>
        <source>measured: steps %1–%2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one step measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>warm-up, not counted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>before the first step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stale · %1 s old</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ms a step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>p95 %1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>× 1 GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>× 1 worker</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is the baseline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no result for one device yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of ideal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of %1 steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>J a sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 kW over %n GPU(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>% CPU load</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 in use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>starting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lost</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RailText</name>
    <message>
        <source>Choose a door</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Needs a change</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n case(s) · ready</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pausing · %1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Running · %1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>running, %1 percent</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) done</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Paused · %1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not started</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n curve(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n result(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>nothing yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in progress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>needs you</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>broken</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Topology</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Live</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scaling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, step %2 of %3, %4, %5</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>sb::AppearanceForm</name>
    <message>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chart colours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Desktop&apos;s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the desktop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>sb::Banner</name>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close this message</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>sb::CaseDelegate</name>
    <message>
        <source>%1 ×</source>
        <comment>repeats of unknown length</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no. %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>sb::CaseGridModel</name>
    <message>
        <source>%1 · batch %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n GPU(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n worker(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1, refused: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 of %3 repeats, running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 of %3 repeats, %4 failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 of %3 repeats done</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1, %n repeat(s) planned</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::ChartTip</name>
    <message>
        <source>Show log line</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>sb::DryRunWindow</name>
    <message>
        <source>Dry run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These are the commands in the order they would run. Nothing has been started.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Commands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save commands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved to %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was not written: %2. Choose another folder.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>sb::LiveChart</name>
    <message>
        <source>No step yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Step %1 of %2, %3 %4; %n rank(s).</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Simulated.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all ranks&apos; samples over this rank&apos;s step time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU load</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Power</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SM clock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU load</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lowest %1 · median %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mean %1 · max %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>time since the start (s)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SIMULATED</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>warm-up, not counted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>warm-up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured: steps %1–%2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no step for %1 s</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>sb::LiveChartPanel</name>
    <message>
        <source>Follow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Follow new data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Horizontal axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>repeat %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>sb::LivePage</name>
    <message>
        <source>Live</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop run…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Figures of the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>started %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopping</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>getting ready, no step yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>data %1 s old</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Do not pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause after this run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting for every rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step time against the median, last %1 steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 failed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start a plan, and its runs are shown here while they go on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last run: %1, %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last run: %1, %2 %3/s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop this run?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, repeat %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 process(es) on %n node(s) will be ended, and the sweep with them. Steps so far are kept and marked as partial; starting the plan again does the runs that are missing.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Stop run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep running</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>sb::LiveSide</name>
    <message>
        <source>Progress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress of every case</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whole sweep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ends about</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next and last</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n run(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 device-hours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>next</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>sb::LogPanel</name>
    <message>
        <source>Log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find in the log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lines shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warnings %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>sb::MainWindow</name>
    <message>
        <source>%1 of %2 runs measured, %3 failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sweep is done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sweep has ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A plugin was left out.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>sb::Menus</name>
    <message>
        <source>&amp;File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;New workspace…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open workspace…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Close workspace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open &amp;plan…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Save plan…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy commands of the case</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Find in the log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Settings…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Rail as icons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Next panel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Previous panel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Full screen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Start the plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Pause after this run, or go on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>S&amp;top run…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Dry run…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run the &amp;first study</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;About Scaleboard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About &amp;Qt</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>sb::PlanAxes</name>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n models, as in the file</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Axes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First study</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>2020-10 report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Own plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Workload</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measurement</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frameworks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes × devices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another scale, such as 2n4g for two nodes with four devices each. Enter adds it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch each</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch size on one device; several sizes separated by commas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch sizes per device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Skip steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>interleaved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every case once, then every case again: drift of a machine hits all alike</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps to skip</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps to measure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU threads a worker</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>auto</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threads each CPU worker computes with; automatic: the cores shared out evenly</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Auto</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>sb::PlanDetails</name>
    <message>
        <source>Commands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rules</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Estimate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Details of the case</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No case chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · steps %2–%3 measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This case does not run: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refused: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs: the nodes have what it needs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Each worker computes with %n CPU thread(s).</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Results are compared and put on one curve only where everything else in the key is alike.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to estimate: this case does not run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No estimate: the plugin does not state the arithmetic of this workload.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One run: about %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n repeat(s): about %1</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Measured step time here: %1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From the arithmetic of the workload and a low rate of the device; the first run corrects it.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>sb::PlanFoot</name>
    <message>
        <source>Reading this machine…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No node is ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) ready</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>results go to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>starting asks where the results go</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The plan needs a change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No case can run on these nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This plan is running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every run of this plan is done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ready to start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>about %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) to do</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Dry run…</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Start %n run(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing to start</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>sb::PlanGrid</name>
    <message>
        <source>Cases</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Framework</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n case(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n refused</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::PlanPage</name>
    <message>
        <source>Plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open plan…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save plan…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The plan cannot run as it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The plan file was not opened.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plans (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The plan was not saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>repeat %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>sb::ProgressGrid</name>
    <message numerus="yes">
        <source>each cell: %n repeat(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n refused</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::RankStrip</name>
    <message>
        <source>Rank %1 on %2 is %3 from the median.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All ranks are alike.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · rank %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · ranks %2–%3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rank %1 · %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rank %1 · %2 · %3</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>sb::RecentModel</name>
    <message>
        <source>en</source>
        <comment>language of dates: en or zh</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Today %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>d MMM</source>
        <comment>date without year</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>d MMM yyyy</source>
        <comment>date with year</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder not found · Locate…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No runs yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Content</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opened</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>sb::Screenshots</name>
    <message>
        <source>The folder %1 cannot be made.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 cannot be written.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>sb::StartPage</name>
    <message>
        <source>Start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure training on one machine or a cluster, and leave with curves and a report.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run the first study</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trains one model on this machine with one device, then with more, and draws how it scales. Nothing leaves this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start the first study</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan a sweep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose models, batch sizes, precisions and scales. Every command can be read before it runs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A workspace folder with its runs, logs and curves. You can also drop a folder or a plan file here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recent workspaces</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A workspace is one folder: the raw logs and an index that can be rebuilt from them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Processor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Containers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First study</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n core(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none found · trains on the CPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no framework runs here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, 1 → %2, about %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, 1 → %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>sb::StatusLine</name>
    <message numerus="yes">
        <source>%n node(s) ready</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Reading this machine…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No node is ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No data for %1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No run in progress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No workspace open</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>sb::StepRail</name>
    <message>
        <source>Steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Help</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>sb::Units</name>
    <message>
        <source>images/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sequences/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>samples/s</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>sb::WorkspaceActions</name>
    <message>
        <source>The workspace was not opened.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The workspace was not made.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a workspace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make a workspace: where should results go?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New folder:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where is %1 now?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The plan was not started.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The first study was not started.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This machine is still being read; try again in a moment.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No framework of the plugin folder runs on this machine.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 cannot be made. Make a workspace elsewhere, then start again.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
