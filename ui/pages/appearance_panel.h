// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "settings/settings.h"
#include "widgets/texts.h"

#include <QWidget>

namespace sb {

class Segmented;
class TextLabel;

// Language, theme and the colours of charts. Choices take effect at once.
class AppearanceForm : public QWidget {
    Q_OBJECT
public:
    explicit AppearanceForm(Settings &settings, QWidget *parent = nullptr);

    Segmented *languageChoice() { return m_language; }
    Segmented *themeChoice() { return m_theme; }

protected:
    void changeEvent(QEvent *event) override;

private:
    void readSettings();

    Settings &m_settings;
    Segmented *m_language;
    Segmented *m_theme;
    TextLabel *m_languageName;
    TextLabel *m_themeName;
    TextLabel *m_coloursName;
    Texts m_texts;
};

} // namespace sb
