// SPDX-License-Identifier: GPL-3.0-or-later
// Saving host keys; the verdicts are compared with ssh's own in tests/cluster/host_keys_test.py.
#include "remote/host_keys.h"

#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

#include <gtest/gtest.h>

namespace sb {
namespace {

constexpr const char *kKey = "AAAAC3NzaC1lZDI1NTE5AAAAIJGPKbG4hOWBlNxGnPhHs7s5QwUbqWmfDpMmu0gvIjtT";

class HostKeyFile : public testing::Test {
protected:
    std::string path(const char *name) const { return m_folder.filePath(QLatin1String(name)).toStdString(); }
    QByteArray text(const std::string &file) const
    {
        QFile opened(QString::fromStdString(file));
        return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
    }
    void write(const std::string &file, const QByteArray &bytes) const
    {
        QFile opened(QString::fromStdString(file));
        ASSERT_TRUE(opened.open(QIODevice::WriteOnly));
        opened.write(bytes);
    }

    HostKey key = *hostKeyFromBase64(kKey);
    QTemporaryDir m_folder;
};

TEST_F(HostKeyFile, IsMadePrivateWithItsFolder)
{
    const std::string file = path("new/known_hosts");
    ASSERT_TRUE(saveHostKey(file, {"node1", 2222, false, {}}, key, false));
    EXPECT_EQ(text(file), QByteArray("[node1]:2222 ssh-ed25519 ") + kKey + "\n");
    EXPECT_EQ(QFileInfo(QString::fromStdString(file)).permissions() & (QFile::ReadGroup | QFile::ReadOther),
              0);
    EXPECT_EQ(checkHostKey({"node1", 2222, false, {file}}, key).verdict, HostKeyVerdict::Known);
}

TEST_F(HostKeyFile, KeepsWhatWasThereEvenWithoutALineEnd)
{
    const std::string file = path("known_hosts");
    write(file, "other ssh-ed25519 AAAA");
    ASSERT_TRUE(saveHostKey(file, {"node1", 22, false, {}}, key, false));
    EXPECT_EQ(text(file), QByteArray("other ssh-ed25519 AAAA\nnode1 ssh-ed25519 ") + kKey + "\n");
}

TEST_F(HostKeyFile, HidesTheNameWhenAsked)
{
    const std::string file = path("known_hosts");
    ASSERT_TRUE(saveHostKey(file, {"node1", 22, false, {}}, key, true));
    EXPECT_TRUE(text(file).startsWith("|1|"));
    EXPECT_FALSE(text(file).contains("node1"));
    EXPECT_EQ(checkHostKey({"node1", 22, false, {file}}, key).verdict, HostKeyVerdict::Known);
    EXPECT_EQ(checkHostKey({"node2", 22, false, {file}}, key).verdict, HostKeyVerdict::Unknown);
}

TEST_F(HostKeyFile, SaysWhyItCannotBeSaved)
{
    const auto saved = saveHostKey("/proc/known_hosts", {"node1", 22, false, {}}, key, false);
    ASSERT_FALSE(saved);
    EXPECT_NE(saved.error().message.find("/proc/known_hosts"), std::string::npos);
}

TEST_F(HostKeyFile, SurvivesHostileLines)
{
    const std::string file = path("known_hosts");
    write(file, QByteArray("|1||\n|1|x|y\n|2|a|b z\n@revoked\n@\n\0\0 \n*\n", 38) + QByteArray(1 << 20, '*') +
                    " x y\n" + "node1 ssh-ed25519 " + kKey + "\n");
    const HostKeyCheck check = checkHostKey({"node1", 22, false, {file}}, key);
    EXPECT_EQ(check.verdict, HostKeyVerdict::Known);
}

// The way through the picture ends where it starts; the rows are those of ssh-keygen -lv.
TEST(HostKeyText, DrawsThePictureOfAKeyThatEndsInTheMiddle)
{
    const auto key =
        hostKeyFromBase64("AAAAC3NzaC1lZDI1NTE5AAAAIPSKG88swqPZu9JdaYt4vFz9epag2SxaSV0PbS2wumEH");
    ASSERT_TRUE(key);
    const std::string art = hostKeyArt(*key);
    EXPECT_NE(art.find("|                 |\n"
                       "|                .|\n"
                       "|            .  ..|\n"
                       "|       .     o .o|\n"
                       "|        E   . ooo|\n"
                       "|         =  .=+ o|\n"
                       "|        * +.%++o.|\n"
                       "|    . oo = B.#++.|\n"
                       "|     +o.. ..B=B+=|\n"),
              std::string::npos)
        << art;
}

TEST(HostKeyText, NeedsAWholeKey)
{
    for (const char *text : {"", "AAAA", "!!!!", "/////////////w==", "AAAAAAAAAAAAAAAA"})
        EXPECT_FALSE(hostKeyFromBase64(text)) << text;
}

} // namespace
} // namespace sb
