// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/text.h"

#include <QDialog>

class QPushButton;
class QHBoxLayout;

namespace sb {

// Asks before something is lost. The safe choice is the default button and Esc; accept() is the other one.
// Use open(), not exec().
class ConfirmDialog : public QDialog {
    Q_OBJECT
public:
    struct Words {
        QString title;   // what is about to happen: "Stop this run?"
        QString subject; // to what
        QString text;    // what it costs
        QString icon;    // of resources/icons
        QString doIt;    // a verb
        QString leaveIt; // a verb; the default
    };
    explicit ConfirmDialog(const Words &words, QWidget *parent = nullptr);

    QPushButton *acceptButton() { return m_accept; }
    QPushButton *rejectButton() { return m_reject; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_icon;
    QWidget *m_foot;
    QPushButton *m_accept;
    QPushButton *m_reject;
};

} // namespace sb
