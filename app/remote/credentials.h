// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace sb {

// Secrets of this session: in memory, and in the desktop's keychain for those the user wants kept there.
// Never in a file, a log or an argument list. I/O thread.
class Credentials : public QObject {
    Q_OBJECT
public:
    explicit Credentials(QObject *parent = nullptr);
    ~Credentials() override;

    // Whether this build and desktop have a keychain. Memory only otherwise.
    static bool hasKeychain();

    // Calls found(secret or nothing) from the event loop, or at once if the secret is in memory. Not called
    // when `context` is gone by then. Names: passphraseName(), passwordName().
    void find(const std::string &name, QObject *context,
              std::function<void(std::optional<std::string>)> found);
    void remember(const std::string &name, const std::string &secret, bool inKeychain);
    void forget(const std::string &name); // it was wrong

private:
    std::map<std::string, std::string> m_secrets;
};

inline std::string passphraseName(const std::string &keyFile)
{
    return "passphrase:" + keyFile;
}
inline std::string passwordName(const std::string &hop)
{
    return "password:" + hop;
}

} // namespace sb
