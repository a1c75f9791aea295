<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>LiveText</name>
    <message numerus="yes">
        <source>%1 kW over %n GPU(s)</source>
        <translation>
            <numerusform>%1 kW over %n GPU</numerusform>
            <numerusform>%1 kW over %n GPUs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RailText</name>
    <message numerus="yes">
        <source>%n row(s) damaged</source>
        <translation>
            <numerusform>%n row damaged</numerusform>
            <numerusform>%n rows damaged</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n island(s)</source>
        <translation>
            <numerusform>%n island</numerusform>
            <numerusform>%n islands</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n case(s) · ready</source>
        <translation>
            <numerusform>%n case · ready</numerusform>
            <numerusform>%n cases · ready</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <translation>
            <numerusform>%n failed</numerusform>
            <numerusform>%n failed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) done</source>
        <translation>
            <numerusform>%n run done</numerusform>
            <numerusform>%n runs done</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n curve(s)</source>
        <translation>
            <numerusform>%n curve</numerusform>
            <numerusform>%n curves</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n result(s)</source>
        <translation>
            <numerusform>%n result</numerusform>
            <numerusform>%n results</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n case(s)</source>
        <translation>
            <numerusform>%n case</numerusform>
            <numerusform>%n cases</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::CaseGridModel</name>
    <message numerus="yes">
        <source>%n GPU(s)</source>
        <translation>
            <numerusform>%n GPU</numerusform>
            <numerusform>%n GPUs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n worker(s)</source>
        <translation>
            <numerusform>%n worker</numerusform>
            <numerusform>%n workers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %n repeat(s) planned</source>
        <translation>
            <numerusform>%1, %n repeat planned</numerusform>
            <numerusform>%1, %n repeats planned</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::ComparePage</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n case(s) in common</source>
        <translation>
            <numerusform>%n case in common</numerusform>
            <numerusform>%n cases in common</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>About %n run(s) a side would settle a difference of 1 %.</source>
        <translation>
            <numerusform>About %n run a side would settle a difference of 1 %.</numerusform>
            <numerusform>About %n runs a side would settle a difference of 1 %.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n group(s) of runs</source>
        <translation>
            <numerusform>%n group of runs</numerusform>
            <numerusform>%n groups of runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::ImportDialog</name>
    <message numerus="yes">
        <source>%1 of %2 files can be imported: %n case(s).</source>
        <translation>
            <numerusform>%1 of %2 files can be imported: %n case.</numerusform>
            <numerusform>%1 of %2 files can be imported: %n cases.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n measurement(s) of links.</source>
        <translation>
            <numerusform>%n measurement of links.</numerusform>
            <numerusform>%n measurements of links.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::LiveChart</name>
    <message numerus="yes">
        <source>Step %1 of %2, %3 %4; %n rank(s).</source>
        <translation>
            <numerusform>Step %1 of %2, %3 %4; %n rank.</numerusform>
            <numerusform>Step %1 of %2, %3 %4; %n ranks.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::LivePage</name>
    <message numerus="yes">
        <source>%1 process(es) on %n node(s) will be ended, and the sweep with them. Steps so far are kept and marked as partial; starting the plan again does the runs that are missing.</source>
        <translation>
            <numerusform>Processes to end: %1, on %n node; the sweep ends with them. Steps so far are kept and marked as partial; starting the plan again does the runs that are missing.</numerusform>
            <numerusform>Processes to end: %1, on %n nodes; the sweep ends with them. Steps so far are kept and marked as partial; starting the plan again does the runs that are missing.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::LiveSide</name>
    <message numerus="yes">
        <source>%1 of %n run(s)</source>
        <translation>
            <numerusform>%1 of %n run</numerusform>
            <numerusform>%1 of %n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::MatrixModel</name>
    <message numerus="yes">
        <source>, %n link(s)</source>
        <translation>
            <numerusform>, %n link</numerusform>
            <numerusform>, %n links</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::MeaningPanel</name>
    <message numerus="yes">
        <source>%n GPU pair(s)</source>
        <translation>
            <numerusform>%n GPU pair</numerusform>
            <numerusform>%n GPU pairs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n network card(s)</source>
        <translation>
            <numerusform>%n network card</numerusform>
            <numerusform>%n network cards</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::PairPanel</name>
    <message numerus="yes">
        <source>%n link(s), direct</source>
        <translation>
            <numerusform>%n link, direct</numerusform>
            <numerusform>%n links, direct</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::PasteDialog</name>
    <message numerus="yes">
        <source>%n GPU(s)</source>
        <translation>
            <numerusform>%n GPU</numerusform>
            <numerusform>%n GPUs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n network card(s)</source>
        <translation>
            <numerusform>%n network card</numerusform>
            <numerusform>%n network cards</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::PlanAxes</name>
    <message numerus="yes">
        <source>%n models, as in the file</source>
        <translation>
            <numerusform>%n model, as in the file</numerusform>
            <numerusform>%n models, as in the file</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::PlanDetails</name>
    <message numerus="yes">
        <source>Each worker computes with %n CPU thread(s).</source>
        <translation>
            <numerusform>Each worker computes with %n CPU thread.</numerusform>
            <numerusform>Each worker computes with %n CPU threads.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n repeat(s): about %1</source>
        <translation>
            <numerusform>%n repeat: about %1</numerusform>
            <numerusform>%n repeats: about %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::PlanFoot</name>
    <message numerus="yes">
        <source>%n node(s) ready</source>
        <translation>
            <numerusform>%n node ready</numerusform>
            <numerusform>%n nodes ready</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) to do</source>
        <translation>
            <numerusform>%n run to do</numerusform>
            <numerusform>%n runs to do</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Start %n run(s)</source>
        <translation>
            <numerusform>Start %n run</numerusform>
            <numerusform>Start %n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::PlanGrid</name>
    <message numerus="yes">
        <source>%n case(s)</source>
        <translation>
            <numerusform>%n case</numerusform>
            <numerusform>%n cases</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n refused</source>
        <translation>
            <numerusform>%n refused</numerusform>
            <numerusform>%n refused</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::ProgressGrid</name>
    <message numerus="yes">
        <source>each cell: %n repeat(s)</source>
        <translation>
            <numerusform>each cell: %n repeat</numerusform>
            <numerusform>each cell: %n repeats</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <translation>
            <numerusform>%n failed</numerusform>
            <numerusform>%n failed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n refused</source>
        <translation>
            <numerusform>%n refused</numerusform>
            <numerusform>%n refused</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::RecentModel</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n node</numerusform>
            <numerusform>%n nodes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::ReportExportPanel</name>
    <message numerus="yes">
        <source>Wrote %n file(s) to %1</source>
        <translation>
            <numerusform>Wrote %n file to %1</numerusform>
            <numerusform>Wrote %n files to %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::ReportPage</name>
    <message numerus="yes">
        <source>%n figure(s)</source>
        <translation>
            <numerusform>%n figure</numerusform>
            <numerusform>%n figures</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n table(s)</source>
        <translation>
            <numerusform>%n table</numerusform>
            <numerusform>%n tables</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 · %n page(s)</source>
        <translation>
            <numerusform>%1 · %n page</numerusform>
            <numerusform>%1 · %n pages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::RunDots</name>
    <message numerus="yes">
        <source>%1: median %2, %n run(s)</source>
        <translation>
            <numerusform>%1: median %2, %n run</numerusform>
            <numerusform>%1: median %2, %n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::ScalingChart</name>
    <message numerus="yes">
        <source>%1 leads at %n device(s) with %2; %3 curves.</source>
        <translation>
            <numerusform>%1 leads at %n device with %2; %3 curves.</numerusform>
            <numerusform>%1 leads at %n devices with %2; %3 curves.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n GPU(s)</source>
        <translation>
            <numerusform>%n GPU</numerusform>
            <numerusform>%n GPUs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n device(s)</source>
        <translation>
            <numerusform>%n device</numerusform>
            <numerusform>%n devices</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>median of %n run(s)</source>
        <translation>
            <numerusform>median of %n run</numerusform>
            <numerusform>median of %n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more run(s)</source>
        <translation>
            <numerusform>and %n more run</numerusform>
            <numerusform>and %n more runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::ScalingPage</name>
    <message numerus="yes">
        <source>%1 · %n curve(s)</source>
        <translation>
            <numerusform>%1 · %n curve</numerusform>
            <numerusform>%1 · %n curves</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n repeat(s) give a %1 interval; six or more give 95 %.</source>
        <translation>
            <numerusform>%n repeat gives a %1 interval; six or more give 95 %.</numerusform>
            <numerusform>%n repeats give a %1 interval; six or more give 95 %.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Scaleboard · %1 · %n run(s), newest %2</source>
        <translation>
            <numerusform>Scaleboard · %1 · %n run, newest %2</numerusform>
            <numerusform>Scaleboard · %1 · %n runs, newest %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sample(s) a step at every scale</source>
        <translation>
            <numerusform>%n sample a step at every scale</numerusform>
            <numerusform>%n samples a step at every scale</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::ScalingTableModel</name>
    <message numerus="yes">
        <source>%n GPU(s)</source>
        <translation>
            <numerusform>%n GPU</numerusform>
            <numerusform>%n GPUs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n device(s)</source>
        <translation>
            <numerusform>%n device</numerusform>
            <numerusform>%n devices</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Not identifiable from %n scale(s)</source>
        <translation>
            <numerusform>Not identifiable from %n scale</numerusform>
            <numerusform>Not identifiable from %n scales</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>β %1 GB/s bus bandwidth, from %n size(s) over %2 ranks</source>
        <translation>
            <numerusform>β %1 GB/s bus bandwidth, from %n size over %2 ranks</numerusform>
            <numerusform>β %1 GB/s bus bandwidth, from %n sizes over %2 ranks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::StartPage</name>
    <message numerus="yes">
        <source>%n core(s)</source>
        <translation>
            <numerusform>%n core</numerusform>
            <numerusform>%n cores</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::StatusLine</name>
    <message numerus="yes">
        <source>%n node(s) ready</source>
        <translation>
            <numerusform>%n node ready</numerusform>
            <numerusform>%n nodes ready</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::TopologyEntries</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::TopologyPage</name>
    <message numerus="yes">
        <source>read %n min ago</source>
        <translation>
            <numerusform>read %n min ago</numerusform>
            <numerusform>read %n min ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n GPU(s)</source>
        <translation>
            <numerusform>%n GPU</numerusform>
            <numerusform>%n GPUs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n network card(s)</source>
        <translation>
            <numerusform>%n network card</numerusform>
            <numerusform>%n network cards</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::CommMenu</name>
    <message numerus="yes">
        <source>%1 · %2, %n rank(s)</source>
        <translation>
            <numerusform>%1 · %2, %n rank</numerusform>
            <numerusform>%1 · %2, %n ranks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::ImportDialog</name>
    <message numerus="yes">
        <source>%1 of %2 files can be imported: %n case(s).</source>
        <translation>
            <numerusform>%1 of %2 files can be imported: %n case.</numerusform>
            <numerusform>%1 of %2 files can be imported: %n cases.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::RunDetails</name>
    <message numerus="yes">
        <source>ms, p50 of %n step(s)</source>
        <translation>
            <numerusform>ms, p50 of %n step</numerusform>
            <numerusform>ms, p50 of %n steps</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sb::ScalingInsight</name>
    <message numerus="yes">
        <source>%n GPU(s)</source>
        <translation>
            <numerusform>%n GPU</numerusform>
            <numerusform>%n GPUs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n device(s)</source>
        <translation>
            <numerusform>%n device</numerusform>
            <numerusform>%n devices</numerusform>
        </translation>
    </message>
</context>
</TS>
