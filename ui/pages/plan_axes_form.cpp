// SPDX-License-Identifier: GPL-3.0-or-later
// The controls of the axes panel; what they do is in plan_axes.cpp.
#include "pages/plan_axes.h"

#include "pages/environment_form.h"
#include "pages/launch_form.h"
#include "widgets/chip.h"
#include "widgets/flow_layout.h"
#include "widgets/form_scroll.h"
#include "widgets/sb_style.h"
#include "widgets/segmented.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace sb {

namespace {

constexpr int kNameWidth = 100;
constexpr int kMostSteps = 10'000'000;

QGridLayout *addGrid(QVBoxLayout *layout)
{
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(4);
    grid->setColumnMinimumWidth(0, kNameWidth);
    grid->setColumnStretch(1, 1);
    layout->addLayout(grid);
    return grid;
}

QSpinBox *numberField(QWidget *parent, int least, int most)
{
    auto *field = new QSpinBox(parent);
    field->setButtonSymbols(QAbstractSpinBox::NoButtons);
    field->setRange(least, most);
    field->setKeyboardTracking(false); // the plan changes when the number is whole, not with each digit
    field->setAlignment(Qt::AlignRight);
    field->setMinimumWidth(field->fontMetrics().horizontalAdvance(QStringLiteral("000000")) + 24);
    field->setMaximumWidth(field->minimumWidth());
    return field;
}

} // namespace

PlanAxes::PlanAxes(std::span<const Framework> frameworks, QWidget *parent)
    : Panel(TitleRow::Normal, parent)
    , m_frameworks(frameworks.begin(), frameworks.end())
    , m_preset(new QComboBox(this))
{
    setControlSize(m_preset, ControlSize::Small);
    m_preset->addItems({QString(), QString(), QString()});
    addTool(m_preset);
    buildForm();
    connect(m_preset, &QComboBox::activated, this,
            [this](int index) { Q_EMIT presetChosen(static_cast<Preset>(index)); });
    m_texts.add([this] {
        setTitle(tr("Axes"));
        m_preset->setItemText(0, tr("First study"));
        m_preset->setItemText(1, tr("2020-10 report"));
        m_preset->setItemText(2, tr("Own plan"));
        m_preset->setAccessibleName(tr("Preset"));
    });
}

TextLabel *PlanAxes::addHeading(QVBoxLayout *layout)
{
    auto *heading = new TextLabel(TextRole::Strong, this);
    if (layout->count() > 0)
        layout->addSpacing(5);
    layout->addWidget(heading);
    return heading;
}

void PlanAxes::buildForm()
{
    auto *inside = new QWidget(this);
    auto *layout = new QVBoxLayout(inside);
    layout->setContentsMargins(11, 9, 11, 9);
    layout->setSpacing(3);
    layout->addWidget(buildFrameworks());
    layout->addWidget(buildScales());
    TextLabel *workload = addHeading(layout);
    buildWorkload(addGrid(layout));
    TextLabel *measurement = addHeading(layout);
    buildMeasurement(addGrid(layout));
    TextLabel *processes = addHeading(layout);
    m_launch = new LaunchForm(m_frameworks, this);
    layout->addWidget(m_launch);
    connect(m_launch, &LaunchForm::edited, this, &PlanAxes::readControls);
    TextLabel *environments = addHeading(layout);
    m_environments = new EnvironmentForm(m_frameworks, this);
    layout->addWidget(m_environments);
    connect(m_environments, &EnvironmentForm::edited, this, [this] {
        if (!m_showing) // a row that goes says that it was left
            readControls();
    });
    layout->addStretch(1);
    setBodyMargins(0, 0, 0, 1);
    body()->addWidget(new FormScroll(inside, this));
    m_texts.add([this, workload, measurement, processes, environments] {
        environments->setText(tr("Environments"));
        m_environments->refresh();
        processes->setText(tr("Processes"));
        m_launch->refresh();
        workload->setText(tr("Workload"));
        measurement->setText(tr("Measurement"));
    });
}

