// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace sb {

class TextLabel;

// Takes a pasted topology. Says while typing what was found, so that nothing comes as a surprise.
class PasteDialog : public QDialog {
    Q_OBJECT
public:
    explicit PasteDialog(QWidget *parent = nullptr);

    QString text() const;
    QString name() const;    // of the node; "pasted" when none is given
    QString product() const; // of the GPUs; may be empty
    QPlainTextEdit *editor() { return m_editor; }
    QPushButton *acceptButton() { return m_accept; }
    QString verdict() const;

private:
    void judge();

    QPlainTextEdit *m_editor;
    QLineEdit *m_name;
    QLineEdit *m_product;
    TextLabel *m_verdict;
    QPushButton *m_accept;
};

} // namespace sb
