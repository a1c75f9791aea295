// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/text.h"

#include <QWidget>

#include <vector>

namespace sb {

// A short list of runs: icon, name, one value at the right. Not interactive.
class RunRows : public QWidget {
    Q_OBJECT
public:
    struct Row {
        QString icon;
        Tone tone = Tone::Muted; // of icon and, unless Normal, of the value
        QString title;
        QString value;
        QString note = QString(); // what went wrong, as a tool tip
        bool operator==(const Row &) const = default;
    };
    explicit RunRows(QWidget *parent = nullptr);

    void setRows(const std::vector<Row> &rows);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {160, rowHeight()}; }

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    static int rowHeight();

    std::vector<Row> m_rows;
};

} // namespace sb
