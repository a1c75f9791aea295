// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/scaling_figure.h"
#include "core/reference.h"
#include "pages/figure_dialog.h"
#include "session/session_model.h"
#include "settings/settings.h"
#include "widgets/texts.h"

#include <QWidget>

#include <optional>
#include <set>

class QComboBox;
class QPushButton;
class QSpinBox;
class QSplitter;
class QStackedWidget;
class QTableView;

namespace sb {

class EmptyState;
class PageHeader;
class Panel;
class ScalingChart;
class ScalingTableModel;
class Segmented;
class TextLabel;

// How does it scale? Throughput and speedup of the curves that share workload, precision and batch, with
// their table beneath. The choice lives here; results come from the session.
class ScalingPage : public QWidget {
    Q_OBJECT
public:
    ScalingPage(SessionModel &session, Settings &settings, QWidget *parent = nullptr);

    ScalingChart *throughputChart() { return m_throughput; }
    ScalingChart *speedupChart() { return m_speedup; }
    QTableView *table() { return m_table; }
    void setDataShown(bool shown);      // table alone, or charts above it
    void setPublishedShown(bool shown); // the 2020-10 tables over one's own results, and where there are none
    void chooseFit(int fit);            // 0 none, 1 Amdahl, 2 USL
    bool chooseGroup(const QString &groupId);
    void exportFigures();
    // The two figures as they are now, with everything an export needs inside.
    std::vector<NamedFigure> figures() const;

Q_SIGNALS:
    void planWanted();
    void reportWanted();

protected:
    void changeEvent(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void buildHeader();
    QWidget *buildFilters();
    void buildFitChoice(QWidget *bar);
    void addPublished();
    std::vector<ScalingFit> fitsOf(const ScalingGroup &group) const;
    QWidget *buildCharts();
    QWidget *buildTable();
    void writeTexts();
    void takeResults();
    void fillFilters();
    void showGroup();
    void showFigures();
    void showNote();
    void fitColumns();
    void emphasise(int curve);
    void toggleHidden();
    void copyTable(bool markdown);
    const ScalingGroup *group() const;
    FigureTexts figureTexts(FigureKind kind) const;
    FigureKind secondKind() const;

    SessionModel &m_session;
    Settings &m_settings;
    PageHeader *m_header;
    QStackedWidget *m_stack;
    EmptyState *m_empty;
    QComboBox *m_workload;
    QComboBox *m_precision;
    QComboBox *m_batch;
    QComboBox *m_fit;
    QSpinBox *m_until; // devices that a fit is drawn to
    Segmented *m_scale;
    Segmented *m_measure;
    Panel *m_throughputPanel;
    Panel *m_speedupPanel;
    ScalingChart *m_throughput;
    ScalingChart *m_speedup;
    QSplitter *m_charts = nullptr;
    QTableView *m_table;
    ScalingTableModel *m_model;
    TextLabel *m_note;
    QPushButton *m_showData = nullptr;
    QPushButton *m_published = nullptr;
    std::optional<ReferenceSet> m_reference; // read when first asked for
    std::vector<ScalingGroup> m_groups;
    std::set<std::size_t> m_hidden;
    std::optional<std::size_t> m_emphasised;
    bool m_filling = false;
    Texts m_texts;
};

} // namespace sb
