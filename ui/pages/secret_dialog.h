// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/session_model.h"

#include <QDialog>

#include <vector>

class QCheckBox;
class QHBoxLayout;
class QLineEdit;

namespace sb {

// Asks for a passphrase, a password or what a server wants to know. What the server says is shown as a
// quotation. Use open(), not exec().
class SecretDialog : public QDialog {
    Q_OBJECT
public:
    SecretDialog(const SshQuestion &question, int more, QWidget *parent);

    const std::vector<QLineEdit *> &fields() const { return m_fields; }

Q_SIGNALS:
    void answered(const sb::SshAnswer &answer); // once; Cancel when it is closed

private:
    QHBoxLayout *buildFoot(const QString &doIt, int more);
    void send();

    std::vector<QLineEdit *> m_fields;
    QCheckBox *m_keep = nullptr;
};

} // namespace sb
