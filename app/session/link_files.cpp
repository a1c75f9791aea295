// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/link_files.h"

#include "core/units.h"

#include <QDir>
#include <QFile>

#include <algorithm>

namespace sb {

namespace {

constexpr qint64 kLargestFile = 16 << 20;

double fastestGBps(const CollectiveBench &bench)
{
    double best = 0;
    for (const CollectiveBench::Time &time : bench.times) {
        const double ring = 2.0 * (bench.ranks - 1) / bench.ranks;
        if (time.seconds > 0)
            best = std::max(best, ring * static_cast<double>(time.bytes) / time.seconds / 1e9);
    }
    return best;
}

} // namespace

std::string LinkFile::title() const
{
    if (collective)
        return collective->program + ": " + std::to_string(collective->times.size()) + " sizes over " +
               std::to_string(collective->ranks) + " ranks, up to " +
               formatNumber(fastestGBps(*collective), 1) + " GB/s";
    std::string text = rates->tool + ":";
    if (!rates->links.empty())
        text += " " + std::to_string(rates->links.size()) + " ways between GPUs";
    if (rates->group)
        text += " " + formatNumber(rates->group->busGBps, 1) + " GB/s over " +
                std::to_string(rates->group->gpus.size()) + " GPUs";
    return text;
}

Result<std::string> readLinkText(const std::string &path)
{
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadOnly))
        return Error{ErrorCode::Io, path + " cannot be read: " + file.errorString().toStdString() + "."};
    if (file.size() > kLargestFile)
        return Error{ErrorCode::BadInput, path + " is larger than 16 MB; a benchmark of links prints less."};
    return file.readAll().toStdString();
}

Result<LinkFile> readLinkFile(const std::string &path)
{
    const auto text = readLinkText(path);
    if (!text)
        return text.error();
    LinkFile found{path, {}, {}};
    auto rates = readLinkMeasurements(*text);
    if (rates)
        found.rates = std::move(*rates);
    if (auto collective = readCollectiveBench(*text, path))
        found.collective = std::move(*collective);
    if (!found.rates && !found.collective)
        return rates.error();
    return found;
}

std::string linkFolder(const std::string &workspaceFolder)
{
    return workspaceFolder + "/links";
}

std::vector<LinkFile> linkFiles(const std::string &workspaceFolder)
{
    std::vector<LinkFile> files;
    const QDir folder(QString::fromStdString(linkFolder(workspaceFolder)));
    for (const QString &name : folder.entryList(QDir::Files | QDir::NoSymLinks, QDir::Name))
        if (auto file = readLinkFile(folder.filePath(name).toStdString()))
            files.push_back(std::move(*file));
    return files;
}

} // namespace sb
