// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/link_measurements.h"
#include "core/topology.h"
#include "core/topology_compare.h"
#include "core/topology_meaning.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QStringList>

#include <optional>
#include <vector>

namespace sb {

// Where a text came from.
struct TopologySource {
    QString name;         // node or file; unique, shown in the combo
    QString origin;       // "pasted text"; empty for a node
    QDateTime readUtc;    // when it was read
    QString product = {}; // name of the GPUs where the node knows it, for nominal rates; may be empty
    bool node = false;    // a node of the session, which can be asked again
    QString note = {};    // why a better source gave nothing; may be empty
};

struct TopologyEntry {
    TopologySource source;
    Topology topology;
    TopologyMeaning meaning;
    std::optional<LinkMeasurements> measured;
};

// What the topology page knows: a text a node or file, each read once, and how alike they are. Only texts of
// one kind are compared: a PCI tree has no NVLink to be missing.
class TopologyEntries {
    Q_DECLARE_TR_FUNCTIONS(sb::TopologyEntries)
public:
    int put(const TopologySource &source, const Topology &topology); // index; replaces that of the same name
    void remove(int index);
    void setMeasured(int index, const LinkMeasurements &measured);
    int find(const QString &name) const; // -1: there is none
    int count() const { return static_cast<int>(m_entries.size()); }
    const TopologyEntry &at(int index) const { return m_entries[static_cast<std::size_t>(index)]; }

    bool differs(int index) const;
    QString likeness(int index) const;            // "3 of 4 nodes alike"; empty when it is the only one
    QStringList differenceTexts(int index) const; // at most kMostTexts, then how many more

    static constexpr int kMostTexts = 6;

private:
    struct Group { // entries of one kind
        std::vector<int> members;
        TopologyComparison comparison;
    };
    Group groupOf(int index) const;

    std::vector<TopologyEntry> m_entries;
};

} // namespace sb
