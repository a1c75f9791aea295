// SPDX-License-Identifier: GPL-3.0-or-later
// The reader of ssh_config, compared with what ssh itself makes of the same file (ssh -G).
#include "remote/ssh_config.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include <gtest/gtest.h>

#include <map>

namespace sb {
namespace {

class SshConfigFile : public testing::Test {
protected:
    std::string write(const char *name, const std::string &text)
    {
        QFile file(m_folder.filePath(QLatin1String(name)));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(text));
        return file.fileName().toStdString();
    }

    SshTarget resolve(const std::string &text, const std::string &host)
    {
        const auto config = SshConfig::load(write("config", text));
        EXPECT_TRUE(config.ok()) << (config ? "" : config.error().message);
        const auto target = config ? config->resolve(host) : Result<SshTarget>(config.error());
        EXPECT_TRUE(target.ok()) << (target ? "" : target.error().message);
        return target ? *target : SshTarget();
    }

    // Keyword → values, as ssh prints them.
    std::map<QString, QStringList> ssh(const std::string &host)
    {
        QProcess process;
        process.start(QStringLiteral("ssh"),
                      {QStringLiteral("-G"), QStringLiteral("-F"),
                       m_folder.filePath(QStringLiteral("config")), QString::fromStdString(host)});
        process.waitForFinished();
        std::map<QString, QStringList> said;
        for (const QString &line : QString::fromUtf8(process.readAllStandardOutput()).split(u'\n'))
            if (const qsizetype space = line.indexOf(u' '); space > 0)
                said[line.left(space)] << line.mid(space + 1);
        return said;
    }

    void expectAlike(const std::string &text, const std::string &host)
    {
        SCOPED_TRACE(text + "\nfor " + host);
        const SshTarget ours = resolve(text, host);
        auto theirs = ssh(host);
        EXPECT_EQ(ours.hostName, theirs[QStringLiteral("hostname")].value(0).toStdString());
        EXPECT_EQ(ours.user, theirs[QStringLiteral("user")].value(0).toStdString());
        EXPECT_EQ(std::to_string(ours.port), theirs[QStringLiteral("port")].value(0).toStdString());
        EXPECT_EQ(ours.identitiesOnly,
                  theirs[QStringLiteral("identitiesonly")].value(0) == QStringLiteral("yes"));
        EXPECT_EQ(ours.hostKeyAlias, theirs[QStringLiteral("hostkeyalias")].value(0).toStdString());
        EXPECT_EQ(ours.proxyCommand.empty(), !theirs.contains(QStringLiteral("proxycommand")));
        QStringList jumps;
        for (const std::string &jump : ours.proxyJump)
            jumps << QString::fromStdString(jump);
        EXPECT_EQ(jumps.join(u',').toStdString(), theirs[QStringLiteral("proxyjump")].value(0).toStdString());
        if (text.find("IdentityFile") != std::string::npos) {
            QStringList files;
            for (const std::string &file : ours.identityFiles)
                files << QString::fromStdString(file);
            QStringList wanted;
            for (QString file : theirs[QStringLiteral("identityfile")])
                wanted << (file.startsWith(u'~') ? QDir::homePath() + file.mid(1) : file);
            EXPECT_EQ(files.join(u' ').toStdString(), wanted.join(u' ').toStdString());
        }
    }

