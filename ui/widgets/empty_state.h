// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/text.h"

#include <QWidget>

class QPushButton;

namespace sb {

// What a page shows that has nothing to show: one sentence, what was last, one button onwards.
class EmptyState : public QWidget {
    Q_OBJECT
public:
    explicit EmptyState(const QString &icon, QWidget *parent = nullptr);
    void setTexts(const QString &title, const QString &text, const QString &button);
    QPushButton *button() { return m_button; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_icon;
    TextLabel *m_title;
    TextLabel *m_text;
    QPushButton *m_button;
};

} // namespace sb
