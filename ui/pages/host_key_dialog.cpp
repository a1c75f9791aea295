// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/host_key_dialog.h"

#include "sentences/sentence.h"
#include "widgets/icon.h"
#include "widgets/panel.h"
#include "widgets/sb_style.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

namespace sb {

namespace {

// In two lines, as it is compared by eye.
QString brokenFingerprint(const HostKey &key)
{
    QString text = toQString(hostKeyFingerprint(key));
    return text.insert(text.size() / 2, u'\n');
}

QPushButton *copyButton(const QString &label, const QString &text, QWidget *parent)
{
    auto *button = new QPushButton(toneIcon(QStringLiteral("copy")), label, parent);
    button->setAutoDefault(false);
    QObject::connect(button, &QPushButton::clicked, button,
                     [text] { QApplication::clipboard()->setText(text); });
    return button;
}

} // namespace

KeyDialog::KeyDialog(bool alarm, QWidget *parent)
    : QDialog(parent)
    , m_alarm(alarm)
    , m_foot(new QWidget(this))
    , m_title(new TextLabel(TextRole::PanelTitle, this))
    , m_text(new TextLabel(TextRole::Body, this))
    , m_body(new QVBoxLayout)
    , m_footRow(new QHBoxLayout(m_foot))
{
    setModal(true);
    setMinimumWidth(600);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto *head = new QVBoxLayout;
    head->setContentsMargins(74, 16, 20, 0);
    head->setSpacing(4);
    m_text->setWordWrap(true);
    head->addWidget(m_title);
    head->addWidget(m_text);
    layout->addLayout(head);
    m_body->setContentsMargins(24, 14, 20, 16);
    m_body->setSpacing(10);
    layout->addLayout(m_body, 1);
    m_footRow->setContentsMargins(20, 10, 18, 10);
    m_footRow->setSpacing(8);
    layout->addWidget(m_foot);
    setAttribute(Qt::WA_DeleteOnClose);
}

void KeyDialog::setTexts(const QString &title, const QString &text)
{
    setWindowTitle(title);
    m_title->setText(title);
    m_text->setText(text);
}

QWidget *KeyDialog::keyBox(const HostKey &key, const QString &title, const QString &place)
{
    auto *panel = new Panel(Panel::TitleRow::Dense, this);
    panel->setTitle(title);
    panel->setHint(place);
    auto *fingerprint = new TextLabel(TextRole::Mono, panel);
    fingerprint->setText(brokenFingerprint(key));
    fingerprint->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto *art = new TextLabel(TextRole::Mono, Tone::Muted, panel);
    art->setText(toQString(hostKeyArt(key)));
    art->setAlignment(Qt::AlignCenter);
    art->setAccessibleName(tr("Picture of the fingerprint"));
    panel->body()->addWidget(fingerprint);
    panel->body()->addWidget(art);
    return panel;
}

QWidget *KeyDialog::commandRow(const QString &command)
{
    auto *row = new QWidget(this);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    auto *field = new QLineEdit(command, row);
    field->setReadOnly(true);
    field->setFont(roleFont(TextRole::Mono));
    field->setAccessibleName(tr("Command"));
    field->setCursorPosition(0);
    field->setFocusPolicy(Qt::ClickFocus); // the safe button has the focus
    layout->addWidget(field, 1);
    layout->addWidget(copyButton(tr("Copy"), command, row));
    return row;
}

void KeyDialog::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Tokens &tokens = Tokens::of(palette());
    painter.fillRect(rect(), tokens.window);
    painter.fillRect(m_foot->geometry(), tokens.bar);
    painter.fillRect(QRect(0, m_foot->y(), width(), 1), tokens.border);
    if (m_alarm)
        painter.fillRect(QRect(0, 0, 6, m_foot->y()), tokens.err);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_alarm ? tokens.errBg : tokens.warnBg);
    painter.drawEllipse(QRectF(26, 16, 34, 34));
    paintIcon(&painter, m_alarm ? QStringLiteral("error") : QStringLiteral("warning"), QRectF(35, 25, 16, 16),
              m_alarm ? tokens.err : tokens.warn);
}

