// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/plan_grid.h"

#include "widgets/case_delegate.h"
#include "widgets/case_header.h"
#include "widgets/segmented.h"

#include <QEvent>
#include <QHeaderView>
#include <QResizeEvent>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace sb {

PlanGrid::PlanGrid(QWidget *parent)
    : Panel(TitleRow::Normal, parent)
    , m_view(new QTableView(this))
    , m_columns(new CaseColumnHeader(m_model, m_view))
    , m_delegate(new CaseDelegate(this))
    , m_show(new Segmented(3, this))
    , m_showName(new TextLabel(TextRole::Secondary, this))
    , m_corner(new TextLabel(TextRole::Secondary, m_view))
{
    m_view->setHorizontalHeader(m_columns);
    m_view->setVerticalHeader(new CaseRowHeader(m_model, m_view));
    m_view->setModel(&m_model);
    m_view->setItemDelegate(m_delegate);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setShowGrid(false);
    m_view->setTabKeyNavigation(false);
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setMouseTracking(true);
    setBodyMargins(0, 0, 0, 0);
    body()->addWidget(m_view);
    addTool(m_showName);
    addTool(m_show);

    connect(m_show, &Segmented::chosen, this, [this](int segment) {
        m_delegate->setShow(static_cast<CaseDelegate::Show>(segment));
        m_view->viewport()->update();
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex &current) {
                const QVariant index = current.data(CaseGridModel::CaseIndexRole);
                if (index.isValid())
                    Q_EMIT caseChosen(static_cast<std::size_t>(index.toULongLong()));
            });
    m_texts.add([this] {
        setTitle(tr("Cases"));
        m_showName->setText(tr("Show"));
        m_show->setTexts({tr("Time"), tr("Order"), tr("Result")});
        m_show->setAccessibleName(tr("Show"));
        m_view->setAccessibleName(tr("Cases"));
        m_corner->setText(tr("Framework"));
        m_corner->adjustSize();
    });
}

std::optional<std::size_t> PlanGrid::currentCase() const
{
    const QVariant index = m_view->currentIndex().data(CaseGridModel::CaseIndexRole);
    return index.isValid() ? std::optional(static_cast<std::size_t>(index.toULongLong())) : std::nullopt;
}

void PlanGrid::casesChanged()
{
    showCount();
    fitColumns();
    if (!currentCase() && m_model.rowCount() > 0 && m_model.columnCount() > 0)
        m_view->setCurrentIndex(m_model.index(0, m_model.columnCount() - 1));
}

int PlanGrid::wantedHeight() const
{
    const int rows = m_view->verticalHeader()->length();
    return std::clamp(40 + m_columns->sizeHint().height() + rows + 16, 170, 420);
}

void PlanGrid::showCount()
{
    int cases = 0;
    int refused = 0;
    for (int row = 0; row < m_model.rowCount(); ++row)
        for (int column = 0; column < m_model.columnCount(); ++column) {
            const auto state = m_model.index(row, column).data(CaseGridModel::StateRole).value<CaseState>();
            cases += state == CaseState::Absent ? 0 : 1;
            refused += state == CaseState::Refused ? 1 : 0;
        }
    QString text = tr("%n case(s)", nullptr, cases);
    if (refused > 0)
        text += QStringLiteral(" · ") + tr("%n refused", nullptr, refused);
    setHint(text);
}

void PlanGrid::fitColumns()
{
    const int columns = m_model.columnCount();
    if (columns == 0)
        return;
    int needed = 0;
    for (int i = 0; i < columns; ++i)
        needed = std::max(needed, m_columns->neededWidth(i));
    const int room = m_view->viewport()->width();
    const int share = std::clamp(room / columns, needed, std::max(needed, 180));
    for (int i = 0; i < columns; ++i)
        m_columns->resizeSection(i, share);
    const int height = m_columns->sizeHint().height();
    m_corner->move(12, height - m_corner->height() - 10);
}

void PlanGrid::changeEvent(QEvent *event)
{
    Panel::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        m_texts.refresh();
        m_model.retranslate();
        showCount();
        fitColumns();
    }
}

void PlanGrid::resizeEvent(QResizeEvent *event)
{
    Panel::resizeEvent(event);
    QTimer::singleShot(0, this, &PlanGrid::fitColumns); // the view gets its own size after this one
}

} // namespace sb
