// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report.h"
#include "core/report_template.h"
#include "report/report_pages.h"
#include "session/session_model.h"
#include "settings/settings.h"
#include "widgets/page_frame.h"

#include <memory>
#include <optional>

class QListWidget;
class QStackedWidget;
class QTimer;

namespace sb {

class Panel;
class ReportExportPanel;
class ReportPreview;
class TextLabel;

// What do I publish? Sections to choose and order, the pages as they will be, and the export. The report is
// built again a moment after anything it depends on has changed, while the page is shown.
class ReportPage : public PageFrame {
    Q_OBJECT
public:
    ReportPage(SessionModel &session, Settings &settings, QWidget *parent = nullptr);

    ReportPreview *preview() { return m_preview; }
    ReportExportPanel *exportPanel() { return m_export; }
    QListWidget *sections() { return m_sections; }
    // Asks for a folder and exports into a new folder in it.
    void askExport();
    // Exports into `folder`, which is made.
    void exportTo(const QString &folder);
    // Takes the house style of a file over; a sentence when it cannot be read.
    std::optional<QString> useTemplate(const QString &path);
    // The shell line that makes the same report without a window.
    QString commandLine() const;
    // The kept comparisons have changed.
    void takeComparisons();
    int pageCount() const;

Q_SIGNALS:
    void planWanted();
    void exported(const QString &folder);

protected:
    void changeEvent(QEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    void buildHeader();
    QWidget *buildSections();
    void schedule();
    void rebuild();
    void fillSections();
    void writePageNumbers();
    ReportOptions reportOptions() const;
    PageStyle pageStyle() const;
    QString folderName() const;
    void askTemplate();
    Report builtReport() const;
    std::vector<ReportSectionName> sectionNames() const;
    std::vector<ReportComparison> comparisons() const;

    SessionModel &m_session;
    Panel *m_sectionPanel;
    QListWidget *m_sections;
    TextLabel *m_sums;
    ReportPreview *m_preview;
    ReportExportPanel *m_export;
    QTimer *m_timer;
    std::shared_ptr<const ReportPages> m_pages;
    ReportTemplate m_house;
    PageStyle m_houseStyle;
    QString m_housePath;
    bool m_filling = false;
    bool m_outdated = true;
};

} // namespace sb
