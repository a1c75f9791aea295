// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/uploader.h"

#include "core/text.h"

#include <QCryptographicHash>
#include <QFile>
#include <QTimer>

namespace sb {

namespace {

constexpr int kRetryMs = 1000;

// Prints "have", or how many bytes an earlier try left.
constexpr const char *kAsk = R"sh(umask 022
mkdir -p -- "${1%/*}" || exit 41
if [ -x "$1" ]; then
  s=$(sha256sum <"$1") && [ "${s%% *}" = "$2" ] && { echo have; exit 0; }
fi
[ -e "$1.part" ] || : >"$1.part" || exit 42
wc -c <"$1.part")sh";

// A short file is one whose link was cut; it is kept for the next try. A wrong one is not. The program is a
// copy of the file written to: the writer of a cut link may live on and hold that one open, and Linux refuses
// to start a file that somebody can write ("text file busy").
constexpr const char *kSend = R"sh(umask 022
cat >>"$1.part" || exit 42
[ "$(wc -c <"$1.part")" -ge "$3" ] || exit 49
new=$1.new.$$
trap 'rm -f -- "$new"' EXIT
cp -- "$1.part" "$new" || exit 42
s=$(sha256sum <"$new")
[ "${s%% *}" = "$2" ] || { rm -f -- "$1.part"; exit 48; }
chmod 755 -- "$new" && mv -f -- "$new" "$1" || exit 42
rm -f -- "$1.part")sh";

} // namespace

Result<std::string> fileChecksum(const std::string &path)
{
    QFile file(QString::fromStdString(path));
    QCryptographicHash hash(QCryptographicHash::Sha256);
    if (!file.open(QIODevice::ReadOnly) || !hash.addData(&file))
        return Error{ErrorCode::Io, path + " cannot be read: " + file.errorString().toStdString() + "."};
    return hash.result().toHex().toStdString();
}

Uploader::Uploader(Host *host, File file, QObject *parent)
    : QObject(parent)
    , m_host(host)
    , m_file(std::move(file))
{
}

Uploader::~Uploader()
{
    if (m_process) {
        m_process->disconnect(this);
        m_process->close();
    }
}

void Uploader::start()
{
    ask();
}

void Uploader::ask()
{
    if (!m_host)
        return end(false, "The node is not connected any more.");
    ++m_tries;
    m_process = m_host->start(scriptSpec(kAsk, {m_file.remotePath, m_file.checksum}));
    auto said = std::make_shared<QByteArray>();
    connect(m_process, &HostProcess::outputReady, this, [said](const QByteArray &bytes) { *said += bytes; });
    connect(m_process, &HostProcess::finished, this, [this, said](const ProcessEnd &result) {
        if (!result.ok())
            return again(result);
        if (said->trimmed() == "have")
            return end(true, {});
        send(said->trimmed().toLongLong());
    });
}

void Uploader::send(qint64 offset)
{
    QFile file(QString::fromStdString(m_file.localPath));
    if (!file.open(QIODevice::ReadOnly))
        return end(false, m_file.localPath + " cannot be read: " + file.errorString().toStdString() + ".");
    const qint64 total = file.size();
    // A longer rest than the file is one of another content: the checksum fails and it starts anew.
    file.seek(std::min(offset, total));
    m_process = m_host->start(
        scriptSpec(kSend, {m_file.remotePath, m_file.checksum, std::to_string(total)}, file.readAll()));
    connect(m_process, &HostProcess::inputLeft, this,
            [this, total](qint64 left) { Q_EMIT progressed(std::max<qint64>(0, total - left), total); });
    connect(m_process, &HostProcess::finished, this, [this](const ProcessEnd &result) {
        if (!result.ok())
            return again(result);
        end(false, {});
    });
}

// Links break and rests are damaged; a full disk or a missing program does not go away.
void Uploader::again(const ProcessEnd &result)
{
    const bool mayPass = !result.exitCode || *result.exitCode == 48 || *result.exitCode == 49;
    if (!mayPass || m_tries >= kMostTries)
        return end(false, reason(result));
    QTimer::singleShot(kRetryMs, this, &Uploader::ask);
}

std::string Uploader::reason(const ProcessEnd &result) const
{
    if (!result.exitCode)
        return result.error;
    const std::string said = validUtf8(trimmed(result.errorOutput.toStdString()));
    const std::string detail = said.empty() ? "" : " (" + said + ")";
    switch (*result.exitCode) {
    case 41:
        return "the folder of " + m_file.remotePath + " cannot be made" + detail + ".";
    case 42:
        return m_file.remotePath + " cannot be written; is the disk full?" + detail;
    case 48:
        return "what arrives as " + m_file.remotePath + " is damaged.";
    default:
        return "writing " + m_file.remotePath + " ended with status " + std::to_string(*result.exitCode) +
               detail + ".";
    }
}

void Uploader::end(bool wasThere, const std::string &error)
{
    m_process = nullptr;
    Q_EMIT finished(wasThere, error);
    deleteLater();
}

} // namespace sb
