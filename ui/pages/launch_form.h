// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/framework.h"
#include "core/plan.h"
#include "widgets/texts.h"

#include <QWidget>

#include <span>
#include <string>
#include <utility>
#include <vector>

class QComboBox;
class QGridLayout;
class QLineEdit;
class QSpinBox;

namespace sb {

class TextLabel;

// Who starts the processes of a plan, and what Slurm or Kubernetes is asked for. Offers what all frameworks
// of the plan allow; a launcher that one of them does not stays shown when the plan names it, and the check
// of the plan says so.
class LaunchForm : public QWidget {
    Q_OBJECT
public:
    explicit LaunchForm(std::span<const Framework> frameworks, QWidget *parent = nullptr);

    void setPlan(const Plan &plan);
    void writeTo(Plan &plan) const; // what is not shown here stays as it is
    void refresh();                 // after a change of language

Q_SIGNALS:
    void edited();

private:
    std::vector<TextLabel *> layOut();
    void setTexts(const std::vector<TextLabel *> &names);
    void showChoices(const Plan &plan);
    QString title(const std::string &launcher) const;

    std::vector<Framework> m_frameworks;
    QComboBox *m_launcher;
    QLineEdit *m_partition;
    QLineEdit *m_nameSpace;
    QLineEdit *m_context;
    QSpinBox *m_limit;
    QLineEdit *m_folder;
    TextLabel *m_note;                                                 // what is to be known of Kubernetes
    std::vector<std::pair<QWidget *, std::vector<LaunchKind>>> m_rows; // and the launchers that need them
    Texts m_texts;
};

} // namespace sb
