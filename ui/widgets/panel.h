// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/text.h"

#include <QWidget>

class QHBoxLayout;
class QVBoxLayout;

namespace sb {

// A framed white area that holds data: an optional title row (title, hint, tools at the right) and a body.
// Panels are what F6 steps through; the accessible name is the title.
class Panel : public QWidget {
    Q_OBJECT
public:
    enum class TitleRow { None, Normal, Dense };
    explicit Panel(TitleRow titleRow = TitleRow::Normal, QWidget *parent = nullptr);

    void setTitle(const QString &title);
    void setHint(const QString &hint); // secondary text after the title; gives way first
    void addTool(QWidget *tool);       // at the right end of the title row
    QVBoxLayout *body() { return m_body; }
    // Space between the frame and the body; 12 usually, 0 for tables.
    void setBodyMargins(int left, int top, int right, int bottom);

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    QWidget *m_titleRow = nullptr;
    QHBoxLayout *m_tools = nullptr;
    TextLabel *m_title = nullptr;
    TextLabel *m_hint = nullptr;
    QVBoxLayout *m_body = nullptr;
};

// The head of a page: name, what it shows now, and its buttons at the right.
class PageHeader : public QWidget {
    Q_OBJECT
public:
    explicit PageHeader(QWidget *parent = nullptr);

    void setTitle(const QString &title);
    void setSubtitle(const QString &subtitle);
    QString subtitle() const;
    void addTool(QWidget *tool);

private:
    TextLabel *m_title;
    TextLabel *m_subtitle;
    QHBoxLayout *m_tools;
};

} // namespace sb
