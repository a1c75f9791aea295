// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/log_panel.h"

#include "core/units.h"
#include "widgets/icon.h"
#include "widgets/log_delegate.h"
#include "widgets/sb_style.h"
#include "widgets/segmented.h"

#include <QEvent>
#include <QLineEdit>
#include <QListView>
#include <QResizeEvent>
#include <QScrollBar>
#include <QShortcut>
#include <QVBoxLayout>

namespace sb {

LogPanel::LogPanel(QWidget *parent)
    : Panel(TitleRow::Dense, parent)
    , m_view(new QListView(this))
    , m_delegate(new LogDelegate(this))
    , m_which(new Segmented(2, this))
    , m_find(new QLineEdit(this))
{
    m_filter.setSourceModel(&m_model);
    m_view->setModel(&m_filter);
    m_view->setItemDelegate(m_delegate);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setUniformItemSizes(true);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setFont(roleFont(TextRole::Mono));
    setControlSize(m_find, ControlSize::Small);
    m_find->setClearButtonEnabled(true);
    m_find->addAction(toneIcon(QStringLiteral("search"), Tone::Muted), QLineEdit::LeadingPosition);
    m_find->setMinimumWidth(150);
    m_find->setMaximumWidth(220);
    addTool(m_which);
    addTool(m_find);
    setBodyMargins(1, 4, 1, 4);
    body()->addWidget(m_view);

    connect(m_which, &Segmented::chosen, this, [this](int segment) {
        m_filter.setWarningsOnly(segment == 1);
        toEnd();
    });
    connect(m_find, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_delegate->setHighlight(text);
        m_view->viewport()->update();
        findNext(true);
    });
    connect(m_find, &QLineEdit::returnPressed, this, [this] { findNext(false); });
    auto *escape = new QShortcut(
        Qt::Key_Escape, m_find, this, [this] { m_find->clear(); }, Qt::WidgetShortcut);
    escape->setEnabled(true);
    // Following ends when the user scrolls away from the end and begins again there.
    connect(m_view->verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] {
        const QScrollBar *bar = m_view->verticalScrollBar();
        m_following = bar->sliderPosition() >= bar->maximum();
    });
    connect(m_view->verticalScrollBar(), &QScrollBar::valueChanged, this, [this](int value) {
        if (value >= m_view->verticalScrollBar()->maximum())
            m_following = true;
    });
    m_texts.add([this] {
        setTitle(tr("Log"));
        m_find->setPlaceholderText(tr("Find"));
        m_find->setAccessibleName(tr("Find in the log"));
        m_view->setAccessibleName(tr("Log"));
        m_which->setAccessibleName(tr("Lines shown"));
        showCounts();
    });
}

void LogPanel::sync(const LiveRun &live)
{
    const std::int64_t before = m_model.linesSeen();
    m_model.sync(live);
    if (m_model.linesSeen() == before)
        return;
    showCounts();
    if (m_following)
        toEnd();
}

void LogPanel::clear()
{
    m_model.clear();
    m_following = true;
    showCounts();
}

void LogPanel::toEnd()
{
    m_following = true;
    m_view->scrollToBottom();
}

void LogPanel::showCounts()
{
    setHint(tr("%1 lines").arg(toQString(formatNumber(static_cast<double>(m_model.linesSeen()), 0))));
    m_which->setTexts({tr("All"), tr("Warnings %1").arg(m_model.warnings())});
}

void LogPanel::focusFind()
{
    m_find->setFocus(Qt::ShortcutFocusReason);
    m_find->selectAll();
}

void LogPanel::findNext(bool fromStart)
{
    const QString wanted = m_find->text();
    if (wanted.isEmpty() || m_filter.rowCount() == 0)
        return;
    const int start = fromStart || !m_view->currentIndex().isValid() ? 0 : m_view->currentIndex().row() + 1;
    const QModelIndexList found =
        m_filter.match(m_filter.index(start % m_filter.rowCount(), 0), Qt::DisplayRole, wanted, 1,
                       Qt::MatchContains | Qt::MatchWrap);
    if (found.isEmpty())
        return;
    m_following = false;
    m_view->setCurrentIndex(found.front());
    m_view->scrollTo(found.front(), QAbstractItemView::PositionAtCenter);
}

void LogPanel::changeEvent(QEvent *event)
{
    Panel::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        m_texts.refresh();
}

void LogPanel::resizeEvent(QResizeEvent *event)
{
    Panel::resizeEvent(event);
    if (m_following)
        m_view->scrollToBottom();
}

} // namespace sb
