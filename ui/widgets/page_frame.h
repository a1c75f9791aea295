// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/texts.h"

#include <QWidget>

class QStackedWidget;
class QVBoxLayout;

namespace sb {

class EmptyState;
class PageHeader;

// What pages with results are made of: a header, and beneath it either what there is to show or a word that
// there is nothing yet. Texts are written again when the language changes.
class PageFrame : public QWidget {
    Q_OBJECT
public:
    // `icon` of the empty state.
    explicit PageFrame(const QString &icon, QWidget *parent = nullptr);

    PageHeader *header() const { return m_header; }

protected:
    EmptyState *empty() const { return m_empty; }
    QVBoxLayout *column() const { return m_column; } // of the content, 10 px between its rows
    // Between the header and the rest, in both states.
    void addBanner(QWidget *banner);
    void showContent(bool shown);
    Texts &texts() { return m_texts; }
    void changeEvent(QEvent *event) override;

private:
    PageHeader *m_header;
    QStackedWidget *m_stack;
    EmptyState *m_empty;
    QVBoxLayout *m_column;
    QVBoxLayout *m_layout;
    Texts m_texts;
};

} // namespace sb
