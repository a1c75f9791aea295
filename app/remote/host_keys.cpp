// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/host_keys.h"

#include "core/text.h"
#include "remote/ssh_config.h"

#include <QByteArray>
#include <QCryptographicHash>
#include <QFileInfo>
#include <QMessageAuthenticationCode>
#include <QRandomGenerator>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace sb {

namespace {

enum class Marker { None, Authority, Revoked };

struct KnownLine {
    Marker marker = Marker::None;
    HostKey key;
    std::string file;
    int line = 0;
};

QByteArray bytesOf(std::string_view text)
{
    return {text.data(), static_cast<qsizetype>(text.size())};
}

QByteArray hostHash(const QByteArray &salt, const std::string &name)
{
    return QMessageAuthenticationCode::hash(bytesOf(name), salt, QCryptographicHash::Sha1);
}

// "|1|salt|hash": HMAC-SHA1 of the name with the salt, both in base64.
bool matchesHashed(std::string_view field, const std::string &name)
{
    const auto parts = split(field, '|');
    if (parts.size() != 4 || parts[1] != "1")
        return false;
    const QByteArray salt = QByteArray::fromBase64(bytesOf(parts[2]));
    const QByteArray hash = QByteArray::fromBase64(bytesOf(parts[3]));
    return hash.size() == 20 && hostHash(salt, name) == hash;
}

bool matchesHosts(std::string_view field, const std::string &name)
{
    return field.starts_with('|') ? matchesHashed(field, name) : matchesPatternList(name, lowered(field));
}

std::string_view nextField(std::string_view &rest)
{
    const std::size_t begin = rest.find_first_not_of(" \t");
    if (begin == std::string_view::npos)
        return rest = {};
    rest.remove_prefix(begin);
    const std::string_view field = rest.substr(0, rest.find_first_of(" \t"));
    rest.remove_prefix(field.size());
    return field;
}

// Lines of one file that speak of `name`. Damaged lines count for nothing, as with ssh.
void readLines(const std::string &file, const std::string &name, std::vector<KnownLine> &lines)
{
    std::ifstream stream(file);
    std::string text;
    for (int number = 1; std::getline(stream, text); ++number) {
        std::string_view rest = trimmed(text);
        if (rest.empty() || rest.front() == '#')
            continue;
        KnownLine line;
        std::string_view field = nextField(rest);
        if (field.starts_with('@')) {
            if (field == "@cert-authority")
                line.marker = Marker::Authority;
            else if (field == "@revoked")
                line.marker = Marker::Revoked;
            else
                continue;
            field = nextField(rest);
        }
        if (!matchesHosts(field, name))
            continue;
        const std::string_view type = nextField(rest);
        const auto key = hostKeyFromBase64(nextField(rest));
        if (!key || key->type != type)
            continue;
        line.key = *key;
        line.file = file;
        line.line = number;
        lines.push_back(std::move(line));
    }
}

std::vector<KnownLine> linesFor(const HostKeyPlace &place, const std::string &name)
{
    std::vector<KnownLine> lines;
    for (const std::string &file : place.files)
        readLines(file, name, lines);
    return lines;
}

HostKeyCheck judge(const std::vector<KnownLine> &lines, const HostKey &key)
{
    const auto decided = [](HostKeyVerdict verdict, const KnownLine &line) {
        return HostKeyCheck{verdict, line.file, line.line, line.key};
    };
    for (const KnownLine &line : lines)
        if (line.marker == Marker::Revoked && line.key == key)
            return decided(HostKeyVerdict::Revoked, line);
    for (const KnownLine &line : lines)
        if (line.marker == Marker::None && line.key == key)
            return decided(HostKeyVerdict::Known, line);
    // Name the line with the same type of key if there is one; it is the one to look at.
    const KnownLine *other = nullptr;
    for (const KnownLine &line : lines)
        if (line.marker == Marker::None &&
            (!other || (other->key.type != key.type && line.key.type == key.type)))
            other = &line;
    if (other)
        return decided(HostKeyVerdict::Changed, *other);
    for (const KnownLine &line : lines)
        if (line.marker == Marker::Authority)
            return decided(HostKeyVerdict::OnlyAuthority, line);
    return {};
}

} // namespace

std::optional<HostKey> hostKeyFromBase64(std::string_view base64)
{
    const auto decoded =
        QByteArray::fromBase64Encoding(bytesOf(base64), QByteArray::AbortOnBase64DecodingErrors);
    if (!decoded || decoded.decoded.size() < 8)
        return std::nullopt;
    const QByteArray &blob = decoded.decoded;
    const auto byte = [&blob](qsizetype i) {
        return static_cast<std::uint32_t>(static_cast<unsigned char>(blob[i]));
    };
    const std::uint32_t length = byte(0) << 24 | byte(1) << 16 | byte(2) << 8 | byte(3);
    if (length == 0 || length > 64 || blob.size() < static_cast<qsizetype>(4 + length))
        return std::nullopt;
    HostKey key;
    key.blob.assign(blob.constData(), static_cast<std::size_t>(blob.size()));
    key.type = key.blob.substr(4, length);
    return key;
}

