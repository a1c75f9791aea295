// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QButtonGroup;
class QHBoxLayout;

namespace sb {

// A row of joined buttons of which exactly one is down. Segments are numbered from 0 in order.
class Segmented : public QWidget {
    Q_OBJECT
public:
    explicit Segmented(int segments, QWidget *parent = nullptr);

    void setTexts(const QStringList &texts);
    void setSegmentIcon(int segment, const QIcon &icon);
    void setSegmentEnabled(int segment, bool enabled);
    int current() const;
    void setCurrent(int segment); // tells nobody

Q_SIGNALS:
    void chosen(int segment); // by the user

private:
    QButtonGroup *m_group;
};

} // namespace sb
