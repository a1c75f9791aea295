// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/topology.h"

#include <QWidget>

namespace sb {

// What the words of the matrix mean: those that it has, fastest first.
class LinkLegend : public QWidget {
    Q_OBJECT
public:
    explicit LinkLegend(QWidget *parent = nullptr);
    void setTopology(const Topology &topology);
    QSize sizeHint() const override { return {400, 24}; }
    QSize minimumSizeHint() const override { return {100, 24}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    static QString meaningOf(const LinkKind &kind, const QString &word);
    struct Entry {
        QString word;
        LinkKind kind;
    };
    std::vector<Entry> m_entries;
    bool m_damaged = false;
};

} // namespace sb
