// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/source_build.h"

#include "core/text.h"
#include "remote/uploader.h"
#include "session/source_archive.h"

#include <QCryptographicHash>
#include <QTimer>

namespace sb {

namespace {

constexpr int kRetryMs = 1000;

constexpr const char *kBuilt = R"sh([ -x "$1" ] && read -r s <"$1.built" && [ "$s" = "$2" ] && echo built
exit 0)sh";

// $1 program, $2 archive, $3 checksum. Two dashboards may want the same: one builds, the other waits. Lines
// of make ("[ 45%] Building …") and ninja ("[12/34] …") go to the output; all of it is in build.log.
constexpr const char *kBuild = R"sh(umask 022
n=${1##*/}
d=${1%/*}/build-$3
m=
for t in cmake tar flock; do command -v "$t" >/dev/null 2>&1 || m="$m $t"; done
command -v c++ >/dev/null 2>&1 || command -v g++ >/dev/null 2>&1 || command -v clang++ >/dev/null 2>&1 || m="$m c++"
command -v make >/dev/null 2>&1 || command -v ninja >/dev/null 2>&1 || m="$m make"
[ -z "$m" ] || { echo "$m" >&2; exit 51; }
mkdir -p -- "$d/source" || exit 42
exec 9>>"$d.lock"
flock 9 || exit 42
[ -x "$1" ] && read -r s 2>/dev/null <"$1.built" && [ "$s" = "$3" ] && exit 0
tar -xf "$2" -C "$d/source" || exit 42
g=
command -v make >/dev/null 2>&1 || g='-G Ninja'
c=Release
cmake -S "$d/source" -B "$d/build" $g -DCMAKE_BUILD_TYPE=$c >"$d/build.log" 2>&1 </dev/null 9>&- ||
  { grep -A 4 -m 1 'CMake Error' "$d/build.log" >&2 || tail -n 5 "$d/build.log" >&2; exit 52; }
{ nice cmake --build "$d/build" --target "$n" --parallel "$(nproc 2>/dev/null || echo 1)" 2>&1 </dev/null 9>&-
  echo "$?" >"$d/status"; } | while IFS= read -r l; do
  printf '%s\n' "$l" >>"$d/build.log"
  case $l in '['*) printf '%s\n' "${l%%]*}]" || exit 1 ;; esac
done
read -r s <"$d/status"
[ "$s" = 0 ] || { grep -m 3 -i 'error' "$d/build.log" >&2 || tail -n 5 "$d/build.log" >&2; exit 53; }
p=$(find "$d/build" -type f -name "$n" -perm -u+x | head -n 1)
[ -n "$p" ] || { echo "no file $n was made" >&2; exit 53; }
cp -- "$p" "$1.new" && mv -f -- "$1.new" "$1" && echo "$3" >"$1.built" || exit 42
rm -rf -- "$d" "$2")sh";

std::string checksumOf(const QByteArray &bytes)
{
    return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex().toStdString();
}

// "[ 45%]" or "[12/34]"; nothing for other lines.
std::optional<int> percentOf(const QByteArray &line)
{
    if (!line.startsWith('[') || !line.contains(']'))
        return std::nullopt;
    const QByteArray inner = line.mid(1, line.indexOf(']') - 1).trimmed();
    bool good = false;
    if (inner.endsWith('%')) {
        const int percent = inner.chopped(1).toInt(&good);
        return good && percent >= 0 && percent <= 100 ? std::optional(percent) : std::nullopt;
    }
    const QList<QByteArray> parts = inner.split('/');
    const int all = parts.size() == 2 ? parts[1].toInt(&good) : 0;
    const int done = good ? parts[0].toInt(&good) : 0;
    return good && all > 0 && done >= 0 && done <= all ? std::optional(100 * done / all) : std::nullopt;
}

std::string reasonOf(const ProcessEnd &end)
{
    const std::string said = validUtf8(trimmed(end.errorOutput.toStdString()));
    switch (end.exitCode.value_or(0)) {
    case 42:
        return "its folder there cannot be written; is the disk full? (" + said + ")";
    case 51:
        return "these programs are missing there: " + said +
               ". Install them (in Debian: build-essential cmake libdnnl-dev libgloo-dev)";
    case 52:
        return "CMake says: " + said;
    case 53:
        return "the compiler says: " + said;
    default:
        return said.empty() ? "status " + std::to_string(end.exitCode.value_or(0)) : said;
    }
}

} // namespace

ProcessSpec builtSpec(const std::string &remotePath, const std::string &checksum)
{
    return scriptSpec(kBuilt, {remotePath, checksum});
}

Result<std::string> sourceChecksum(const std::string &folder)
{
    const auto archive = sourceArchive(folder);
    if (!archive)
        return archive.error();
    return checksumOf(*archive);
}

SourceBuild::SourceBuild(Host *host, Order order, QObject *parent)
    : QObject(parent)
    , m_host(host)
    , m_order(std::move(order))
{
}

SourceBuild::~SourceBuild()
{
    if (m_process) {
        m_process->disconnect(this);
        m_process->close();
    }
}

void SourceBuild::start()
{
    const auto archive = sourceArchive(m_order.sourceFolder);
    if (!archive)
        return end(archive.error().message);
    m_checksum = checksumOf(*archive);
    if (!m_archive.open() || m_archive.write(*archive) != archive->size() || !m_archive.flush())
        return end("A temporary file cannot be written: " + m_archive.errorString().toStdString() + ".");
    upload();
}

void SourceBuild::upload()
{
    if (!m_host)
        return end("The node is not connected any more.");
    const std::string archive = m_order.remotePath + "-" + m_checksum.substr(0, 16) + ".tar";
    auto *uploader = new Uploader(m_host, {m_archive.fileName().toStdString(), archive, m_checksum}, this);
    connect(uploader, &Uploader::finished, this, [this](bool, const std::string &error) {
        if (!error.empty())
            return end(error);
        build();
    });
    uploader->start();
}

void SourceBuild::build()
{
    if (!m_host)
        return end("The node is not connected any more.");
    ++m_tries;
    Q_EMIT progressed(0);
    ProcessSpec spec;
    spec.argv = {"sh",
                 "-c",
                 kBuild,
                 "scaleboard",
                 m_order.remotePath,
                 m_order.remotePath + "-" + m_checksum.substr(0, 16) + ".tar",
                 m_checksum};
    m_process = m_host->start(spec);
    connect(m_process, &HostProcess::outputReady, this, &SourceBuild::takeOutput);
    connect(m_process, &HostProcess::finished, this, &SourceBuild::buildEnded);
}

void SourceBuild::takeOutput(const QByteArray &bytes)
{
    constexpr qsizetype kLongest = 4096;
    m_line += bytes;
    for (qsizetype at = m_line.indexOf('\n'); at >= 0; at = m_line.indexOf('\n')) {
        const auto percent = percentOf(m_line.left(at));
        m_line.remove(0, at + 1);
        if (percent && *percent > m_percent) {
            m_percent = *percent;
            Q_EMIT progressed(m_percent);
        }
    }
    if (m_line.size() > kLongest)
        m_line.clear();
}

void SourceBuild::buildEnded(const ProcessEnd &result)
{
    if (result.ok())
        return end({});
    if (!result.exitCode && m_tries < kMostTries) { // the link broke; what is compiled stays
        QTimer::singleShot(kRetryMs, this, &SourceBuild::upload);
        return;
    }
    end("It could not be built from source: " + (result.exitCode ? reasonOf(result) : result.error) + ".");
}

void SourceBuild::end(const std::string &error)
{
    m_process = nullptr;
    Q_EMIT finished(error);
    deleteLater();
}

} // namespace sb
