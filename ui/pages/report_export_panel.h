// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/report_exporter.h"
#include "widgets/panel.h"
#include "widgets/texts.h"

#include <memory>

class QCheckBox;
class QComboBox;
class QPushButton;
class QTimer;

namespace sb {

class ProgressLine;
class Segmented;
class TextLabel;

// What to export and how, and the export itself with progress and Cancel.
class ReportExportPanel : public Panel {
    Q_OBJECT
public:
    explicit ReportExportPanel(QWidget *parent = nullptr);

    ReportLanguage language() const;
    bool neutralNames() const;
    double figureWidthMm() const;
    ChartPalette palette() const;
    // Takes width and palette of a house style over.
    void choose(const PageStyle &style);
    // Formats and figures as chosen; folder and style are the caller's.
    ReportExportOptions options() const;
    // Words of `scaleboard report` for these choices.
    QStringList commandWords() const;

    void setReady(bool ready, const QString &missingGlyphs);
    void say(const QString &problem);
    void start(Report report, const ReportExportOptions &options);
    bool exporting() const { return m_exporter != nullptr; }
    bool canExport() const; // there is something to write, a format is chosen and no export is under way

Q_SIGNALS:
    void changed(); // something that the preview shows
    void exportWanted();
    void exported(const QString &folder, int files);

protected:
    void changeEvent(QEvent *event) override;

private:
    void addChoices();
    void step();
    void end(const QString &message, bool failed);
    void refresh();

    Segmented *m_language;
    std::vector<std::pair<ReportFormat, QCheckBox *>> m_formats;
    std::vector<std::pair<FigureFormat, QCheckBox *>> m_figures;
    QComboBox *m_width;
    QComboBox *m_palette;
    QCheckBox *m_neutral;
    TextLabel *m_check;
    TextLabel *m_message;
    ProgressLine *m_progress;
    QPushButton *m_export;
    QPushButton *m_cancel;
    QTimer *m_timer;
    std::unique_ptr<ReportExporter> m_exporter;
    QString m_folder;
    bool m_ready = false;
    Texts m_texts;
};

} // namespace sb
