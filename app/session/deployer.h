// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/host.h"
#include "remote/uploader.h"

#include <QObject>

#include <map>
#include <string>
#include <vector>

namespace sb {

// Folder for programs beside the folder for runs, and the path of one in it. A program lies under its
// checksum, so that versions do not get into each other's way and a running one is never changed.
std::string programFolderFor(const std::string &workFolder);
std::string deployedPath(const std::string &programFolder, const std::string &checksum,
                         const std::string &localPath);

// A program that must be on a host before a run can start there.
struct ProgramCopy {
    std::string host;
    Uploader::File file;
    std::string sourceFolder = {}; // here; what to build on the node when the file does not run there
    bool isProgram = true;         // else a script, which only its interpreter can try
};

// Puts the programs of a run on its nodes, all at once, and sees that they start there; one that does not is
// built from source on its node. I/O thread.
class Deployer : public QObject {
    Q_OBJECT
public:
    Deployer(std::vector<ProgramCopy> copies, std::map<std::string, Host *> hosts, QObject *parent);

    void start();

Q_SIGNALS:
    void progressed(const std::string &host, qint64 sentBytes, qint64 totalBytes);
    void building(const std::string &host, int percent);
    void finished(const std::string &error); // once; empty: everything is in place

private:
    void deploy(const ProgramCopy &copy);
    void upload(const ProgramCopy &copy);
    void verify(const ProgramCopy &copy, bool built);
    void build(const ProgramCopy &copy, const std::string &why);
    void ended(const std::string &error);

    std::vector<ProgramCopy> m_copies;
    std::map<std::string, Host *> m_hosts;
    std::size_t m_open = 0;
    std::string m_error; // the first
};

} // namespace sb
