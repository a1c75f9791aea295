// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/deployer.h"

#include "core/text.h"

namespace sb {

std::string programFolderFor(const std::string &workFolder)
{
    const std::size_t slash = workFolder.rfind('/');
    return workFolder.empty() ? "" : workFolder.substr(0, slash) + "/programs";
}

std::string deployedPath(const std::string &programFolder, const std::string &checksum,
                         const std::string &localPath)
{
    return programFolder + "/" + checksum.substr(0, 16) + "/" + localPath.substr(localPath.rfind('/') + 1);
}

Deployer::Deployer(std::vector<ProgramCopy> copies, std::map<std::string, Host *> hosts, QObject *parent)
    : QObject(parent)
    , m_copies(std::move(copies))
    , m_hosts(std::move(hosts))
    , m_open(m_copies.size())
{
}

void Deployer::start()
{
    if (m_copies.empty())
        return Q_EMIT finished({});
    for (const ProgramCopy &copy : m_copies)
        deploy(copy);
}

void Deployer::deploy(const ProgramCopy &copy)
{
    const auto host = m_hosts.find(copy.host);
    if (host == m_hosts.end())
        return ended("The node " + copy.host + " is not connected.");
    auto *uploader = new Uploader(host->second, copy.file, this);
    connect(uploader, &Uploader::progressed, this,
            [this, name = copy.host](qint64 sent, qint64 total) { Q_EMIT progressed(name, sent, total); });
    connect(uploader, &Uploader::finished, this, [this, copy](bool, const std::string &error) {
        if (!error.empty())
            return ended(copy.file.remotePath.substr(copy.file.remotePath.rfind('/') + 1) +
                         " could not be put on " + copy.host + ": " + error);
        if (!copy.isProgram)
            return ended({});
        verify(copy);
    });
    uploader->start();
}

// Another architecture, an older C library or a missing library shows now, with the loader's own words.
void Deployer::verify(const ProgramCopy &copy)
{
    ProcessSpec spec;
    spec.argv = {copy.file.remotePath, "--version"};
    HostProcess *process = m_hosts[copy.host]->start(spec);
    connect(process, &HostProcess::finished, this, [this, copy](const ProcessEnd &result) {
        if (result.ok())
            return ended({});
        const std::string said = validUtf8(trimmed(result.errorOutput.toStdString()));
        ended(copy.file.remotePath + " does not run on " + copy.host + ": " +
              (said.empty() ? (result.exitCode ? "status " + std::to_string(*result.exitCode) : result.error)
                            : said) +
              ". Install what is missing there, or build the program on a node like it.");
    });
}

void Deployer::ended(const std::string &error)
{
    if (m_error.empty())
        m_error = error;
    if (--m_open == 0)
        Q_EMIT finished(m_error);
}

} // namespace sb
