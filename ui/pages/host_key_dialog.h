// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/session_model.h"
#include "widgets/text.h"

#include <QDialog>

class QHBoxLayout;
class QPushButton;
class QVBoxLayout;

namespace sb {

// The common frame of the dialogs about host keys: a round icon, title and text, a body, a foot of buttons.
// With `alarm` it has a red edge. Use open(), not exec().
class KeyDialog : public QDialog {
    Q_OBJECT
protected:
    KeyDialog(bool alarm, QWidget *parent);

    void setTexts(const QString &title, const QString &text);
    QVBoxLayout *body() { return m_body; }
    QHBoxLayout *foot() { return m_footRow; }
    QWidget *keyBox(const HostKey &key, const QString &title, const QString &place);
    QWidget *commandRow(const QString &command);
    void paintEvent(QPaintEvent *event) override;

private:
    bool m_alarm;
    QWidget *m_foot;
    TextLabel *m_title;
    TextLabel *m_text;
    QVBoxLayout *m_body;
    QHBoxLayout *m_footRow;
};

// A node shows a key that is not known. Cancel is the default; the buttons that trust can be pressed only
// after a second, so that an Enter meant for something else trusts nobody.
class UnknownKeyDialog : public KeyDialog {
    Q_OBJECT
public:
    UnknownKeyDialog(const SshQuestion &question, QWidget *parent);

    QPushButton *saveButton() { return m_save; }
    QPushButton *onceButton() { return m_once; }
    QPushButton *cancelButton() { return m_cancel; }

    static constexpr int kArmMs = 1000;

Q_SIGNALS:
    void answered(const sb::SshAnswer &answer); // once; Cancel when it is closed

private:
    QPushButton *m_save;
    QPushButton *m_once;
    QPushButton *m_cancel;
};

// A node shows another key than the one on file, or one that is revoked. There is nothing to accept.
class RefusedKeyDialog : public KeyDialog {
    Q_OBJECT
public:
    RefusedKeyDialog(const NodeStatus &node, QWidget *parent);

Q_SIGNALS:
    void removeWanted(const QString &node);
};

} // namespace sb
