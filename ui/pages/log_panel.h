// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/log_model.h"
#include "widgets/panel.h"
#include "widgets/texts.h"

class QLineEdit;
class QListView;

namespace sb {

class LogDelegate;
class Segmented;

// The tail of the run's log: follows while its end is in sight, finds text, shows all lines or warnings.
class LogPanel : public Panel {
    Q_OBJECT
public:
    explicit LogPanel(QWidget *parent = nullptr);

    void sync(const LiveRun &live);
    void clear();
    void focusFind();
    LogModel &model() { return m_model; }
    QListView *view() { return m_view; }

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void findNext(bool fromStart);
    void showCounts();
    void toEnd();

    LogModel m_model;
    LogFilter m_filter;
    QListView *m_view;
    LogDelegate *m_delegate;
    Segmented *m_which;
    QLineEdit *m_find;
    bool m_following = true;
    Texts m_texts;
};

} // namespace sb
