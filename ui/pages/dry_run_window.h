// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QPlainTextEdit;

namespace sb {

class TextLabel;

// Every command of a plan in the order it would run, to read, copy or save. Nothing is started.
class DryRunWindow : public QDialog {
    Q_OBJECT
public:
    DryRunWindow(const QString &commands, const QString &startFolder, QWidget *parent = nullptr);

    // Writes the text whole or not at all; what went wrong stands in the window.
    bool saveTo(const QString &path);

private:
    void askSave();

    QString m_startFolder;
    QPlainTextEdit *m_text;
    TextLabel *m_note;
};

} // namespace sb
