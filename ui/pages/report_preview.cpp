// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/report_preview.h"

#include "widgets/segmented.h"

#include <QEvent>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace sb {

namespace {
constexpr int kPaperMargin = 12;
}

ReportPreview::ReportPreview(QWidget *parent)
    : Panel(Panel::TitleRow::Normal, parent)
    , m_area(new QScrollArea(this))
    , m_paper(new QLabel(this))
    , m_number(new QSpinBox(this))
    , m_count(new TextLabel(TextRole::Secondary, Tone::Muted, this))
    , m_previous(new QToolButton(this))
    , m_next(new QToolButton(this))
    , m_fit(new Segmented(2, this))
    , m_palette(new Segmented(2, this))
{
    m_previous->setArrowType(Qt::LeftArrow);
    m_next->setArrowType(Qt::RightArrow);
    m_previous->setMinimumSize(24, 24);
    m_next->setMinimumSize(24, 24);
    m_number->setMinimum(1);
    m_number->setButtonSymbols(QAbstractSpinBox::NoButtons);
    m_number->setMinimumWidth(36);
    m_fit->setCurrent(1);
    for (QWidget *tool :
         std::initializer_list<QWidget *>{m_previous, m_number, m_count, m_next, m_fit, m_palette})
        addTool(tool);
    m_area->setWidget(m_paper);
    m_area->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setBackgroundRole(QPalette::Window);
    m_area->viewport()->setAutoFillBackground(true);
    m_paper->setContentsMargins(0, kPaperMargin, 0, kPaperMargin);
    setBodyMargins(1, 0, 1, 1);
    body()->addWidget(m_area, 1);
    connect(m_previous, &QToolButton::clicked, this, [this] { showPage(m_page - 1); });
    connect(m_next, &QToolButton::clicked, this, [this] { showPage(m_page + 1); });
    connect(m_number, &QSpinBox::valueChanged, this, [this](int number) { showPage(number - 1); });
    connect(m_fit, &Segmented::chosen, this, &ReportPreview::draw);
    connect(m_palette, &Segmented::chosen, this, &ReportPreview::paletteChosen);
    retranslate();
    setPages(nullptr);
}

bool ReportPreview::grey() const
{
    return m_palette->current() == 1;
}

void ReportPreview::retranslate()
{
    setTitle(tr("Page"));
    m_area->setAccessibleName(tr("Page"));
    m_previous->setToolTip(tr("Previous page"));
    m_previous->setAccessibleName(tr("Previous page"));
    m_next->setToolTip(tr("Next page"));
    m_next->setAccessibleName(tr("Next page"));
    m_number->setAccessibleName(tr("Page number"));
    m_fit->setTexts({tr("Page"), tr("Width")});
    m_fit->setAccessibleName(tr("Size of the page"));
    m_palette->setTexts({tr("Colour"), tr("Grey")});
    m_palette->setAccessibleName(tr("Palette of the figures"));
    m_count->setText(tr("of %1").arg(m_pages ? m_pages->count() : 0));
}

void ReportPreview::setPages(std::shared_ptr<const ReportPages> pages)
{
    m_pages = std::move(pages);
    const int count = m_pages ? m_pages->count() : 0;
    const QSignalBlocker blocker(m_number);
    m_number->setMaximum(std::max(1, count));
    m_count->setText(tr("of %1").arg(count));
    m_page = std::clamp(m_page, 0, std::max(0, count - 1));
    m_number->setValue(m_page + 1);
    draw();
}

void ReportPreview::showPage(int page)
{
    if (!m_pages)
        return;
    page = std::clamp(page, 0, std::max(0, m_pages->count() - 1));
    if (page == m_page)
        return;
    m_page = page;
    const QSignalBlocker blocker(m_number);
    m_number->setValue(page + 1);
    draw();
    m_area->verticalScrollBar()->setValue(0);
}

void ReportPreview::draw()
{
    m_previous->setEnabled(m_pages && m_page > 0);
    m_next->setEnabled(m_pages && m_page + 1 < m_pages->count());
    if (!m_pages || m_pages->count() == 0) {
        m_paper->setPixmap(QPixmap());
        return;
    }
    const QSize room = m_area->viewport()->size() - QSize(2 * kPaperMargin, 2 * kPaperMargin);
    const QSizeF paper = ReportPages::pageSize();
    double width = room.width() - m_area->verticalScrollBar()->sizeHint().width();
    if (m_fit->current() == 0)
        width = std::min(width, room.height() * paper.width() / paper.height());
    width = std::clamp(width, 120.0, 1400.0);
    const double ratio = devicePixelRatioF();
    QImage image = m_pages->image(m_page, static_cast<int>(width * ratio));
    image.setDevicePixelRatio(ratio);
    m_paper->setPixmap(QPixmap::fromImage(image));
    m_paper->setAccessibleName(tr("Page %1 of the report").arg(m_page + 1));
    m_paper->adjustSize();
}

void ReportPreview::changeEvent(QEvent *event)
{
    Panel::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

void ReportPreview::resizeEvent(QResizeEvent *event)
{
    Panel::resizeEvent(event);
    draw();
}

} // namespace sb
