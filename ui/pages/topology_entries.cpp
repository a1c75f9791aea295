// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/topology_entries.h"

#include "widgets/text.h"

#include <algorithm>

namespace sb {

int TopologyEntries::put(const TopologySource &source, const Topology &topology)
{
    TopologyEntry entry{source, topology, {}, {}};
    if (!source.product.isEmpty())
        for (TopologyDevice &device : entry.topology.devices)
            if (device.gpu && !device.product)
                device.product = source.product.toStdString();
    entry.meaning = topologyMeaning(entry.topology);
    const int at = find(source.name);
    if (at < 0) {
        m_entries.push_back(std::move(entry));
        return count() - 1;
    }
    entry.measured = std::move(m_entries[static_cast<std::size_t>(at)].measured); // the same machine
    m_entries[static_cast<std::size_t>(at)] = std::move(entry);
    return at;
}

void TopologyEntries::remove(int index)
{
    m_entries.erase(m_entries.begin() + index);
}

void TopologyEntries::setMeasured(int index, const LinkMeasurements &measured)
{
    m_entries[static_cast<std::size_t>(index)].measured = measured;
}

int TopologyEntries::find(const QString &name) const
{
    for (int i = 0; i < count(); ++i)
        if (at(i).source.name == name)
            return i;
    return -1;
}

TopologyEntries::Group TopologyEntries::groupOf(int index) const
{
    Group group;
    std::vector<const Topology *> topologies;
    for (int i = 0; i < count(); ++i)
        if (at(i).topology.kind == at(index).topology.kind) {
            group.members.push_back(i);
            topologies.push_back(&at(i).topology);
        }
    group.comparison = compareTopologies(topologies);
    return group;
}

bool TopologyEntries::differs(int index) const
{
    const Group group = groupOf(index);
    for (std::size_t i = 0; i < group.members.size(); ++i)
        if (group.members[i] == index)
            return !group.comparison.differences[i].empty();
    return false;
}

QString TopologyEntries::likeness(int index) const
{
    const Group group = groupOf(index);
    const auto all = static_cast<int>(group.members.size());
    const auto alike = static_cast<int>(group.comparison.alike);
    if (all < 2)
        return {};
    if (alike < all && differs(index))
        return group.comparison.clear
                   ? tr("unlike %1 of %2 nodes").arg(alike).arg(all)
                   : tr("unlike %1").arg(at(group.members[group.comparison.reference]).source.name);
    return tr("%1 of %2 nodes alike").arg(alike).arg(all);
}

QStringList TopologyEntries::differenceTexts(int index) const
{
    using Kind = TopologyDifference::Kind;
    QStringList texts;
    const Group group = groupOf(index);
    for (std::size_t i = 0; i < group.members.size(); ++i) {
        if (group.members[i] != index)
            continue;
        for (const TopologyDifference &one : group.comparison.differences[i]) {
            const QString device = toQString(one.device);
            const QString here = toQString(one.here);
            const QString elsewhere = toQString(one.majority);
            switch (one.kind) {
            case Kind::Link:
                texts << tr("%1–%2 is %3 here, %4 elsewhere")
                             .arg(device, toQString(one.other), here, elsewhere);
                break;
            case Kind::Missing:
                texts << tr("%1 is missing here").arg(device);
                break;
            case Kind::Extra:
                texts << tr("%1 is only here").arg(device);
                break;
            case Kind::Cores:
                texts << tr("%1 has the cores %2 here, %3 elsewhere").arg(device, here, elsewhere);
                break;
            case Kind::Numa:
                texts << tr("%1 is in NUMA node %2 here, %3 elsewhere").arg(device, here, elsewhere);
                break;
            }
        }
    }
    if (texts.size() > kMostTexts) {
        const auto more = static_cast<int>(texts.size()) - kMostTexts;
        texts = texts.mid(0, kMostTexts);
        texts << tr("and %n more", nullptr, more);
    }
    return texts;
}

} // namespace sb