std::string hostKeyFingerprint(const HostKey &key)
{
    const QByteArray hash = QCryptographicHash::hash(bytesOf(key.blob), QCryptographicHash::Sha256);
    return "SHA256:" + hash.toBase64(QByteArray::OmitTrailingEquals).toStdString();
}

std::string hostKeyTitle(const HostKey &key)
{
    if (key.type == "ssh-ed25519")
        return "ED25519";
    if (key.type == "ssh-rsa")
        return "RSA";
    if (key.type.starts_with("ecdsa-sha2-"))
        return "ECDSA";
    return key.type;
}

std::string hostKeyArt(const HostKey &key)
{
    constexpr int kWidth = 17, kHeight = 9;
    constexpr std::string_view kSymbols = " .o+=*BOX@%&#/^";
    std::array<std::array<std::size_t, kWidth>, kHeight> visits{};
    int x = kWidth / 2, y = kHeight / 2;
    const QByteArray hash = QCryptographicHash::hash(bytesOf(key.blob), QCryptographicHash::Sha256);
    for (const char byte : hash) { // two bits a step, lowest first: left or right, up or down
        for (int pair = 0; pair < 4; ++pair) {
            const int bits = (static_cast<unsigned char>(byte) >> (2 * pair)) & 3;
            x = std::clamp(x + ((bits & 1) != 0 ? 1 : -1), 0, kWidth - 1);
            y = std::clamp(y + ((bits & 2) != 0 ? 1 : -1), 0, kHeight - 1);
            ++visits[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)];
        }
    }
    const auto frame = [](const std::string &title) {
        const std::string label = "[" + title + "]";
        const std::size_t room = kWidth - std::min<std::size_t>(kWidth, label.size());
        return "+" + std::string(room / 2, '-') + label + std::string(room - room / 2, '-') + "+";
    };
    std::string art = frame(hostKeyTitle(key)) + "\n";
    for (int row = 0; row < kHeight; ++row) {
        art += '|';
        for (int column = 0; column < kWidth; ++column) {
            const std::size_t count = visits[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
            if (row == y && column == x) // also where the way ends at its start
                art += 'E';
            else if (row == kHeight / 2 && column == kWidth / 2)
                art += 'S';
            else
                art += kSymbols[std::min(count, kSymbols.size() - 1)];
        }
        art += "|\n";
    }
    return art + frame("SHA256");
}

std::string hostKeyName(const HostKeyPlace &place)
{
    if (place.port == 22 || place.isAlias)
        return place.host;
    return "[" + place.host + "]:" + std::to_string(place.port);
}

HostKeyCheck checkHostKey(const HostKeyPlace &place, const HostKey &key)
{
    const std::string name = hostKeyName(place);
    HostKeyCheck check = judge(linesFor(place, name), key);
    if (name == place.host || check.verdict != HostKeyVerdict::Unknown)
        return check;
    // On another port, the key of the bare name counts if it is the same, and a revocation always; a
    // different key there says nothing about this port.
    const HostKeyCheck bare = judge(linesFor(place, place.host), key);
    if (bare.verdict == HostKeyVerdict::Known || bare.verdict == HostKeyVerdict::Revoked)
        return bare;
    return check;
}

std::vector<std::string> knownHostKeyTypes(const HostKeyPlace &place)
{
    std::vector<std::string> types;
    auto lines = linesFor(place, hostKeyName(place));
    if (lines.empty())
        lines = linesFor(place, place.host);
    for (const KnownLine &line : lines)
        if (line.marker == Marker::None &&
            std::find(types.begin(), types.end(), line.key.type) == types.end())
            types.push_back(line.key.type);
    return types;
}

Result<void> saveHostKey(const std::string &file, const HostKeyPlace &place, const HostKey &key, bool hashed)
{
    const auto failed = [&file](const char *what) {
        return Error{ErrorCode::Io, "The host key was not saved: " + file + " cannot be " + what + " (" +
                                        std::strerror(errno) + ")."};
    };
    const std::filesystem::path folder = std::filesystem::path(file).parent_path();
    std::error_code error;
    if (!std::filesystem::exists(folder, error)) {
        std::filesystem::create_directories(folder, error);
        ::chmod(folder.c_str(), 0700);
    }
    const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (descriptor < 0)
        return failed("opened");
    std::string name = hostKeyName(place);
    if (hashed) {
        QByteArray salt(20, '\0');
        QRandomGenerator::system()->fillRange(reinterpret_cast<quint32 *>(salt.data()), salt.size() / 4);
        name = "|1|" + salt.toBase64().toStdString() + "|" + hostHash(salt, name).toBase64().toStdString();
    }
    std::string line = name + " " + key.type + " " + bytesOf(key.blob).toBase64().toStdString() + "\n";
    // A last line without line end would swallow ours.
    char last = '\n';
    if (const off_t size = ::lseek(descriptor, 0, SEEK_END); size > 0)
        if (::pread(descriptor, &last, 1, size - 1) != 1)
            last = '\n';
    if (last != '\n')
        line.insert(0, "\n");
    const bool written = ::write(descriptor, line.data(), line.size()) == static_cast<ssize_t>(line.size()) &&
                         ::fsync(descriptor) == 0;
    const Error why = failed("written");
    ::close(descriptor);
    if (!written)
        return why;
    return {};
}

} // namespace sb