QWidget *PlanAxes::buildFrameworks()
{
    auto *part = new QWidget(this);
    auto *layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(1);
    auto *head = new QHBoxLayout;
    auto *heading = new TextLabel(TextRole::Strong, part);
    m_frameworkCount = new TextLabel(TextRole::Secondary, part);
    head->addWidget(heading, 1);
    head->addWidget(m_frameworkCount);
    layout->addLayout(head);
    auto *recipes = new QWidget(part);
    auto *below = new QVBoxLayout(recipes);
    below->setContentsMargins(0, 0, 0, 0);
    below->setSpacing(1);
    for (const Framework &framework : m_frameworks)
        addFramework(framework, framework.needsSourceFolder() ? below : layout);
    layout->addWidget(buildRecipes(recipes));
    layout->addWidget(recipes);
    m_texts.add([heading] { heading->setText(tr("Frameworks")); });
    return part;
}

void PlanAxes::addFramework(const Framework &framework, QVBoxLayout *layout)
{
    auto *row = new QHBoxLayout;
    auto *box = new QCheckBox(toQString(framework.title), layout->parentWidget());
    box->setToolTip(toQString(framework.manifestPath));
    auto *program = new TextLabel(TextRole::Secondary, layout->parentWidget());
    program->setText(toQString(framework.program));
    row->addWidget(box, 1);
    row->addWidget(program);
    layout->addLayout(row);
    m_frameworkBoxes.push_back(box);
    connect(box, &QCheckBox::toggled, this, &PlanAxes::readControls);
}

// Scripts of others, which few have at hand, are folded away: precision and batch stay in view.
QWidget *PlanAxes::buildRecipes(QWidget *recipes)
{
    const auto count =
        std::count_if(m_frameworks.begin(), m_frameworks.end(),
                      [](const Framework &framework) { return framework.needsSourceFolder(); });
    m_recipes = new QToolButton(recipes->parentWidget());
    m_recipes->setCheckable(true);
    m_recipes->setAutoRaise(true);
    m_recipes->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_recipes->setArrowType(Qt::RightArrow);
    m_recipes->setVisible(count > 0);
    recipes->hide();
    connect(m_recipes, &QToolButton::toggled, recipes, [this, recipes](bool on) {
        m_recipes->setArrowType(on ? Qt::DownArrow : Qt::RightArrow);
        recipes->setVisible(on);
    });
    m_texts.add([this, count] { m_recipes->setText(tr("Published recipes: %1").arg(count)); });
    return m_recipes;
}

QWidget *PlanAxes::buildScales()
{
    auto *part = new QWidget(this);
    auto *layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    TextLabel *heading = addHeading(layout);
    auto *chips = new QWidget(part);
    m_scales = new FlowLayout(5, chips);
    m_newScale = new QLineEdit(chips);
    setControlSize(m_newScale, ControlSize::Small);
    m_newScale->setMaximumWidth(m_newScale->fontMetrics().horizontalAdvance(QStringLiteral("00n00g")) + 24);
    m_newScale->setPlaceholderText(QStringLiteral("2n4g"));
    m_scales->addWidget(m_newScale);
    layout->addWidget(chips);
    connect(m_newScale, &QLineEdit::returnPressed, this, &PlanAxes::addScale);
    m_texts.add([this, heading] {
        heading->setText(tr("Nodes × devices"));
        m_newScale->setAccessibleName(tr("Another scale"));
        m_newScale->setToolTip(
            tr("Another scale, such as 2n4g for two nodes with four devices each. Enter adds it."));
    });
    return part;
}

