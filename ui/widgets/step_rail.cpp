// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/step_rail.h"

#include "widgets/icon.h"
#include "widgets/sb_style.h"
#include "widgets/step_delegate.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QListView>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace sb {

namespace {
constexpr int kNarrow = 52;
constexpr int kMargin = 8;
} // namespace

StepRail::StepRail(StepModel &model, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
    , m_delegate(new StepDelegate(this))
    , m_list(new QListView(this))
    , m_settings(new QPushButton(this))
    , m_help(new QPushButton(this))
{
    m_list->setModel(&model);
    m_list->setItemDelegate(m_delegate);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setMouseTracking(true);
    m_list->setUniformItemSizes(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setSelectionMode(QAbstractItemView::SingleSelection);
    m_list->viewport()->setAutoFillBackground(false);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(kMargin, kMargin - 1, kMargin + 1, 4);
    layout->addWidget(m_list, 1);
    auto *foot = new QHBoxLayout;
    foot->setContentsMargins(0, 4, 0, 4);
    foot->setSpacing(0);
    m_settings->setIcon(toneIcon(QStringLiteral("settings"), Tone::Muted));
    m_help->setIcon(toneIcon(QStringLiteral("help"), Tone::Muted));
    for (QPushButton *button : {m_settings, m_help}) {
        setButtonRole(button, ButtonRole::Quiet);
        setControlSize(button, ControlSize::Small);
        foot->addWidget(button);
    }
    foot->insertStretch(1, 1);
    layout->addLayout(foot);

    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex &current, const QModelIndex &) {
                if (current.isValid())
                    Q_EMIT pageChosen(m_model.pageAt(current.row()));
            });
    connect(&model, &QAbstractItemModel::dataChanged, this, &StepRail::applyWidth);
    m_texts.add([this] {
        m_list->setAccessibleName(tr("Steps"));
        m_settings->setText(m_collapsed ? QString() : tr("Settings"));
        m_settings->setAccessibleName(tr("Settings"));
        m_settings->setToolTip(m_collapsed ? tr("Settings") : QString());
        m_help->setText(m_collapsed ? QString() : tr("Help"));
        m_help->setAccessibleName(tr("Help"));
    });
}

void StepRail::setCurrent(PageId page)
{
    if (const auto row = m_model.rowOf(page))
        m_list->setCurrentIndex(m_model.index(*row));
}

void StepRail::setCollapsed(bool collapsed)
{
    m_collapsed = collapsed;
    m_delegate->setCollapsed(collapsed);
    m_help->setVisible(!collapsed);
    m_texts.refresh();
    applyWidth();
    m_list->viewport()->update();
}

void StepRail::fitWindow(int windowWidth)
{
    m_windowWidth = windowWidth;
    applyWidth();
}

void StepRail::applyWidth()
{
    int width = kNarrow;
    if (!m_collapsed) {
        width = m_windowWidth >= 1600 ? 208 : 176;
        for (int row = 0; row < m_model.rowCount(); ++row) {
            const QModelIndex index = m_model.index(row);
            width = std::max(width, StepDelegate::neededWidth(index.data().toString(),
                                                              index.data(StepModel::SubLineRole).toString()) +
                                        2 * kMargin + 1);
        }
        width =
            std::max(width, m_settings->sizeHint().width() + m_help->sizeHint().width() + 2 * kMargin + 4);
    }
    if (width != minimumWidth() || width != maximumWidth())
        setFixedWidth(width); // computed from the texts, so none is cut
}

void StepRail::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Tokens &tokens = Tokens::of(palette());
    painter.fillRect(rect(), tokens.rail);
    painter.fillRect(QRect(width() - 1, 0, 1, height()), tokens.border);
    painter.fillRect(QRect(kMargin, m_settings->geometry().top() - 5, width() - 2 * kMargin - 1, 1),
                     tokens.border);
}

void StepRail::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        m_model.retranslate();
        m_texts.refresh();
        applyWidth();
    } else if (event->type() == QEvent::ApplicationFontChange) {
        applyWidth();
    }
}

} // namespace sb
