// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/secret_dialog.h"

#include "widgets/sb_style.h"
#include "widgets/text.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace sb {

SecretDialog::SecretDialog(const SshQuestion &question, int more, QWidget *parent)
    : QDialog(parent)
{
    setModal(true);
    setMinimumWidth(520);
    setAttribute(Qt::WA_DeleteOnClose);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 18, 20, 14);
    layout->setSpacing(8);
    const auto say = [&](TextRole role, Tone tone, const QString &text) {
        auto *label = new TextLabel(role, tone, this);
        label->setWordWrap(true);
        label->setText(text);
        layout->addWidget(label);
        return label;
    };
    const bool passphrase = question.kind == SshQuestion::Kind::Passphrase;
    const QString title = passphrase ? tr("Passphrase of a key")
                          : question.kind == SshQuestion::Kind::Password
                              ? tr("Password of %1").arg(toQString(question.hop))
                              : tr("%1 asks").arg(toQString(question.hop));
    setWindowTitle(title);
    say(TextRole::PanelTitle, Tone::Normal, title);
    if (passphrase)
        say(TextRole::Mono, Tone::Normal, toQString(question.keyFile));
    if (!question.instruction.empty())
        say(TextRole::Body, Tone::Muted, tr("It says: “%1”").arg(toQString(question.instruction)));
    if (question.wrongBefore)
        say(TextRole::Body, Tone::Err, tr("⚠ That was not right. Try again."));
    for (const SshQuestion::Prompt &prompt : question.prompts) {
        const QString label = passphrase ? tr("Passphrase")
                              : question.kind == SshQuestion::Kind::Password
                                  ? tr("Password")
                                  : tr("“%1”").arg(toQString(prompt.text));
        auto *name = say(TextRole::Body, Tone::Normal, label);
        auto *field = new QLineEdit(this);
        field->setEchoMode(prompt.visible ? QLineEdit::Normal : QLineEdit::Password);
        if (prompt.visible)
            field->setFont(roleFont(TextRole::Mono)); // codes are read back digit by digit
        field->setAccessibleName(label);
        name->setBuddy(field);
        layout->addWidget(field);
        m_fields.push_back(field);
    }
    const bool lasting = question.kind != SshQuestion::Kind::Prompts; // codes are good once
    if (lasting && SessionModel::hasKeychain()) {
        m_keep = new QCheckBox(tr("Keep in the desktop keychain"), this);
        layout->addWidget(m_keep);
    } else if (lasting) {
        say(TextRole::Secondary, Tone::Muted, tr("It is kept in memory until you quit, and nowhere else."));
    }
    layout->addSpacing(6);
    layout->addLayout(buildFoot(passphrase ? tr("Unlock") : tr("Sign in"), more));
    connect(this, &QDialog::rejected, this, [this] { Q_EMIT answered(SshAnswer()); });
    if (!m_fields.empty())
        m_fields.front()->setFocus();
}

QHBoxLayout *SecretDialog::buildFoot(const QString &doIt, int more)
{
    auto *foot = new QHBoxLayout;
    if (more > 0) {
        auto *others = new TextLabel(TextRole::Secondary, Tone::Muted, this);
        others->setText(tr("More questions wait: %1").arg(more));
        foot->addWidget(others);
    }
    foot->addStretch(1);
    auto *ok = new QPushButton(doIt, this);
    setButtonRole(ok, ButtonRole::Primary);
    ok->setDefault(true);
    auto *cancel = new QPushButton(tr("Cancel"), this);
    cancel->setAutoDefault(false);
    foot->addWidget(ok);
    foot->addWidget(cancel);
    connect(ok, &QPushButton::clicked, this, &SecretDialog::send);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    return foot;
}

void SecretDialog::send()
{
    SshAnswer answer;
    answer.kind = SshAnswer::Kind::Secrets;
    for (QLineEdit *field : m_fields) {
        answer.secrets.push_back(field->text().toStdString());
        field->clear();
    }
    answer.keepInKeychain = m_keep && m_keep->isChecked();
    Q_EMIT answered(answer);
    accept();
}

} // namespace sb
