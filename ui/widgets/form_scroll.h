// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

namespace sb {

// A form on base colour that scrolls up and down only: it asks for the width its widget needs, so nothing is
// cut at the side.
class FormScroll : public QScrollArea {
    Q_OBJECT
public:
    explicit FormScroll(QWidget *form, QWidget *parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
};

} // namespace sb
