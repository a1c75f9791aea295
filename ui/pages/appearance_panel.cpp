// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/appearance_panel.h"

#include "widgets/segmented.h"
#include "widgets/series_key.h"
#include "widgets/text.h"

#include <QEvent>
#include <QGridLayout>

namespace sb {

AppearanceForm::AppearanceForm(Settings &settings, QWidget *parent)
    : QWidget(parent)
    , m_settings(settings)
    , m_language(new Segmented(3, this))
    , m_theme(new Segmented(3, this))
    , m_languageName(new TextLabel(TextRole::Body, Tone::Muted, this))
    , m_themeName(new TextLabel(TextRole::Body, Tone::Muted, this))
    , m_coloursName(new TextLabel(TextRole::Body, Tone::Muted, this))
{
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(10);
    grid->setColumnMinimumWidth(0, 92);
    grid->setColumnStretch(1, 1);
    grid->addWidget(m_languageName, 0, 0);
    grid->addWidget(m_language, 0, 1, Qt::AlignLeft);
    grid->addWidget(m_themeName, 1, 0);
    grid->addWidget(m_theme, 1, 1, Qt::AlignLeft);
    grid->addWidget(m_coloursName, 2, 0);
    grid->addWidget(new PaletteSwatches(this), 2, 1);

    connect(m_language, &Segmented::chosen, this,
            [this](int segment) { m_settings.setLanguage(static_cast<Language>(segment)); });
    connect(m_theme, &Segmented::chosen, this,
            [this](int segment) { m_settings.setTheme(static_cast<Theme>(segment)); });
    connect(&settings, &Settings::languageChanged, this, &AppearanceForm::readSettings);
    connect(&settings, &Settings::themeChanged, this, &AppearanceForm::readSettings);
    readSettings();
    m_texts.add([this] {
        m_languageName->setText(tr("Language"));
        m_themeName->setText(tr("Theme"));
        m_coloursName->setText(tr("Chart colours"));
        m_language->setAccessibleName(tr("Language"));
        m_theme->setAccessibleName(tr("Theme"));
        // Languages are named in themselves, so that a reader of the other one finds the way back.
        m_language->setTexts({tr("Desktop's"), QStringLiteral("English"), QStringLiteral("简体中文")});
        m_theme->setTexts({tr("As the desktop"), tr("Light"), tr("Dark")});
    });
}

void AppearanceForm::readSettings()
{
    m_language->setCurrent(static_cast<int>(m_settings.language()));
    m_theme->setCurrent(static_cast<int>(m_settings.theme()));
}

void AppearanceForm::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        m_texts.refresh();
}

} // namespace sb
