// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sample.h"
#include "remote/host.h"

#include <QObject>
#include <QPointer>

#include <optional>
#include <string>
#include <string_view>

namespace sb {

// One line of the node's own counters → a sample. Pure; keeps the previous counters, since loads are
// differences.
class TelemetryReader {
public:
    // Lines of telemetrySpec(); gives a sample at the line that ends a round.
    std::optional<TelemetrySample> readLine(std::string_view line);

private:
    TelemetrySample m_next;
    std::optional<double> m_busy;
    std::optional<double> m_total;
    std::optional<double> m_startS;
};

// Prints the counters of a node once a second until its output is closed.
ProcessSpec telemetrySpec();

// Follows the load of one host; starts again if the link breaks. I/O thread.
class Telemetry : public QObject {
    Q_OBJECT
public:
    explicit Telemetry(Host *host, QObject *parent = nullptr);
    ~Telemetry() override;

Q_SIGNALS:
    void sampled(const sb::TelemetrySample &sample);

private:
    void start();

    Host *m_host;
    QPointer<HostProcess> m_process;
    TelemetryReader m_reader;
    QByteArray m_pending;
};

} // namespace sb
