// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/framework.h"
#include "core/plan.h"

#include <QWidget>

#include <span>
#include <string>
#include <vector>

class QComboBox;
class QGridLayout;

namespace sb {

class TextLabel;

// Where the program of each framework of a plan runs on a node: as it is there, or in an environment or a
// container, which is typed in or taken from those that the nodes have.
class EnvironmentForm : public QWidget {
    Q_OBJECT
public:
    explicit EnvironmentForm(std::span<const Framework> frameworks, QWidget *parent = nullptr);

    void setKnown(const std::vector<std::string> &environments); // found on the nodes
    void setPlan(const Plan &plan);
    void writeTo(Plan &plan) const;
    void refresh(); // after a change of language

Q_SIGNALS:
    void edited();

private:
    struct Row {
        std::string framework;
        QString title;
        TextLabel *name;
        QComboBox *choice;
    };
    void makeRows(const Plan &plan);
    void offerKnown(const Row &row) const;

    std::vector<Framework> m_frameworks;
    std::vector<std::string> m_known;
    QGridLayout *m_grid;
    std::vector<Row> m_rows;
};

} // namespace sb
