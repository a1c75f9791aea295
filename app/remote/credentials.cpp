// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/credentials.h"

#include <QPointer>

#include <algorithm>

#ifdef SCALEBOARD_KEYCHAIN
#include <qt6keychain/keychain.h>
#endif

namespace sb {

namespace {

#ifdef SCALEBOARD_KEYCHAIN
constexpr auto kService = "Scaleboard";

// Without these a job may wait for a prompt of a keychain that is not there, or write a plain text file.
template <typename Job>
Job *newJob(const std::string &name)
{
    auto *job = new Job(QString::fromLatin1(kService));
    job->setAutoDelete(true);
    job->setInsecureFallback(false);
    job->setKey(QString::fromStdString(name));
    return job;
}
#endif

void wipe(std::string &secret)
{
    std::fill(secret.begin(), secret.end(), '\0');
}

} // namespace

Credentials::Credentials(QObject *parent)
    : QObject(parent)
{
}

Credentials::~Credentials()
{
    for (auto &[name, secret] : m_secrets)
        wipe(secret);
}

bool Credentials::hasKeychain()
{
#ifdef SCALEBOARD_KEYCHAIN
    // A keychain lives on the session bus of a desktop; on a server there is none to wait for.
    return qEnvironmentVariableIsSet("DBUS_SESSION_BUS_ADDRESS");
#else
    return false;
#endif
}

void Credentials::find(const std::string &name, QObject *context,
                       std::function<void(std::optional<std::string>)> found)
{
    if (const auto known = m_secrets.find(name); known != m_secrets.end())
        return found(known->second);
#ifdef SCALEBOARD_KEYCHAIN
    if (hasKeychain()) {
        auto *job = newJob<QKeychain::ReadPasswordJob>(name);
        connect(job, &QKeychain::Job::finished, context, [this, job, name, found](QKeychain::Job *) {
            if (job->error() != QKeychain::NoError)
                return found(std::nullopt);
            const std::string secret = job->textData().toStdString();
            m_secrets[name] = secret;
            found(secret);
        });
        return job->start();
    }
#endif
    QMetaObject::invokeMethod(
        context, [found] { found(std::nullopt); }, Qt::QueuedConnection);
}

void Credentials::remember(const std::string &name, const std::string &secret, bool inKeychain)
{
    m_secrets[name] = secret;
#ifdef SCALEBOARD_KEYCHAIN
    if (inKeychain && hasKeychain()) {
        auto *job = newJob<QKeychain::WritePasswordJob>(name);
        job->setTextData(QString::fromStdString(secret));
        job->start();
    }
#else
    (void)inKeychain;
#endif
}

void Credentials::forget(const std::string &name)
{
    if (const auto known = m_secrets.find(name); known != m_secrets.end()) {
        wipe(known->second);
        m_secrets.erase(known);
    }
#ifdef SCALEBOARD_KEYCHAIN
    if (hasKeychain())
        newJob<QKeychain::DeletePasswordJob>(name)->start();
#endif
}

} // namespace sb
