// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/session_model.h"
#include "widgets/panel.h"

class QPushButton;
class QVBoxLayout;

namespace sb {

// One node: its steps with time and what was found; on failure what it said, the likely cause, what to do,
// and the same test for a terminal.
class NodeDetails : public Panel {
    Q_OBJECT
public:
    explicit NodeDetails(QWidget *parent = nullptr);

    void show(const NodeStatus *node); // null: nothing chosen
    QString spokenText() const;        // all of it, for tests and assistive programs

Q_SIGNALS:
    void retryWanted(const QString &node);

private:
    void addStep(const SshStepReport &step, bool nameHop);
    void addProblem(const SshProblem &problem);
    TextLabel *addText(TextRole role, Tone tone, const QString &text);

    std::optional<NodeStatus> m_shown;
    QPushButton *m_retry;
    QWidget *m_content = nullptr;
    QVBoxLayout *m_column = nullptr;
};

} // namespace sb
