// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/unlike_text.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <array>

namespace sb {

namespace {

// A reason as reference files spell it; numbers are its captures.
struct Reason {
    const char *pattern;
    const char *text;
};

constexpr std::array kReasons{
    Reason{"^batch (\\d+) per device, not (\\d+)$",
           QT_TRANSLATE_NOOP("sb::UnlikeText", "batch %1 per device, not %2")},
    Reason{"^without gradient clipping$", QT_TRANSLATE_NOOP("sb::UnlikeText", "without gradient clipping")},
    Reason{"^runs (.+), not (.+)$", QT_TRANSLATE_NOOP("sb::UnlikeText", "runs %1, not %2")},
    Reason{"^FP16 without automatic mixed precision$",
           QT_TRANSLATE_NOOP("sb::UnlikeText", "FP16 without automatic mixed precision")},
    Reason{"^real input data, not synthetic$",
           QT_TRANSLATE_NOOP("sb::UnlikeText", "real input data, not synthetic")},
};

} // namespace

QString unlikeText(const std::string &reason)
{
    const QString text = QString::fromStdString(reason);
    for (const Reason &known : kReasons) {
        const auto match = QRegularExpression(QLatin1String(known.pattern)).match(text);
        if (!match.hasMatch())
            continue;
        QString translated = QCoreApplication::translate("sb::UnlikeText", known.text);
        for (int i = 1; i <= match.lastCapturedIndex(); ++i)
            translated = translated.arg(match.captured(i));
        return translated;
    }
    return text;
}

} // namespace sb
