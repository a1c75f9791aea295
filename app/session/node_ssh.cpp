// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/node_ssh.h"

#include "core/text.h"
#include "session/node_scripts.h"

#include <memory>
#include <utility>

namespace sb {

namespace {

constexpr const char *kMakeKey = R"sh(umask 077
mkdir -p -- "$1" && cd -- "$1" || exit 41
[ -s id ] || ssh-keygen -q -t ed25519 -N '' -C scaleboard-node-ssh -f id </dev/null || exit $?
cat id.pub)sh";

constexpr const char *kWriteFile = R"sh(umask 077
cd -- "$1" || exit 44
cat >"$2.tmp" && [ "$(wc -c <"$2.tmp")" -eq "$3" ] && mv "$2.tmp" "$2" || exit 42)sh";

// The file may be a link into a place that is managed; it is written to, not replaced.
constexpr const char *kForgetKey = R"sh(umask 077
f=$HOME/.ssh/authorized_keys
forget() {
  grep -qF -- "$1" "$f" 2>/dev/null || return 0
  grep -vF -- "$1" "$f" >"$f.scaleboard"
  cat "$f.scaleboard" >"$f" && rm -f "$f.scaleboard" || exit 42
}
)sh";

constexpr const char *kLetIn = R"sh(mkdir -p "$HOME/.ssh" || exit 41
forget "$1"
[ -s "$f" ] && [ -n "$(tail -c 1 "$f")" ] && echo >>"$f"
printf '%s\n' "$2" >>"$f" || exit 42)sh";

// One line a host: its number, the exit status of ssh, the last thing it said.
constexpr const char *kCheck = R"sh(umask 077
d=$(mktemp -d) || exit 42
trap 'rm -rf "$d"' EXIT
cat >"$d/config"
n=0
for a; do
  n=$((n + 1))
  (
    ssh -F "$d/config" "$a" true </dev/null >"$d/$n" 2>&1
    echo "$n $? $(tail -n 1 "$d/$n" | tr -d '\r')"
  ) &
done
wait)sh";

// "ssh-ed25519 AAAA… comment" → "AAAA…", by which the line is found again.
std::string blobOf(const std::string &publicKey)
{
    const auto fields = split(publicKey, ' ');
    return fields.size() > 1 ? std::string(fields[1]) : std::string();
}

std::string advice(const std::string &said)
{
    if (said.find("Connection refused") != std::string::npos)
        return " No sshd listens there; start it, or name its port in ssh_config.";
    if (said.find("timed out") != std::string::npos || said.find("No route") != std::string::npos)
        return " The nodes do not reach each other; see the network and firewalls between them.";
    if (said.find("Permission denied") != std::string::npos ||
        said.find("Host key verification") != std::string::npos)
        return " \"node-ssh prepare\" makes this log-in possible.";
    return {};
}

} // namespace

NodeSsh::NodeSsh(NodeSshOrder order, std::map<std::string, Host *> hosts, QObject *parent)
    : QObject(parent)
    , m_order(std::move(order))
    , m_hosts(std::move(hosts))
{
}

void NodeSsh::start()
{
    if (m_order.action == NodeSshAction::Check)
        return check();
    makeKey();
}

void NodeSsh::say(const std::string &sentence, bool good)
{
    m_good = m_good && good;
    Q_EMIT told(sentence, good);
}

// Runs a script; `take` gets whether it went well and its output, else the reason.
void NodeSsh::ask(std::size_t host, const ProcessSpec &spec,
                  std::function<void(bool, const std::string &)> take)
{
    const std::string &name = m_order.hosts[host].name;
    const auto found = m_hosts.find(name);
    if (found == m_hosts.end())
        return take(false, "The node " + name + " is not connected.");
    auto output = std::make_shared<std::string>();
    HostProcess *process = found->second->start(spec);
    connect(process, &HostProcess::outputReady, this,
            [output](const QByteArray &bytes) { *output += bytes.toStdString(); });
    connect(process, &HostProcess::finished, this, [output, take, name](const ProcessEnd &end) {
        if (end.ok())
            take(true, validUtf8(*output));
        else
            take(false, "On " + name + ", " + nodeScriptError(end, "for keys"));
    });
}

void NodeSsh::makeKey()
{
    const bool remove = m_order.action == NodeSshAction::Remove;
    const ProcessSpec spec = remove ? scriptSpec("cat \"$1/id.pub\" 2>/dev/null; :", {m_order.sshFolder})
                                    : scriptSpec(kMakeKey, {m_order.sshFolder});
    ask(0, spec, [this, remove](bool good, const std::string &text) {
        m_publicKey = std::string(trimmed(text));
        if (good && remove && m_publicKey.empty()) {
            say(m_order.hosts.front().name + " has no key of this purpose; nothing to remove.", true);
            return Q_EMIT finished(m_good);
        }
        if (!good || blobOf(m_publicKey).empty()) {
            say(good ? "On " + m_order.hosts.front().name + ", ssh-keygen made no key." : text, false);
            return Q_EMIT finished(false);
        }
        if (!remove)
            say(m_order.hosts.front().name + ": the key is in " + m_order.sshFolder + "/id", true);
        m_open = m_order.hosts.size() - 1;
        remove ? forget() : letIn();
    });
}

