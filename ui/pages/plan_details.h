// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/session_model.h"
#include "widgets/panel.h"
#include "widgets/texts.h"

#include <optional>

class QPlainTextEdit;
class QPushButton;

namespace sb {

class Segmented;

// What is known of the chosen case before it runs: its commands, the rules that let it run or not, and where
// its estimate comes from.
class PlanDetails : public Panel {
    Q_OBJECT
public:
    enum class Tab { Commands, Rules, Estimate };
    explicit PlanDetails(SessionModel &session, QWidget *parent = nullptr);

    void setCase(std::optional<std::size_t> caseIndex);
    void refresh();
    QString text() const;
    void copy() const;

protected:
    void changeEvent(QEvent *event) override;

private:
    QString commandsText(std::size_t caseIndex) const;
    QString rulesText(const PlannedCase &planned) const;
    QString estimateText(const PlannedCase &planned) const;

    SessionModel &m_session;
    std::optional<std::size_t> m_case;
    Segmented *m_tabs;
    QPushButton *m_copy;
    QPlainTextEdit *m_text;
    Texts m_texts;
};

} // namespace sb
