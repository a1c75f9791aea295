// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_text.h"

#include <QCoreApplication>
#include <QFontInfo>

#include <algorithm>

namespace sb {

QString painted(const std::string &figure)
{
    return QString::fromStdString(figure).replace(QChar(0x202F), QChar(0x2009));
}

QFont resized(const QFont &font, double points, int weight)
{
    QFont other = font;
    const double size = font.pointSizeF() > 0 ? font.pointSizeF() : QFontInfo(font).pointSizeF();
    other.setPointSizeF(std::max(8.25, size + points));
    other.setWeight(static_cast<QFont::Weight>(weight));
    return other;
}

ReportLanguage windowLanguage()
{
    // Which translation is installed, as that says itself.
    const QString name =
        QCoreApplication::translate("sb::Units", "en", "the code of this language: zh for Chinese");
    return reportLanguageFromName(name.toStdString()).value_or(ReportLanguage::English);
}

QString rateUnit(const std::string &unit)
{
    if (unit == "images")
        return QCoreApplication::translate("sb::Units", "images/s");
    if (unit == "sequences")
        return QCoreApplication::translate("sb::Units", "sequences/s");
    if (unit == "samples" || unit.empty())
        return QCoreApplication::translate("sb::Units", "samples/s");
    return QString::fromStdString(unit) + QStringLiteral("/s");
}

} // namespace sb
