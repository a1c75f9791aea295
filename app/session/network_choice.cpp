// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/network_choice.h"

#include "core/text.h"

#include <QHostAddress>

#include <algorithm>
#include <array>

namespace sb {

namespace {

bool isVirtual(const std::string &interface)
{
    constexpr std::array kPrefixes{"lo",  "docker", "br-",     "virbr", "veth",
                                   "cni", "podman", "flannel", "cali",  "tun"};
    return std::any_of(kPrefixes.begin(), kPrefixes.end(),
                       [&](const char *prefix) { return interface.starts_with(prefix); });
}

bool isIpv6(const std::string &network)
{
    return network.find(':') != std::string::npos;
}

std::optional<NetworkPlace> placeIn(const NodeFacts &node, const std::string &network, double &speedGbps)
{
    for (const NetworkInterface &interface : node.interfaces) {
        if (isVirtual(interface.name))
            continue;
        for (std::size_t i = 0; i < interface.networks.size() && i < interface.addresses.size(); ++i)
            if (interface.networks[i] == network) {
                speedGbps = std::min(speedGbps, interface.speedGbps.value_or(0));
                return NetworkPlace{interface.addresses[i], interface.name};
            }
    }
    return std::nullopt;
}

} // namespace

std::string networkOf(std::string_view addressAndPrefix)
{
    const std::size_t slash = addressAndPrefix.find('/');
    if (slash == std::string_view::npos)
        return {};
    const auto prefix = toInteger(addressAndPrefix.substr(slash + 1));
    QHostAddress address(QString::fromStdString(std::string(addressAndPrefix.substr(0, slash))));
    if (!prefix || *prefix < 0 || address.isNull())
        return {};
    if (address.protocol() == QAbstractSocket::IPv4Protocol) {
        if (*prefix > 32)
            return {};
        const quint32 mask = *prefix == 0 ? 0 : ~quint32(0) << (32 - *prefix);
        address = QHostAddress(address.toIPv4Address() & mask);
    } else {
        if (*prefix > 128)
            return {};
        Q_IPV6ADDR bytes = address.toIPv6Address();
        for (int bit = static_cast<int>(*prefix); bit < 128; ++bit)
            bytes[bit / 8] = static_cast<quint8>(bytes[bit / 8] & ~(0x80 >> (bit % 8)));
        address = QHostAddress(bytes);
    }
    return address.toString().toStdString() + "/" + std::to_string(*prefix);
}

std::optional<NetworkChoice> chooseNetwork(std::span<const NodeFacts> nodes)
{
    std::optional<NetworkChoice> best;
    double bestSpeedGbps = 0;
    if (nodes.empty())
        return best;
    for (const NetworkInterface &interface : nodes.front().interfaces)
        for (const std::string &network : interface.networks) {
            if (network.empty() || isVirtual(interface.name) || network.starts_with("169.254.") ||
                network.starts_with("fe80:") || network.ends_with("/32") || network.ends_with("/128"))
                continue;
            NetworkChoice choice{network, {}};
            double speedGbps = 1e9;
            for (const NodeFacts &node : nodes)
                if (const auto place = placeIn(node, network, speedGbps))
                    choice.places.push_back(*place);
            if (choice.places.size() != nodes.size())
                continue;
            const bool better = !best || speedGbps > bestSpeedGbps ||
                                (speedGbps == bestSpeedGbps && isIpv6(best->network) && !isIpv6(network));
            if (better) {
                best = std::move(choice);
                bestSpeedGbps = speedGbps;
            }
        }
    return best;
}

} // namespace sb