    QTemporaryDir m_folder;
};

TEST_F(SshConfigFile, IsReadAsSshReadsIt)
{
    const std::string included = write("more", "User included\nHost inner\n  Port 99\n");
    const std::vector<std::pair<std::string, std::vector<std::string>>> files{
        {"Host a\n HostName x.example\n User me\n Port 2222\nHost *\n User other\n Port 23\n",
         {"a", "b", "A"}},
        {"Host a b !c\n User one\nHost * !a\n User two\n", {"a", "b", "c", "d"}},
        {"Host gpu?? *.lab\n User lab\n", {"gpu01", "gpu1", "x.lab", "lab"}},
        {"User=one\nPort = 24\nHostName=\"quoted.example\"\n", {"a", "me@a"}},
        {"\tHOST a\n\thostname %h.example\n# comment\n\n  Host b\n  HostName %%x\n", {"a", "b"}},
        {"Host a\n ProxyJump one,me@two:2222\n ProxyCommand nc %h %p\nHost b\n ProxyCommand nc %h %p\n "
         "ProxyJump one\n"
         "Host *\n ProxyJump none\n",
         {"a", "b", "c"}},
        {"IdentityFile /k/one\nHost a\n IdentityFile /k/two\n IdentitiesOnly yes\n IdentityFile \"/k/with "
         "blank\"\n",
         {"a", "b"}},
        {"Match host a\n User m\nMatch user root\n Port 33\nMatch originalhost z,b !host c\n User n\nMatch "
         "all\n HostKeyAlias k\n",
         {"a", "b", "c", "z"}},
        {"Host a\n HostName real\nMatch host real\n User matched\n", {"a", "real"}},
        {"Host a\n Include " + included + "\nHost *\n User last\n", {"a", "b", "inner"}},
        {"Include " + included + "\nHost a\n Port 7\n", {"a", "inner"}},
        {"Host a\n HostKeyAlias farm\n", {"a", "x@a:2200"}},
    };
    for (const auto &[text, hosts] : files)
        for (const std::string &host : hosts)
            if (host.find(':') == std::string::npos)
                expectAlike(text, host);
}

TEST_F(SshConfigFile, LetsTheUserWin)
{
    const SshTarget target = resolve("Host a\n User file\n Port 1\n", "typed@a:2");
    EXPECT_EQ(target.user, "typed");
    EXPECT_EQ(target.port, 2);
}

TEST_F(SshConfigFile, SaysWhatItDoesNotFollow)
{
    const SshTarget target =
        resolve("StrictHostKeyChecking no\nMatch exec true\n User wrong\nHost *\n CertificateFile /x\n", "a");
    ASSERT_EQ(target.warnings.size(), 3U);
    EXPECT_NE(target.warnings[0].find("config:1: StrictHostKeyChecking no is not followed"),
              std::string::npos);
    EXPECT_NE(target.warnings[1].find("config:2: \"Match exec\" is not followed"), std::string::npos);
    EXPECT_NE(target.user, "wrong");
}

TEST_F(SshConfigFile, RefusesWhatItMustNotPassOver)
{
    for (const char *text : {"RevokedHostKeys /x\n", "Port zero\n", "HostName %q\n",
                             "IdentityFile ${NO_SUCH_VARIABLE_HERE}\n", "ProxyJump -x\n"}) {
        const auto config = SshConfig::load(write("config", text));
        ASSERT_TRUE(config.ok()) << text;
        EXPECT_FALSE(config->resolve("a").ok()) << text;
    }
    EXPECT_FALSE(SshConfig::load(write("config", "User \"open\n")).ok());
    EXPECT_FALSE(SshConfig::load(write("config", "Include " + write("config", "") + "\n")).ok())
        << "includes itself";
    EXPECT_FALSE(SshConfig::load("/does/not/exist").ok());
}

TEST_F(SshConfigFile, RefusesJumpHostsThatAreReachedThroughThemselves)
{
    const auto refused = [this](const std::string &text, const std::string &host) {
        const auto config = SshConfig::load(write("config", text));
        const auto checked = config->checkJumps(config->resolve(host)->proxyJump);
        return !checked && checked.error().message.find("reached through itself") != std::string::npos;
    };
    EXPECT_TRUE(refused("Host *\n ProxyJump bastion\n", "node1"));
    EXPECT_TRUE(refused("Host *\n ProxyJump bastion\n", "bastion"));
    EXPECT_TRUE(refused("Host a\n ProxyJump b\nHost b\n ProxyJump a\n", "a"));
    EXPECT_TRUE(refused("Host a\n ProxyJump b,c\nHost b\n ProxyJump a\n", "a"));
    EXPECT_FALSE(refused("Host bastion\n ProxyJump none\nHost *\n ProxyJump bastion\n", "node1"));
    EXPECT_FALSE(refused("Host c\n ProxyJump b\nHost b\n ProxyJump a\n", "c"));
    EXPECT_FALSE(refused("Host bastion\n ProxyCommand nc %h %p\nHost *\n ProxyJump bastion\n", "node1"));
}

TEST_F(SshConfigFile, NamesAliasesForCompletion)
{
    const auto config = SshConfig::load(write("config", "Host one two *.lab !x\nHost three\n"));
    EXPECT_EQ(config->aliases(), (std::vector<std::string>{"one", "two", "three"}));
}

TEST_F(SshConfigFile, TheTestForATerminalIsOneThatSshTakes)
{
    const auto config = SshConfig::load(write("config", ""));
    EXPECT_EQ(terminalTest(*config->resolve("me@host")), "ssh -v me@host");
    EXPECT_EQ(terminalTest(*config->resolve("me@host:2222")), "ssh -v -p 2222 me@host");
}

TEST(Patterns, AreLinearOnHostileText)
{
    EXPECT_TRUE(matchesPattern("abc", "a*c"));
    EXPECT_FALSE(matchesPattern(std::string(5000, 'a'), std::string(200, '*') + "a*a*a*a*a*a*a*b"));
    EXPECT_TRUE(matchesPatternList("a", "b,a"));
    EXPECT_FALSE(matchesPatternList("a", "!a,*"));
    EXPECT_FALSE(matchesPatternList("a", "!b"));
}

} // namespace
} // namespace sb
