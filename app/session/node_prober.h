// SPDX-License-Identifier: GPL-3.0-or-later
// What a node is: one read-only POSIX script, and the reading of what it prints. Needs no root, leaves
// nothing behind. It stays on its channel and is asked again there, which costs a node nearly nothing.
#pragma once

#include "core/node.h"
#include "remote/host.h"

#include <QByteArray>
#include <QObject>
#include <QPointer>

#include <optional>
#include <string>
#include <string_view>

namespace sb {

ProcessSpec probeSpec(); // each round of its output ends in "@sb end"; a line of input asks for another

struct ProbeAnswer {
    bool whole = false; // the round came to its end
    ProcessEnd end;     // of the script, when it did not
    NodeFacts facts;
    std::string workFolder; // where run folders go: absolute, or empty
    bool saidSomething = false;
};

// Asks one host, again and again. A script whose link broke is started anew by the next ask(). I/O thread.
class NodeProbe : public QObject {
    Q_OBJECT
public:
    NodeProbe(Host *host, QObject *parent);
    ~NodeProbe() override;

    void ask(); // nothing while an answer is awaited

Q_SIGNALS:
    void answered(const sb::ProbeAnswer &answer);

private:
    void take(const QByteArray &bytes);

    Host *m_host;
    QPointer<HostProcess> m_process;
    bool m_asking = false;
    std::string m_first; // the round that said everything
    std::string m_round;
    std::optional<double> m_timeSeenUtcS; // when the node's time came in
};

// Reads the script's output; `name` is what the user calls the node. Unknown lines (a noisy start-up file)
// are ignored, values that cannot be read are absent.
NodeFacts parseProbe(std::string_view output, const std::string &name);

// The node's clock when the probe began, seconds since 1970.
std::optional<double> parseProbeTime(std::string_view output);

// Where run folders go on a probed node, from the same output: absolute, or empty.
std::string parseWorkFolder(std::string_view output);

} // namespace sb