void NodeSsh::letIn()
{
    const std::string line = "from=\"" + m_order.hosts.front().address +
                             "\",no-agent-forwarding,no-X11-forwarding,no-pty " + m_publicKey;
    for (std::size_t i = 1; i < m_order.hosts.size(); ++i)
        ask(i, scriptSpec(std::string(kForgetKey) + kLetIn, {blobOf(m_publicKey), line}),
            [this, i](bool good, const std::string &text) {
                say(good ? m_order.hosts[i].name + ": lets the key in from " + m_order.hosts.front().address
                         : text,
                    good);
                if (--m_open == 0)
                    writeFiles();
            });
}

// known_hosts of the nodes, from the keys that our own connections verified.
std::string NodeSsh::known() const
{
    std::string text;
    for (std::size_t i = 1; i < m_order.hosts.size(); ++i) {
        if (!m_order.hostKeys[i])
            continue;
        const HostKeyPlace place{m_order.hosts[i].address, m_order.hosts[i].sshPort, false, {}};
        const HostKey &key = *m_order.hostKeys[i];
        text += hostKeyName(place) + " " + key.type + " " +
                QByteArray::fromStdString(key.blob).toBase64().toStdString() + "\n";
    }
    return text;
}

void NodeSsh::writeFiles()
{
    std::string names;
    for (std::size_t i = 1; i < m_order.hosts.size(); ++i)
        names += " " + m_order.hosts[i].address;
    const std::string &folder = m_order.sshFolder;
    const std::string config = "# Written by Scaleboard for log-ins from node to node.\nHost" + names +
                               "\n  IdentityFile \"" + folder +
                               "/id\"\n  IdentitiesOnly yes\n  StrictHostKeyChecking yes\n"
                               "  UserKnownHostsFile \"" +
                               folder + "/known_hosts\"\n";
    const std::string hosts = known();
    ask(0,
        scriptSpec(kWriteFile, {folder, "known_hosts", std::to_string(hosts.size())},
                   QByteArray::fromStdString(hosts)),
        [this, config, folder](bool good, const std::string &text) {
            if (!good) {
                say(text, false);
                return Q_EMIT finished(false);
            }
            ask(0,
                scriptSpec(kWriteFile, {folder, "config", std::to_string(config.size())},
                           QByteArray::fromStdString(config)),
                [this](bool written, const std::string &why) {
                    if (!written)
                        say(why, false);
                    written ? check() : Q_EMIT finished(false);
                });
        });
}

void NodeSsh::check()
{
    std::vector<std::string> addresses;
    for (std::size_t i = 1; i < m_order.hosts.size(); ++i)
        addresses.push_back(m_order.hosts[i].address);
    ask(0,
        scriptSpec(kCheck, addresses,
                   QByteArray::fromStdString(nodeSshConfig(m_order.hosts, m_order.sshFolder))),
        [this](bool good, const std::string &text) {
            if (good)
                takeCheck(text);
            else
                say(text, false);
            Q_EMIT finished(m_good);
        });
}

void NodeSsh::takeCheck(const std::string &text)
{
    const std::string &first = m_order.hosts.front().name;
    std::map<std::size_t, std::pair<std::int64_t, std::string>> answers;
    for (const std::string_view line : split(text, '\n')) {
        const auto fields = split(line, ' ');
        const auto number = fields.size() > 1 ? toInteger(fields[0]) : std::nullopt;
        const auto status = number ? toInteger(fields[1]) : std::nullopt;
        if (status)
            answers[static_cast<std::size_t>(*number)] = {
                *status, std::string(trimmed(line.substr(fields[0].size() + fields[1].size() + 1)))};
    }
    for (std::size_t i = 1; i < m_order.hosts.size(); ++i) {
        const MpirunHost &host = m_order.hosts[i];
        const std::string place =
            host.name + " (" + host.address + ", port " + std::to_string(host.sshPort) + ")";
        const auto answer = answers.find(i);
        if (answer == answers.end())
            say(first + " said nothing about " + place + ".", false);
        else if (answer->second.first == 0)
            say(first + " signs in to " + place, true);
        else
            say(first + " cannot sign in to " + place + ": " + answer->second.second + "." +
                    advice(answer->second.second),
                false);
    }
}

void NodeSsh::forget()
{
    for (std::size_t i = 1; i < m_order.hosts.size(); ++i)
        ask(i, scriptSpec(std::string(kForgetKey) + "forget \"$1\"", {blobOf(m_publicKey)}),
            [this, i](bool good, const std::string &text) {
                say(good ? m_order.hosts[i].name + ": the key is not let in any more" : text, good);
                if (--m_open > 0)
                    return;
                if (!m_good) // the key is still let in somewhere: without it, that could not be undone
                    return Q_EMIT finished(false);
                ask(0, scriptSpec("rm -rf -- \"$1\"", {m_order.sshFolder}),
                    [this](bool removed, const std::string &why) {
                        say(removed ? m_order.hosts.front().name + ": " + m_order.sshFolder + " is removed"
                                    : why,
                            removed);
                        Q_EMIT finished(m_good);
                    });
            });
}

} // namespace sb
