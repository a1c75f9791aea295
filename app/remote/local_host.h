// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/host.h"

namespace sb {

// This machine. Runs in the thread that made it, which needs an event loop.
class LocalHost : public Host {
    Q_OBJECT
public:
    explicit LocalHost(QObject *parent = nullptr);

    HostProcess *start(const ProcessSpec &spec) override;
};

} // namespace sb
