// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/text.h"

#include <QWidget>

class QPushButton;

namespace sb {

// One of the ways in on the Start page: icon, title, two or three lines, one button and its shortcut.
class Door : public QWidget {
    Q_OBJECT
public:
    explicit Door(const QString &icon, bool isDefault, QWidget *parent = nullptr);

    void setTexts(const QString &title, const QString &text, const QString &button);
    void setShortcutText(const QString &shortcut); // as shown; the action itself is in a menu
    QPushButton *button() { return m_button; }

    QSize sizeHint() const override; // gives way in low windows, down to what its texts need

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_icon;
    bool m_default;
    TextLabel *m_title;
    TextLabel *m_text;
    TextLabel *m_shortcut;
    QPushButton *m_button;
};

} // namespace sb
