// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sb {

// What to start on a host. There is no shell unless argv names one.
struct ProcessSpec {
    std::vector<std::string> argv; // UTF-8; argv[0] is looked up in PATH
    QByteArray input;              // written to the standard input first
    bool keepInputOpen = false;    // false: the input ends after `input`
};

// A POSIX shell script, whose arguments are $1, $2, …
inline ProcessSpec scriptSpec(const std::string &text, const std::vector<std::string> &arguments = {},
                              QByteArray input = {})
{
    ProcessSpec spec;
    spec.argv = {"sh", "-c", text, "scaleboard"};
    spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
    spec.input = std::move(input);
    return spec;
}

// How it ended.
struct ProcessEnd {
    std::optional<int> exitCode; // absent when it could not start, died by a signal or the link broke
    std::string error;           // why exitCode is absent; one sentence
    QByteArray errorOutput;      // last 64 KiB of standard error

    bool ok() const { return exitCode && *exitCode == 0; }
};

// A process on a host. Lives in the thread of its host. Owned by the host until finished() was emitted;
// deletes itself afterwards. Signals come from the event loop, never from within start().
class HostProcess : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    virtual void write(const QByteArray &bytes) = 0;
    virtual void closeInput() = 0;
    // Ends the channel. The process gets a hang-up of its standard input and output; whether it dies is its
    // own affair, so callers that need that to be certain verify it on the host.
    virtual void close() = 0;

Q_SIGNALS:
    void outputReady(const QByteArray &bytes);
    void inputLeft(qint64 bytes);             // of a long input: how much has not been handed on yet
    void finished(const sb::ProcessEnd &end); // exactly once, last of all signals
};

// A machine on which programs can be started. Two kinds: LocalHost and (over SSH) SshHost; everything else
// (probing, uploading, launching, following logs) is made of start(), so it works alike on both.
class Host : public QObject {
    Q_OBJECT
public:
    explicit Host(std::string name, QObject *parent = nullptr)
        : QObject(parent)
        , m_name(std::move(name))
    {
    }

    const std::string &name() const { return m_name; }
    // Never null; a failure to start is reported by finished().
    virtual HostProcess *start(const ProcessSpec &spec) = 0;

private:
    std::string m_name;
};

} // namespace sb
