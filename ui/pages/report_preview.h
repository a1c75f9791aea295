// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/report_pages.h"
#include "widgets/panel.h"

#include <memory>

class QLabel;
class QScrollArea;
class QSpinBox;
class QToolButton;

namespace sb {

class Segmented;
class TextLabel;

// The pages of the report as the PDF will have them, one at a time.
class ReportPreview : public Panel {
    Q_OBJECT
public:
    explicit ReportPreview(QWidget *parent = nullptr);

    // Null: nothing to show.
    void setPages(std::shared_ptr<const ReportPages> pages);
    void showPage(int page); // from 0
    int page() const { return m_page; }
    bool grey() const;

Q_SIGNALS:
    void paletteChosen();

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void draw();
    void retranslate();

    std::shared_ptr<const ReportPages> m_pages;
    int m_page = 0;
    QScrollArea *m_area;
    QLabel *m_paper;
    QSpinBox *m_number;
    TextLabel *m_count;
    QToolButton *m_previous;
    QToolButton *m_next;
    Segmented *m_fit;
    Segmented *m_palette;
};

} // namespace sb
