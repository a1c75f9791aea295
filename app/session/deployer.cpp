// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/deployer.h"

#include "core/text.h"
#include "session/source_build.h"

#include <memory>

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

namespace {

std::string nameOf(const ProgramCopy &copy)
{
    return copy.file.remotePath.substr(copy.file.remotePath.rfind('/') + 1);
}

} // namespace

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
    if (copy.sourceFolder.empty())
        return upload(copy);
    // What an earlier run had to build is not replaced by the file that does not run there.
    const auto checksum = sourceChecksum(copy.sourceFolder);
    if (!checksum)
        return upload(copy);
    auto said = std::make_shared<QByteArray>();
    HostProcess *process = host->second->start(builtSpec(copy.file.remotePath, *checksum));
    connect(process, &HostProcess::outputReady, this, [said](const QByteArray &bytes) { *said += bytes; });
    connect(process, &HostProcess::finished, this, [this, copy, said](const ProcessEnd &) {
        if (said->trimmed() == "built")
            return verify(copy, true);
        upload(copy);
    });
}

void Deployer::upload(const ProgramCopy &copy)
{
    auto *uploader = new Uploader(m_hosts[copy.host], copy.file, this);
    connect(uploader, &Uploader::progressed, this,
            [this, name = copy.host](qint64 sent, qint64 total) { Q_EMIT progressed(name, sent, total); });
    connect(uploader, &Uploader::finished, this, [this, copy](bool, const std::string &error) {
        if (!error.empty())
            return ended(nameOf(copy) + " could not be put on " + copy.host + ": " + error);
        if (!copy.isProgram)
            return ended({});
        verify(copy, false);
    });
    uploader->start();
}

// Another architecture, an older C library or a missing library shows now, with the loader's own words.
void Deployer::verify(const ProgramCopy &copy, bool built)
{
    ProcessSpec spec;
    spec.argv = {copy.file.remotePath, "--version"};
    HostProcess *process = m_hosts[copy.host]->start(spec);
    connect(process, &HostProcess::finished, this, [this, copy, built](const ProcessEnd &result) {
        if (result.ok())
            return ended({});
        const std::string said = validUtf8(trimmed(result.errorOutput.toStdString()));
        const std::string why =
            copy.file.remotePath + " does not run on " + copy.host + ": " +
            (said.empty() ? (result.exitCode ? "status " + std::to_string(*result.exitCode) : result.error)
                          : said) +
            ".";
        if (!built && result.exitCode && !copy.sourceFolder.empty())
            return build(copy, why);
        ended(why + " Install what is missing there, or build the program on a node like it.");
    });
}

void Deployer::build(const ProgramCopy &copy, const std::string &why)
{
    auto *build = new SourceBuild(m_hosts[copy.host], {copy.sourceFolder, copy.file.remotePath}, this);
    connect(build, &SourceBuild::progressed, this,
            [this, name = copy.host](int percent) { Q_EMIT building(name, percent); });
    connect(build, &SourceBuild::finished, this, [this, copy, why](const std::string &error) {
        if (!error.empty())
            return ended(why + " " + error);
        verify(copy, true);
    });
    build->start();
}

void Deployer::ended(const std::string &error)
{
    if (m_error.empty())
        m_error = error;
    if (--m_open == 0)
        Q_EMIT finished(m_error);
}

} // namespace sb
