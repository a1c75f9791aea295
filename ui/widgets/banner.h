// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/text.h"

#include <QWidget>

class QPushButton;

namespace sb {

// A message across the top of a page: what happened, to what, what to do. Hidden until show…() is called;
// raises an accessibility alert.
class Banner : public QWidget {
    Q_OBJECT
public:
    enum class Kind { Info, Warning, Error };
    explicit Banner(QWidget *parent = nullptr);

    // `lead` is the sentence in semibold, `detail` may be empty. Both are plain text.
    void showMessage(Kind kind, const QString &lead, const QString &detail = {});
    void clear();
    bool isShown() const { return m_shown; }
    QString text() const;

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void retranslate();

    Kind m_kind = Kind::Info;
    bool m_shown = false;
    TextLabel *m_lead;
    TextLabel *m_detail;
    QPushButton *m_copy;
    QPushButton *m_close;
};

} // namespace sb
