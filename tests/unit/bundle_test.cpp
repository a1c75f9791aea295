// SPDX-License-Identifier: GPL-3.0-or-later
// Bundles: what goes in comes out, and nothing else does.
#include "core/json.h"
#include "session/bundle.h"
#include "store/workspace.h"

#include "report_values.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

#include <functional>

#include <archive.h>
#include <archive_entry.h>

namespace sb {

namespace {

std::string contents(const std::string &path)
{
    QFile file(QString::fromStdString(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : "no " + path;
}

void put(const std::string &path, const std::string &text)
{
    QFile file(QString::fromStdString(path));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text.data(), static_cast<qint64>(text.size()));
}

// Every file below a folder whose text has `word`.
std::vector<std::string> filesWith(const QString &folder, const std::string &word)
{
    std::vector<std::string> found;
    QDirIterator files(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString path = files.next();
        if (!path.endsWith(QStringLiteral(".db")) &&
            contents(path.toStdString()).find(word) != std::string::npos)
            found.push_back(path.toStdString());
    }
    return found;
}

class BundleTest : public testing::Test {
protected:
    void SetUp() override
    {
        auto made = Workspace::create(at("study"));
        ASSERT_TRUE(made) << made.error().message;
        std::vector<sb::Run> runs = test::publishedRuns(2, 2);
        for (sb::Run &run : runs) {
            run.planName = "compare";
            for (std::string &host : run.hosts)
                host = "vs-" + host;
            for (NodeFacts &node : run.nodeFacts) {
                node.name = "vs-" + node.name;
                node.interfaces.push_back({"eth0", {"10.20.30.40", "2a02:8070::5"}, {}, {"10.20.0.0/16"}});
            }
            run.remoteFolders.assign(run.hosts.size(), "/home/annika/.local/state/scaleboard/runs/" + run.id);
            ASSERT_TRUE((*made)->saveRun(run));
            put((*made)->rankLogPath(run.id, 0), "{\"event\": \"start\", \"host\": \"vs-node1\", \"user\": "
                                                 "\"annika\", \"peer\": \"10.20.30.40\"}\n");
            put((*made)->nodeErrorPath(run.id, 0), "connected to 10.20.30.40\n");
        }
        workspace = std::move(*made);
    }

    std::string at(const char *name) const { return home.filePath(QString::fromLatin1(name)).toStdString(); }

    BundleInfo pack(const BundleOptions &options = {})
    {
        const auto written = writeBundle(bundleSource(*workspace), at("study.tar.zst"), options);
        EXPECT_TRUE(written.ok()) << written.error().message;
        const auto info = readBundleInfo(at("study.tar.zst"));
        EXPECT_TRUE(info.ok()) << info.error().message;
        return info ? *info : BundleInfo();
    }

    QTemporaryDir home;
    std::unique_ptr<Workspace> workspace;
};

TEST_F(BundleTest, GivesTheWorkspaceBack)
{
    const BundleInfo info = pack();
    EXPECT_EQ(info.name, "study");
    EXPECT_EQ(info.runs, 16);
    ASSERT_TRUE(unpackBundle(at("study.tar.zst"), at("elsewhere")));
    const auto opened = Workspace::open(at("elsewhere"));
    ASSERT_TRUE(opened) << opened.error().message;
    EXPECT_TRUE((*opened)->problems().empty());
    EXPECT_EQ((*opened)->runs(), workspace->runs());
    const std::string id = workspace->runs().front().id;
    EXPECT_EQ(contents((*opened)->rankLogPath(id, 0)), contents(workspace->rankLogPath(id, 0)));
    EXPECT_TRUE(contents(at("elsewhere") + "/extract/results.csv").find("oneflow,resnet50") !=
                std::string::npos);
    EXPECT_TRUE(contents(at("elsewhere") + "/environment.json").find("vs-node4") != std::string::npos);
}

TEST_F(BundleTest, GivesTheSameBytesTwice)
{
    pack();
    const std::string first = contents(at("study.tar.zst"));
    pack();
    EXPECT_EQ(contents(at("study.tar.zst")), first);
    EXPECT_GT(first.size(), 1000U);
}

TEST_F(BundleTest, IsReadOnlyAndSaysWhatToDo)
{
    pack();
    ASSERT_TRUE(unpackBundle(at("study.tar.zst"), at("elsewhere")));
    const auto opened = Workspace::open(at("elsewhere"));
    ASSERT_TRUE(opened);
    EXPECT_TRUE((*opened)->readOnly());
    EXPECT_FALSE(workspace->readOnly());
    sb::Run known = (*opened)->runs().front();
    known.reason = "measured again";
    const std::string record = (*opened)->runFolder(known.id) + "/run.json";
    const std::string before = contents(record);
    EXPECT_TRUE((*opened)->saveRun(known));
    EXPECT_EQ(contents(record), before);
    known.id = "20300101-000000-other-r1";
    const auto added = (*opened)->saveRun(known);
    ASSERT_FALSE(added);
    EXPECT_NE(added.error().message.find("run-again"), std::string::npos);
    EXPECT_FALSE(QFileInfo::exists(QString::fromStdString((*opened)->runFolder(known.id))));
}

TEST_F(BundleTest, HasThePlanToRunAgain)
{
    pack();
    ASSERT_TRUE(unpackBundle(at("study.tar.zst"), at("elsewhere")));
    const auto plans = bundlePlans(at("elsewhere"));
    ASSERT_TRUE(plans) << plans.error().message;
    ASSERT_EQ(plans->size(), 1U);
    const Plan &plan = plans->front();
    EXPECT_EQ(plan.name, "compare");
    EXPECT_EQ(plan.frameworks, (std::vector<std::string>{"ngc_mxnet", "oneflow"}));
    EXPECT_EQ(plan.measurement, (MeasurementRule{20, 100, 2}));
    EXPECT_EQ(plan.scales, (std::vector<Scale>{{1, 1}, {1, 8}, {2, 8}, {4, 8}}));
}

TEST_F(BundleTest, ReplacesNamesAddressesAndUsersEverywhere)
{
    BundleOptions options;
    options.neutralNames = true;
    EXPECT_TRUE(pack(options).neutralNames);
    ASSERT_TRUE(unpackBundle(at("study.tar.zst"), at("elsewhere")));
    const QString folder = home.filePath(QStringLiteral("elsewhere"));
    for (const char *word : {"vs-node", "annika", "10.20.", "2a02:"})
        EXPECT_EQ(filesWith(folder, word), std::vector<std::string>()) << word;
    const auto opened = Workspace::open(at("elsewhere"));
    ASSERT_TRUE(opened);
    EXPECT_EQ((*opened)->runs().front().hosts.front(), "node1");
    EXPECT_NE(contents((*opened)->rankLogPath((*opened)->runs().front().id, 0)).find("\"host\": \"node1\""),
              std::string::npos);
}

TEST_F(BundleTest, LeavesNothingWhenStopped)
{
    const auto written = writeBundle(bundleSource(*workspace), at("stopped.tar.zst"), {},
                                     [](int done, int) { return done < 5; });
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, ErrorCode::Cancelled);
    EXPECT_EQ(QDir(home.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
              QStringList{QStringLiteral("study")});
}

// An archive whose head lists `listed`, and whose entries are made by hand.
class HostileTest : public testing::Test {
protected:
    struct Entry {
        std::string name;
        std::string text;
        std::function<void(archive_entry *)> change;
    };

    std::string make(const std::vector<Entry> &entries, const std::vector<ArchiveFile> &listed = {})
    {
        JsonNode files = JsonNode::array();
        const auto list = [&files](const ArchiveFile &file) {
            files.push(JsonNode::object()
                           .set("path", file.path)
                           .set("bytes", file.bytes)
                           .set("sha256", file.sha256));
        };
        for (const Entry &entry : entries)
            if (listed.empty())
                list({entry.name, static_cast<std::int64_t>(entry.text.size()), sha256Of(entry.text)});
        for (const ArchiveFile &file : listed)
            list(file);
        JsonNode head = JsonNode::object();
        head.set("schema", 1).set("kind", "scaleboard bundle").set("name", "x").set("date", "2020-10-15");
        head.set("program", "x").set("runs", 0).set("files", files);
        const std::string path = home.filePath(QStringLiteral("hostile.tar.zst")).toStdString();
        archive *out = archive_write_new();
        archive_write_add_filter_zstd(out);
        archive_write_set_format_pax_restricted(out);
        archive_write_open_filename(out, path.c_str());
        add(out, {"bundle.json", writeJson(head), {}});
        for (const Entry &entry : entries)
            add(out, entry);
        archive_write_close(out);
        archive_write_free(out);
        return path;
    }

    static void add(archive *out, const Entry &entry)
    {
        archive_entry *made = archive_entry_new();
        archive_entry_set_pathname(made, entry.name.c_str());
        archive_entry_set_filetype(made, AE_IFREG);
        archive_entry_set_perm(made, 0644);
        archive_entry_set_size(made, static_cast<la_int64_t>(entry.text.size()));
        if (entry.change)
            entry.change(made);
        archive_write_header(out, made);
        if (!entry.text.empty())
            archive_write_data(out, entry.text.data(), entry.text.size());
        archive_entry_free(made);
    }

    // The message; and whatever it is, nothing is left of the try, and nothing got outside.
    std::string refusal(const std::string &path, const ArchiveLimits &limits = {})
    {
        const QString folder = home.filePath(QStringLiteral("in/side"));
        const auto unpacked = unpackBundle(path, folder.toStdString(), limits);
        EXPECT_FALSE(QFileInfo::exists(folder));
        const QDir parent(home.filePath(QStringLiteral("in")));
        EXPECT_TRUE(!parent.exists() ||
                    parent.entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot).isEmpty());
        EXPECT_FALSE(QFileInfo::exists(home.filePath(QStringLiteral("evil"))));
        EXPECT_FALSE(QFileInfo::exists(QStringLiteral("/tmp/scaleboard-evil")));
        return unpacked ? "it was unpacked" : unpacked.error().message;
    }

    const Entry good{
        "workspace.json", R"({"schema": 1, "name": "x", "created_utc": "2020-10-15T00:00:00Z"})", {}};
    QTemporaryDir home;
};

TEST_F(HostileTest, UnpacksAGoodOneMadeTheSameWay)
{
    const std::string folder = home.filePath(QStringLiteral("good")).toStdString();
    const auto unpacked = unpackBundle(make({good}), folder);
    ASSERT_TRUE(unpacked) << unpacked.error().message;
    EXPECT_TRUE(Workspace::open(folder));
}

TEST_F(HostileTest, RefusesPathsThatLeaveTheFolder)
{
    for (const char *name : {"../evil", "logs/../../evil", "/tmp/scaleboard-evil", "logs//x.log",
                             "logs/./x.log", "logs/r/..", "C:\\evil", "logs/r/a\\b.log", "logs/r/a\nb.log"}) {
        const std::string said = refusal(make({good, {name, "evil", {}}}));
        EXPECT_NE(said.find("was not unpacked"), std::string::npos) << name << ": " << said;
        // Also when the list does not name it.
        const std::string other = refusal(
            make({good, {name, "evil", {}}},
                 {{"workspace.json", static_cast<std::int64_t>(good.text.size()), sha256Of(good.text)}}));
        EXPECT_NE(other.find("was not unpacked"), std::string::npos) << name << ": " << other;
    }
}

TEST_F(HostileTest, RefusesWhatNoBundleHas)
{
    for (const char *name :
         {"scaleboard.db", "lock", "evil.sh", "logs/r/run.sh", "logs/r/deep/x.log", ".ssh/config"}) {
        const std::string said = refusal(make({good, {name, "evil", {}}}));
        EXPECT_NE(said.find("nothing that a bundle has"), std::string::npos) << name << ": " << said;
    }
}

TEST_F(HostileTest, RefusesLinksAndDevices)
{
    const std::vector<std::function<void(archive_entry *)>> changes{
        [](archive_entry *e) {
            archive_entry_set_filetype(e, AE_IFLNK);
            archive_entry_set_symlink(e, "/etc/passwd");
            archive_entry_set_size(e, 0);
        },
        [](archive_entry *e) {
            archive_entry_set_hardlink(e, "workspace.json");
            archive_entry_set_size(e, 0);
        },
        [](archive_entry *e) {
            archive_entry_set_filetype(e, AE_IFIFO);
            archive_entry_set_size(e, 0);
        },
        [](archive_entry *e) {
            archive_entry_set_filetype(e, AE_IFCHR);
            archive_entry_set_rdev(e, 0);
            archive_entry_set_size(e, 0);
        },
        [](archive_entry *e) {
            archive_entry_set_filetype(e, AE_IFDIR);
            archive_entry_set_size(e, 0);
        }};
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const std::string said = refusal(make({good, {"logs/r/rank0.log", "", changes[i]}}));
        EXPECT_NE(said.find("was not unpacked"), std::string::npos) << i << ": " << said;
    }
}

TEST_F(HostileTest, RefusesALinkThatALaterEntryWouldFollow)
{
    const std::string said = refusal(make({good,
                                           {"logs/r", "",
                                            [](archive_entry *e) {
                                                archive_entry_set_filetype(e, AE_IFLNK);
                                                archive_entry_set_symlink(e, "../..");
                                            }},
                                           {"logs/r/rank0.log", "evil", {}}}));
    EXPECT_NE(said.find("was not unpacked"), std::string::npos) << said;
}

TEST_F(HostileTest, RefusesABombBeforeItGoesOff)
{
    // 64 MB of zeros in a few kilobytes, under a limit of 1 MB.
    const std::string zeros(64 << 20, '\0');
    const std::string path = make({good, {"logs/r/rank0.log", zeros, {}}});
    EXPECT_LT(QFileInfo(QString::fromStdString(path)).size(), 100000);
    ArchiveLimits small;
    small.totalBytes = 1 << 20;
    EXPECT_NE(refusal(path, small).find("it would become larger than"), std::string::npos);
    // The same with a list that lies about the size.
    const std::string lying =
        make({good, {"logs/r/rank0.log", zeros, {}}},
             {{"workspace.json", static_cast<std::int64_t>(good.text.size()), sha256Of(good.text)},
              {"logs/r/rank0.log", 10, sha256Of("x")}});
    EXPECT_NE(refusal(lying, small).find("is not the one in its list"), std::string::npos);
    ArchiveLimits few;
    few.files = 1;
    EXPECT_NE(refusal(make({good, {"logs/r/rank0.log", "x", {}}}), few).find("more than 1 files"),
              std::string::npos);
    ArchiveLimits smallHead;
    smallHead.headBytes = 10;
    const auto head = readArchiveHead(make({good}), "bundle.json", smallHead);
    EXPECT_FALSE(head);
}

TEST_F(HostileTest, RefusesDoubledMissingAndChangedEntries)
{
    const Entry log{"logs/r/rank0.log", "one", {}};
    EXPECT_NE(refusal(make({good, log, log})).find("twice"), std::string::npos);
    const std::vector<ArchiveFile> two{
        {"workspace.json", static_cast<std::int64_t>(good.text.size()), sha256Of(good.text)},
        {"logs/r/rank0.log", 3, sha256Of("two")}};
    EXPECT_NE(refusal(make({good, log}, two)).find("is damaged"), std::string::npos);
    EXPECT_NE(refusal(make({good}, two)).find("cut short"), std::string::npos);
    EXPECT_NE(refusal(make({good, log, log}, {two[0], {"logs/r/rank0.log", 3, sha256Of("one")}}))
                  .find("is not the one in its list"),
              std::string::npos);
    EXPECT_NE(refusal(make({log})).find("no workspace.json"), std::string::npos);
}

TEST_F(HostileTest, RefusesOtherFilesAndCutOnes)
{
    const std::string path = home.filePath(QStringLiteral("other.tar.zst")).toStdString();
    put(path, "not an archive at all");
    EXPECT_NE(refusal(path).find("cannot be read as an archive"), std::string::npos);
    put(path, "");
    EXPECT_FALSE(refusal(path).empty());
    const std::string whole =
        contents(make({good, {"logs/r/rank0.log", std::string(5000, 'x') + "end", {}}}));
    for (const double share : {0.2, 0.5, 0.9}) {
        put(path, whole.substr(0, static_cast<std::size_t>(static_cast<double>(whole.size()) * share)));
        EXPECT_NE(refusal(path), "it was unpacked") << share;
    }
    EXPECT_NE(refusal(home.filePath(QStringLiteral("nowhere")).toStdString()), "it was unpacked");
}

} // namespace

} // namespace sb