void PlanAxes::buildWorkload(QGridLayout *grid)
{
    m_workload = new QComboBox(this);
    m_workload->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_workload->setMinimumContentsLength(10);
    for (const Workload *workload : knownWorkloads())
        m_workload->addItem(toQString(workload->title), toQString(workload->name));
    auto *chips = new QWidget(this);
    m_precisions = new FlowLayout(5, chips);
    for (const char *precision : {"fp32", "tf32", "fp16", "bf16"}) {
        auto *chip = new Chip(precisionText(precision), chips);
        m_precisions->addWidget(chip);
        m_precisionChips.emplace_back(precision, chip);
        connect(chip, &Chip::toggled, this, &PlanAxes::readControls);
    }
    m_batches = new QLineEdit(this);
    auto *model = new TextLabel(TextRole::Body, Tone::Muted, this);
    auto *precision = new TextLabel(TextRole::Body, Tone::Muted, this);
    auto *batch = new TextLabel(TextRole::Body, Tone::Muted, this);
    model->setBuddy(m_workload);
    batch->setBuddy(m_batches);
    grid->addWidget(model, 0, 0);
    grid->addWidget(m_workload, 0, 1);
    grid->addWidget(precision, 1, 0);
    grid->addWidget(chips, 1, 1);
    grid->addWidget(batch, 2, 0);
    grid->addWidget(m_batches, 2, 1);
    connect(m_workload, &QComboBox::activated, this, &PlanAxes::readControls);
    connect(m_batches, &QLineEdit::textEdited, this, &PlanAxes::readControls);
    m_texts.add([this, model, precision, batch] {
        model->setText(tr("Model"));
        precision->setText(tr("Precision"));
        batch->setText(tr("Batch each"));
        batch->setToolTip(tr("Batch size on one device; several sizes separated by commas"));
        m_workload->setAccessibleName(tr("Model"));
        m_batches->setAccessibleName(tr("Batch sizes per device"));
    });
}

void PlanAxes::buildMeasurement(QGridLayout *grid)
{
    m_skip = numberField(this, 0, kMostSteps);
    m_measure = numberField(this, 1, kMostSteps);
    m_repeats = numberField(this, 1, 10'000);
    m_device = new Segmented(3, this);
    m_threads = numberField(this, 0, 4096);
    QLabel *names[5];
    for (int row = 0; row < 5; ++row) {
        names[row] = new TextLabel(TextRole::Body, Tone::Muted, this);
        grid->addWidget(names[row], row, 0);
    }
    auto *interleaved = new TextLabel(TextRole::Secondary, this);
    interleaved->setElided(true);
    auto *repeatRow = new QHBoxLayout;
    repeatRow->setSpacing(8);
    repeatRow->addWidget(m_repeats);
    repeatRow->addWidget(interleaved, 1);
    grid->addWidget(m_skip, 0, 1, Qt::AlignLeft);
    grid->addWidget(m_measure, 1, 1, Qt::AlignLeft);
    grid->addLayout(repeatRow, 2, 1);
    grid->addWidget(m_device, 3, 1, Qt::AlignLeft);
    grid->addWidget(m_threads, 4, 1, Qt::AlignLeft);
    int row = 0;
    for (QWidget *field : std::initializer_list<QWidget *>{m_skip, m_measure, m_repeats, m_device, m_threads})
        names[row++]->setBuddy(field);
    for (QSpinBox *field : {m_skip, m_measure, m_repeats, m_threads})
        connect(field, &QSpinBox::valueChanged, this, &PlanAxes::readControls);
    connect(m_device, &Segmented::chosen, this, &PlanAxes::readControls);
    m_texts.add([this, skip = names[0], measure = names[1], repeats = names[2], device = names[3],
                 threads = names[4], interleaved] {
        skip->setText(tr("Skip steps"));
        measure->setText(tr("Measure steps"));
        repeats->setText(tr("Repeats"));
        device->setText(tr("Device"));
        threads->setText(tr("CPU threads"));
        interleaved->setText(tr("interleaved"));
        interleaved->setToolTip(
            tr("Every case once, then every case again: drift of a machine hits all alike"));
        m_skip->setAccessibleName(tr("Steps to skip"));
        m_measure->setAccessibleName(tr("Steps to measure"));
        m_repeats->setAccessibleName(tr("Repeats"));
        m_threads->setAccessibleName(tr("CPU threads a worker"));
        m_threads->setSpecialValueText(tr("auto"));
        m_threads->setToolTip(
            tr("Threads each CPU worker computes with; automatic: the cores shared out evenly"));
        m_device->setTexts({tr("Auto"), QStringLiteral("CPU"), QStringLiteral("GPU")});
        m_device->setAccessibleName(tr("Device"));
    });
}

} // namespace sb
