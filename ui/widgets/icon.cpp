// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/icon.h"

#include <QApplication>
#include <QFile>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmapCache>
#include <QSvgRenderer>

namespace sb {

namespace {

QByteArray svgSource(const QString &name)
{
    QFile file(QStringLiteral(":/icons/") + name + QStringLiteral(".svg"));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QPixmap renderedIcon(const QString &name, const QSize &size, const QColor &colour)
{
    const QString key = QStringLiteral("sb-icon:%1:%2x%3:%4")
                            .arg(name)
                            .arg(size.width())
                            .arg(size.height())
                            .arg(colour.rgba());
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap))
        return pixmap;
    pixmap = QPixmap(size);
    pixmap.fill(Qt::transparent);
    QByteArray source = svgSource(name);
    source.replace("currentColor", colour.name().toLatin1());
    QSvgRenderer renderer(source);
    QPainter painter(&pixmap);
    painter.setOpacity(colour.alphaF());
    renderer.render(&painter, QRectF(QPointF(0, 0), QSizeF(size)));
    painter.end();
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

// Asks for its colour at paint time, so that one QIcon serves both themes.
class ToneIconEngine : public QIconEngine {
public:
    ToneIconEngine(QString name, Tone tone)
        : m_name(std::move(name))
        , m_tone(tone)
    {
    }

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State state) override
    {
        const double scale = painter->device() ? painter->device()->devicePixelRatioF() : 1.0;
        painter->drawPixmap(rect, pixmap(rect.size() * scale, mode, state));
    }

    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State) override
    {
        const QPalette everywhere = QApplication::palette();
        const Tokens &tokens = Tokens::of(everywhere);
        return renderedIcon(m_name, size,
                            toneColor(mode == QIcon::Disabled ? Tone::Disabled : m_tone, tokens));
    }

    QIconEngine *clone() const override { return new ToneIconEngine(m_name, m_tone); }

private:
    QString m_name;
    Tone m_tone;
};

} // namespace

QIcon toneIcon(const QString &name, Tone tone)
{
    return QIcon(new ToneIconEngine(name, tone));
}

void paintIcon(QPainter *painter, const QString &name, const QRectF &rect, const QColor &colour)
{
    const double scale = painter->device()->devicePixelRatioF();
    const QPixmap pixmap = renderedIcon(name, (rect.size() * scale).toSize(), colour);
    painter->drawPixmap(rect, pixmap, QRectF(pixmap.rect()));
}

} // namespace sb
