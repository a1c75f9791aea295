// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/text.h"

#include <QWidget>

#include <vector>

class QGridLayout;

namespace sb {

// Names at the left, values beside them: facts of a machine, of a sweep. Values give way by eliding; the
// whole text is their tool tip.
class FormRows : public QWidget {
    Q_OBJECT
public:
    enum class ValueSide { Left, Right };
    explicit FormRows(int rows, ValueSide side = ValueSide::Left, QWidget *parent = nullptr);

    void setName(int row, const QString &name);
    void setValue(int row, const QString &value, Tone tone = Tone::Normal);
    void setRowVisible(int row, bool visible);
    QString value(int row) const;

private:
    std::vector<TextLabel *> m_names;
    std::vector<TextLabel *> m_values;
};

// A thin bar that fills from the left; `part` between 0 and 1.
class ProgressLine : public QWidget {
    Q_OBJECT
public:
    explicit ProgressLine(QWidget *parent = nullptr);
    void setPart(double part);
    QSize sizeHint() const override { return {100, 6}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    double m_part = 0;
};

} // namespace sb
