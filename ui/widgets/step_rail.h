// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/step_model.h"
#include "widgets/texts.h"

#include <QWidget>

class QListView;
class QPushButton;

namespace sb {

class StepDelegate;

// The path of work at the left edge of the window: one row a page, and Settings and Help below.
class StepRail : public QWidget {
    Q_OBJECT
public:
    explicit StepRail(StepModel &model, QWidget *parent = nullptr);

    void setCurrent(PageId page);
    void setCollapsed(bool collapsed);
    // Width of the expanded rail in a window of this width: never so narrow that a text is cut.
    void fitWindow(int windowWidth);
    QPushButton *settingsButton() { return m_settings; }
    QPushButton *helpButton() { return m_help; }
    QListView *list() { return m_list; }

Q_SIGNALS:
    void pageChosen(sb::PageId page);

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void applyWidth();

    StepModel &m_model;
    StepDelegate *m_delegate;
    QListView *m_list;
    QPushButton *m_settings;
    QPushButton *m_help;
    Texts m_texts;
    bool m_collapsed = false;
    int m_windowWidth = 0;
};

} // namespace sb
