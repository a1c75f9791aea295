// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/result.h"
#include "remote/host.h"

#include <QObject>
#include <QPointer>
#include <QTemporaryFile>

#include <memory>
#include <string>

namespace sb {

// Builds a program from its sources on a node where the one from here does not run: another architecture,
// an older C library, other CUDA. Packs the source folder, uploads it, and builds with the node's CMake and
// compiler beside the place of the program; needs no root. What a broken link interrupts goes on where it
// stopped. Used once, deletes itself after finished(). I/O thread.
class SourceBuild : public QObject {
    Q_OBJECT
public:
    struct Order {
        std::string sourceFolder; // here; has a CMakeLists.txt with a target of the program's name
        std::string remotePath;   // of the program on the node; its folder is made
    };
    SourceBuild(Host *host, Order order, QObject *parent);
    ~SourceBuild() override;

    void start();

    static constexpr int kMostTries = 10; // of links that break

Q_SIGNALS:
    void progressed(int percent); // of the compiler's work
    void finished(const std::string &error);

private:
    void upload();
    void build();
    void takeOutput(const QByteArray &bytes);
    void buildEnded(const ProcessEnd &end);
    void end(const std::string &error);

    QPointer<Host> m_host;
    Order m_order;
    QTemporaryFile m_archive;
    std::string m_checksum;
    QPointer<HostProcess> m_process;
    QByteArray m_line;
    int m_percent = -1;
    int m_tries = 0;
};

// Whether an earlier build for exactly these sources lies at a path: the script prints "built" then.
ProcessSpec builtSpec(const std::string &remotePath, const std::string &checksum);
// Checksum of a source folder: of its archive.
Result<std::string> sourceChecksum(const std::string &folder);

} // namespace sb
