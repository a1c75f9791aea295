// SPDX-License-Identifier: GPL-3.0-or-later
// One step with the session's secrets and the desktop's keychain, for tests/ssh/keychain:
//   keychain_check write NAME SECRET | read NAME | forget NAME
// "read" prints the secret, or nothing where there is none. Ends with 77 where there is no keychain.
#include "remote/credentials.h"

#include <QCoreApplication>
#include <QTimer>

#include <cstdio>
#include <string>

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    if (argc < 3)
        return 2;
    if (!sb::Credentials::hasKeychain()) {
        std::printf("built without a keychain, or no session bus\n");
        return 77;
    }
    const std::string what = argv[1];
    const std::string name = argv[2];
    sb::Credentials credentials;
    QObject context;
    // Jobs of the keychain have no common end; the process gives them a second.
    constexpr int kPatienceMs = 1000;
    if (what == "write" && argc == 4) {
        credentials.remember(name, argv[3], true);
        QTimer::singleShot(kPatienceMs, &context, [] { QCoreApplication::quit(); });
    } else if (what == "forget") {
        credentials.forget(name);
        QTimer::singleShot(kPatienceMs, &context, [] { QCoreApplication::quit(); });
    } else if (what == "read") {
        credentials.find(name, &context, [](const std::optional<std::string> &secret) {
            if (secret)
                std::printf("%s\n", secret->c_str());
            QCoreApplication::quit();
        });
        QTimer::singleShot(10 * kPatienceMs, &context, [] { QCoreApplication::exit(3); });
    } else {
        return 2;
    }
    return QCoreApplication::exec();
}