UnknownKeyDialog::UnknownKeyDialog(const SshQuestion &question, QWidget *parent)
    : KeyDialog(false, parent)
    , m_save(new QPushButton(this))
    , m_once(new QPushButton(this))
    , m_cancel(new QPushButton(this))
{
    const QString hop = toQString(question.hop);
    const bool jump = question.hop.find(question.node) == std::string::npos;
    setTexts(
        tr("%1 is not known yet").arg(hop),
        jump
            ? tr("It is on the way to %1. Nothing has been sent to it: no password, no command. Compare this "
                 "key with the one the machine itself names.")
                  .arg(toQString(question.node))
            : tr("Nothing has been sent to it: no password, no command. Compare this key with the one the "
                 "machine itself names."));
    body()->addWidget(
        keyBox(*question.key, toQString(hostKeyTitle(*question.key)), toQString(question.keyName)));
    auto *how = new TextLabel(TextRole::Body, this);
    how->setWordWrap(true);
    how->setText(tr("On the machine, or by somebody who runs it:"));
    body()->addWidget(how);
    const QString kind = toQString(question.key->type == "ssh-rsa"           ? "rsa"
                                   : question.key->type.starts_with("ecdsa") ? "ecdsa"
                                                                             : "ed25519");
    body()->addWidget(commandRow(QStringLiteral("ssh-keygen -lvf /etc/ssh/ssh_host_%1_key.pub").arg(kind)));
    auto *where = new TextLabel(TextRole::Secondary, Tone::Muted, this);
    where->setWordWrap(true);
    where->setText(question.knownFile.empty()
                       ? tr("ssh_config names no file for it, so it can only be trusted this time.")
                       : tr("“Trust and save” adds a line to %1.").arg(toQString(question.knownFile)));
    body()->addWidget(where);
    foot()->addWidget(copyButton(tr("Copy to compare"), toQString(hostKeyFingerprint(*question.key)), this));
    foot()->addStretch(1);
    m_save->setText(tr("Trust and save"));
    m_once->setText(tr("This time only"));
    m_cancel->setText(tr("Cancel"));
    for (QPushButton *button : {m_save, m_once}) {
        button->setAutoDefault(false);
        button->setEnabled(false);
        foot()->addWidget(button);
    }
    foot()->addWidget(m_cancel);
    m_cancel->setDefault(true);
    m_cancel->setFocus();
    QTimer::singleShot(kArmMs, this, [this, canSave = !question.knownFile.empty()] {
        m_save->setEnabled(canSave);
        m_once->setEnabled(true);
    });
    const auto answer = [this](SshAnswer::Kind kindOfAnswer) {
        SshAnswer given;
        given.kind = kindOfAnswer;
        Q_EMIT answered(given);
    };
    connect(m_save, &QPushButton::clicked, this, [this, answer] {
        answer(SshAnswer::Kind::TrustAndSave);
        accept();
    });
    connect(m_once, &QPushButton::clicked, this, [this, answer] {
        answer(SshAnswer::Kind::TrustOnce);
        accept();
    });
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(this, &QDialog::rejected, this, [answer] { answer(SshAnswer::Kind::Cancel); });
}

RefusedKeyDialog::RefusedKeyDialog(const NodeStatus &node, QWidget *parent)
    : KeyDialog(true, parent)
{
    const SshProblem &problem = *node.ssh.problem;
    const HostKeyCheck &check = *problem.hostKey;
    const QString name = toQString(node.name);
    const QString place = tr("line %1 of %2").arg(check.line).arg(toQString(check.file));
    const bool revoked = check.verdict == HostKeyVerdict::Revoked;
    setTexts(revoked                                    ? tr("%1 shows a key that is revoked").arg(name)
             : check.verdict == HostKeyVerdict::Changed ? tr("%1 does not show the key you trusted").arg(name)
                                                        : tr("%1 is known by certificates only").arg(name),
             tr("Scaleboard has closed the connection. Nothing was sent: no password, no command."));
    auto *keys = new QHBoxLayout;
    keys->setSpacing(12);
    if (check.verdict == HostKeyVerdict::Changed && check.known)
        keys->addWidget(keyBox(*check.known, tr("Trusted until now"), place));
    if (problem.shownKey)
        keys->addWidget(
            keyBox(*problem.shownKey, tr("Shown today"), revoked ? place : toQString(problem.hop)));
    body()->addLayout(keys);
    auto *cause = new TextLabel(TextRole::Body, this);
    cause->setWordWrap(true);
    cause->setText(translateSentence(problem.cause) + u' ' + translateSentence(problem.action));
    body()->addWidget(cause);
    if (check.verdict == HostKeyVerdict::Changed) {
        body()->addWidget(commandRow(QStringLiteral("ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub")));
        auto *then = new TextLabel(TextRole::Body, Tone::Muted, this);
        then->setWordWrap(true);
        then->setText(
            tr("If it matches, remove the old entry yourself, then connect again and compare once more:"));
        body()->addWidget(then);
        body()->addWidget(commandRow(toQString(problem.command)));
    }
    QString both = problem.shownKey ? toQString(hostKeyFingerprint(*problem.shownKey)) : QString();
    if (check.known)
        both += u'\n' + toQString(hostKeyFingerprint(*check.known));
    foot()->addWidget(copyButton(tr("Copy fingerprints"), both, this));
    foot()->addStretch(1);
    auto *remove = new QPushButton(tr("Take %1 out").arg(name), this);
    remove->setAutoDefault(false);
    auto *close = new QPushButton(tr("Close"), this);
    close->setDefault(true);
    close->setFocus();
    foot()->addWidget(remove);
    foot()->addWidget(close);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(remove, &QPushButton::clicked, this, [this, name] {
        Q_EMIT removeWanted(name);
        accept();
    });
}

} // namespace sb
