// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/framework.h"
#include "core/node.h"
#include "core/plan.h"
#include "widgets/panel.h"
#include "widgets/texts.h"

#include <span>
#include <vector>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLineEdit;
class QSpinBox;
class QToolButton;
class QVBoxLayout;

namespace sb {

class Chip;
class FlowLayout;
class EnvironmentForm;
class LaunchForm;
class Segmented;

// The axes of a plan: what is varied and how it is measured. Every change by the user gives edited(); the
// page then takes plan(). Workloads beyond the one shown, and what the panel has no control for, are kept.
class PlanAxes : public Panel {
    Q_OBJECT
public:
    enum class Preset { FirstStudy, Report, Own };
    explicit PlanAxes(std::span<const Framework> frameworks, QWidget *parent = nullptr);

    void setNodes(std::span<const NodeFacts> nodes);
    void setPlan(const Plan &plan, Preset preset);
    Plan plan() const;
    QString presetText() const; // of the chosen preset, in the window's language

Q_SIGNALS:
    void edited();
    void presetChosen(sb::PlanAxes::Preset preset);

protected:
    void changeEvent(QEvent *event) override;

private:
    void buildForm();
    QWidget *buildFrameworks();
    void addFramework(const Framework &framework, QVBoxLayout *layout);
    QWidget *buildRecipes(QWidget *recipes);
    QWidget *buildScales();
    void buildWorkload(QGridLayout *grid);
    void buildMeasurement(QGridLayout *grid);
    TextLabel *addHeading(QVBoxLayout *layout);
    void showPlan();
    void showScales();
    void showPrecisions();
    // Whether some framework can train this workload in this precision on some device.
    bool offersPrecision(const std::string &workload, const std::string &precision) const;
    void addScale();
    void readControls();
    std::vector<const Workload *> knownWorkloads() const;
    PlanWorkload *shownWorkload();

    std::vector<Framework> m_frameworks;
    std::vector<NodeFacts> m_nodes;
    Plan m_plan;
    bool m_showing = false; // controls are being written, not by the user
    QComboBox *m_preset;
    TextLabel *m_frameworkCount = nullptr;
    std::vector<QCheckBox *> m_frameworkBoxes;
    QToolButton *m_recipes = nullptr; // unfolds frameworks that run a checkout's scripts
    FlowLayout *m_scales = nullptr;
    std::vector<std::pair<Scale, Chip *>> m_scaleChips;
    QLineEdit *m_newScale = nullptr;
    QComboBox *m_workload = nullptr;
    FlowLayout *m_precisions = nullptr;
    std::vector<std::pair<std::string, Chip *>> m_precisionChips;
    QLineEdit *m_batches = nullptr;
    QSpinBox *m_skip = nullptr;
    QSpinBox *m_measure = nullptr;
    QSpinBox *m_repeats = nullptr;
    QSpinBox *m_threads = nullptr;
    Segmented *m_device = nullptr;
    LaunchForm *m_launch = nullptr;
    EnvironmentForm *m_environments = nullptr;
    Texts m_texts;
};

} // namespace sb
