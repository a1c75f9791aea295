// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form_rows.h"

#include <QGridLayout>
#include <QPainter>

#include <algorithm>

namespace sb {

FormRows::FormRows(int rows, ValueSide side, QWidget *parent)
    : QWidget(parent)
{
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(5);
    grid->setColumnStretch(1, 1);
    grid->setColumnMinimumWidth(0, side == ValueSide::Left ? 92 : 0);
    for (int row = 0; row < rows; ++row) {
        auto *name = new TextLabel(TextRole::Body, Tone::Muted, this);
        auto *value = new TextLabel(TextRole::Body, this);
        value->setElided(true);
        if (side == ValueSide::Right)
            value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        name->setBuddy(value);
        grid->addWidget(name, row, 0);
        grid->addWidget(value, row, 1);
        m_names.push_back(name);
        m_values.push_back(value);
    }
}

void FormRows::setName(int row, const QString &name)
{
    m_names[static_cast<std::size_t>(row)]->setText(name);
}

void FormRows::setValue(int row, const QString &value, Tone tone)
{
    TextLabel *label = m_values[static_cast<std::size_t>(row)];
    label->setText(value);
    label->setTone(tone);
}

void FormRows::setRowVisible(int row, bool visible)
{
    m_names[static_cast<std::size_t>(row)]->setVisible(visible);
    m_values[static_cast<std::size_t>(row)]->setVisible(visible);
}

QString FormRows::value(int row) const
{
    return m_values[static_cast<std::size_t>(row)]->text();
}

ProgressLine::ProgressLine(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ProgressLine::setPart(double part)
{
    part = std::clamp(part, 0.0, 1.0);
    if (m_part == part)
        return;
    m_part = part;
    setAccessibleDescription(QStringLiteral("%1 %").arg(static_cast<int>(part * 100)));
    update();
}

void ProgressLine::paintEvent(QPaintEvent *)
{
    const Tokens &tokens = Tokens::of(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(tokens.shade);
    painter.drawRoundedRect(QRectF(rect()), 3, 3);
    if (m_part > 0) {
        painter.setBrush(tokens.accent);
        painter.drawRoundedRect(QRectF(0, 0, std::max(6.0, width() * m_part), height()), 3, 3);
    }
}

} // namespace sb
