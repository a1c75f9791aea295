// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/result.h"
#include "remote/host.h"

#include <QObject>
#include <QPointer>

#include <string>

namespace sb {

// SHA-256 of a file in hexadecimal. Reads the whole file.
Result<std::string> fileChecksum(const std::string &path);

// Puts one file on a host unless it is there with the same content. Goes on where an earlier try was cut
// off; the file appears under its name only when its checksum is right. A broken link is waited for
// kMostTries times. Used once, deletes itself after finished(). I/O thread.
class Uploader : public QObject {
    Q_OBJECT
public:
    struct File {
        std::string localPath;
        std::string remotePath; // absolute; folders are made
        std::string checksum;   // fileChecksum
    };

    Uploader(Host *host, File file, QObject *parent);
    ~Uploader() override;

    void start();

    static constexpr int kMostTries = 10;

Q_SIGNALS:
    void progressed(qint64 sentBytes, qint64 totalBytes);
    void finished(bool wasThere, const std::string &error); // error empty: it is there now

private:
    void ask();
    void send(qint64 offset);
    void again(const ProcessEnd &end);
    void end(bool wasThere, const std::string &error);
    std::string reason(const ProcessEnd &end) const;

    QPointer<Host> m_host;
    File m_file;
    QPointer<HostProcess> m_process;
    int m_tries = 0;
};

} // namespace sb
