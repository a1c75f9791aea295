// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>

namespace sb {

// A small button that stays down: one value of an axis ("1n8g", "FP32").
class Chip : public QPushButton {
    Q_OBJECT
public:
    explicit Chip(const QString &text, QWidget *parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;
};

} // namespace sb
