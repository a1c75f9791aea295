// SPDX-License-Identifier: GPL-3.0-or-later
// The Nodes page and its dialogs. What is asked about is made up; connecting for real is tested in
// tests/cluster.
#include "pages/host_key_dialog.h"
#include "pages/node_details.h"
#include "pages/nodes_page.h"
#include "pages/secret_dialog.h"
#include "ui_support.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include <gtest/gtest.h>

namespace sb {
namespace {

constexpr const char *kKey = "AAAAC3NzaC1lZDI1NTE5AAAAIJGPKbG4hOWBlNxGnPhHs7s5QwUbqWmfDpMmu0gvIjtT";
constexpr const char *kOther = "AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl";

NodesPage *nodesPage(test::Desk &desk)
{
    return qobject_cast<NodesPage *>(desk.window().page(PageId::Nodes));
}

SshQuestion keyQuestion()
{
    SshQuestion question;
    question.node = "node2";
    question.hop = "me@node2";
    question.key = hostKeyFromBase64(kKey);
    question.keyName = "node2";
    question.knownFile = "/home/me/.ssh/known_hosts";
    return question;
}

NodeStatus refusedNode(HostKeyVerdict verdict)
{
    SshProblem problem;
    problem.step = SshStep::HostKey;
    problem.hop = "me@node2";
    problem.cause = "The node was installed anew, or somebody stands between you and it.";
    problem.action = "Compare the fingerprint on the node; only if it is right, remove the old line.";
    problem.command = "ssh-keygen -R node2 -f /home/me/.ssh/known_hosts";
    problem.shownKey = hostKeyFromBase64(kKey);
    problem.hostKey = HostKeyCheck{verdict, "/home/me/.ssh/known_hosts", 27,
                                   hostKeyFromBase64(verdict == HostKeyVerdict::Changed ? kOther : kKey)};
    NodeStatus node;
    node.name = "node2";
    node.ssh.state = SshState::Failed;
    node.ssh.problem = problem;
    return node;
}

TEST(Nodes, UnknownKeyIsNotTrustedByAStrayEnter)
{
    auto *dialog = new UnknownKeyDialog(keyQuestion(), nullptr);
    SshAnswer given;
    int answers = 0;
    QObject::connect(dialog, &UnknownKeyDialog::answered, dialog, [&](const SshAnswer &answer) {
        given = answer;
        ++answers;
    });
    given.kind = SshAnswer::Kind::TrustOnce;
    dialog->open();
    test::picture(*dialog, QStringLiteral("host-key-unknown"));
    EXPECT_FALSE(dialog->saveButton()->isEnabled());
    EXPECT_FALSE(dialog->onceButton()->isEnabled());
    EXPECT_TRUE(dialog->cancelButton()->isDefault());
    QTest::keyClick(dialog, Qt::Key_Return);
    EXPECT_EQ(answers, 1);
    EXPECT_EQ(given.kind, SshAnswer::Kind::Cancel);
}

TEST(Nodes, UnknownKeyCanBeTrustedAfterAMoment)
{
    auto *dialog = new UnknownKeyDialog(keyQuestion(), nullptr);
    SshAnswer given;
    QObject::connect(dialog, &UnknownKeyDialog::answered, dialog,
                     [&](const SshAnswer &answer) { given = answer; });
    dialog->open();
    ASSERT_TRUE(test::waitFor([&] { return dialog->saveButton()->isEnabled(); }, 3000));
    dialog->saveButton()->click();
    EXPECT_EQ(given.kind, SshAnswer::Kind::TrustAndSave);
}

TEST(Nodes, RefusedKeysHaveNothingToAccept)
{
    for (const HostKeyVerdict verdict : {HostKeyVerdict::Changed, HostKeyVerdict::Revoked}) {
        auto *dialog = new RefusedKeyDialog(refusedNode(verdict), nullptr);
        dialog->open();
        test::picture(*dialog, verdict == HostKeyVerdict::Changed ? QStringLiteral("host-key-changed")
                                                                  : QStringLiteral("host-key-revoked"));
        for (const QPushButton *button : dialog->findChildren<QPushButton *>())
            EXPECT_FALSE(button->text().contains(QStringLiteral("rust"))) << button->text().toStdString();
        dialog->reject();
    }
}

TEST(Nodes, SecretsLeaveTheFieldWhenTheyAreSent)
{
    SshQuestion question;
    question.kind = SshQuestion::Kind::Passphrase;
    question.keyFile = "/home/me/.ssh/id_ed25519";
    question.prompts = {{"Passphrase", false}};
    question.wrongBefore = true;
    auto *dialog = new SecretDialog(question, 2, nullptr);
    SshAnswer given;
    QObject::connect(dialog, &SecretDialog::answered, dialog,
                     [&](const SshAnswer &answer) { given = answer; });
    dialog->open();
    QLineEdit *field = dialog->fields().front();
    EXPECT_EQ(field->echoMode(), QLineEdit::Password);
    QTest::keyClicks(field, QStringLiteral("open sesame"));
    test::picture(*dialog, QStringLiteral("passphrase"));
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_EQ(given.kind, SshAnswer::Kind::Secrets);
    EXPECT_EQ(given.secrets, std::vector<std::string>{"open sesame"});
    EXPECT_TRUE(field->text().isEmpty());
}

TEST(Nodes, AFailureNamesItsCauseAndWhatToDo)
{
    test::Desk desk;
    desk.window().show();
    ASSERT_TRUE(desk.waitForNodes());
    desk.window().showPage(PageId::Nodes);
    NodesPage *page = nodesPage(desk);
    ASSERT_NE(page, nullptr);
    page->field()->setText(QStringLiteral("me@127.0.0.1:1")); // nothing listens there
    page->connectButton()->click();
    ASSERT_TRUE(test::waitFor(
        [&] {
            const auto &nodes = desk.session().nodeStatuses();
            return nodes.size() == 1 && nodes.front().ssh.state == SshState::Failed;
        },
        10000));
    EXPECT_TRUE(desk.session().nodes().empty()) << "this machine has left";
    const QString text = page->details()->spokenText();
    EXPECT_TRUE(text.contains(QStringLiteral("Connection refused"))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("No SSH server listens on port 1")));
    EXPECT_TRUE(text.contains(QStringLiteral("nc -vz 127.0.0.1 1")));
    test::picture(desk.window(), QStringLiteral("nodes-failed"));
    page->field()->setText(QStringLiteral("node[3-1]"));
    page->connectButton()->click();
    EXPECT_EQ(desk.session().nodeStatuses().size(), 1U) << "a wrong name adds nothing";
}

} // namespace
} // namespace sb
