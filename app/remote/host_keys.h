// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the key that a server shows is the one we know: known_hosts with the verdicts of OpenSSH. There is
// no way to turn this off. Reads files; writes only in saveHostKey.
#pragma once

#include "core/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sb {

// A server's public key. `blob` is the wire form (RFC 4253), `type` its first field.
struct HostKey {
    std::string type; // "ssh-ed25519"
    std::string blob;

    bool operator==(const HostKey &) const = default;
};

std::optional<HostKey> hostKeyFromBase64(std::string_view base64);
std::string hostKeyFingerprint(const HostKey &key); // "SHA256:…" as ssh prints it
std::string hostKeyTitle(const HostKey &key);       // "ED25519", "RSA"
// The picture that ssh-keygen -lv draws of the fingerprint (the "drunken bishop" walk), 11 lines.
std::string hostKeyArt(const HostKey &key);

enum class HostKeyVerdict {
    Known,         // on file for this host
    Unknown,       // no line for this host
    Changed,       // another key is on file
    Revoked,       // a line says that this key must not be used
    OnlyAuthority, // the host is known by certificates only, which are not verified here: refused
};

struct HostKeyCheck {
    HostKeyVerdict verdict = HostKeyVerdict::Unknown;
    std::string file; // and line that decided it; empty for Unknown
    int line = 0;
    std::optional<HostKey> known; // the key on that line

    bool operator==(const HostKeyCheck &) const = default;
};

// Where a host is looked up.
struct HostKeyPlace {
    std::string host; // as typed or HostKeyAlias; lower case
    int port = 22;
    bool isAlias = false;           // HostKeyAlias: the port is not part of the name
    std::vector<std::string> files; // in order; missing ones are skipped
};

// Files are read anew at each call: another program may have added a line.
HostKeyCheck checkHostKey(const HostKeyPlace &place, const HostKey &key);

// Types on file for this host, so that the server is asked for a key that can be compared.
std::vector<std::string> knownHostKeyTypes(const HostKeyPlace &place);

// "[node1]:2222", or "node1" on port 22.
std::string hostKeyName(const HostKeyPlace &place);

// Adds a line to the end of `file` (made with mode 600 in a folder with mode 700 if missing) in one write, so
// that another program that adds a line at the same moment loses nothing.
Result<void> saveHostKey(const std::string &file, const HostKeyPlace &place, const HostKey &key, bool hashed);

} // namespace sb
