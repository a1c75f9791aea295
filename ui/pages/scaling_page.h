// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/scaling_figure.h"
#include "core/reference.h"
#include "pages/figure_dialog.h"
#include "pages/scaling_insight.h"
#include "session/session_model.h"
#include "settings/settings.h"
#include "widgets/page_frame.h"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

class QComboBox;
class QPushButton;
class QSpinBox;
class QSplitter;
class QStackedWidget;
class QTableView;

namespace sb {

class CommMenu;
class PaintedChart;
class Panel;
class ScalingChart;
class ScalingTableModel;
struct TableFits;
class Segmented;
class TextLabel;

// How does it scale? Throughput and speedup of the curves that share workload, precision and batch, with
// their table beneath; where what is lost goes, and how much of the hardware is used. Weak scaling has the
// same batch on each device, strong scaling the same on all together. The choice lives here; results come
// from the session.
class ScalingPage : public PageFrame {
    Q_OBJECT
public:
    ScalingPage(SessionModel &session, Settings &settings, QWidget *parent = nullptr);

    ScalingChart *throughputChart() { return m_throughput; }
    ScalingChart *speedupChart() { return m_speedup; }
    QTableView *table() { return m_table; }
    void setDataShown(bool shown);      // table alone, or charts above it
    void setPublishedShown(bool shown); // the 2020-10 tables over one's own results, and where there are none
    enum class Fit { None, Amdahl, Usl, AlphaBeta };
    void chooseFit(Fit fit);
    enum class Right { Speedup, Efficiency, Loss, Roofline };
    void chooseRight(Right right);
    void setStrong(bool strong);
    bool hasStrong() const { return !m_strongGroups.empty(); }
    CommMenu *comm() { return m_comm; }
    QString note() const;
    QString evidence() const; // under the loss or the roofline
    bool chooseGroup(const QString &groupId);
    void exportFigures();
    // The two figures as they are now, with everything an export needs inside.
    std::vector<NamedFigure> figures() const;

Q_SIGNALS:
    void planWanted();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void buildHeader();
    QWidget *buildFilters();
    void buildFitChoice(QWidget *bar);
    void addPublished();
    void connectParts();
    Fit fit() const;
    Right right() const;
    const std::vector<ScalingGroup> &groups() const { return m_strong ? m_strongGroups : m_groups; }
    InsightSource insights() const;
    std::vector<std::optional<double>> gradientBytes(const ScalingGroup &group) const;
    // Lines of the chosen model, one a curve, and what the table says of them.
    using Line = std::function<std::optional<FitBand>(double)>;
    std::vector<Line> fitGroup(const ScalingGroup &group, TableFits *table) const;
    ScalingFigure figureOf(FigureKind kind, const std::vector<Line> &lines) const;
    void showRight(const std::vector<Line> &lines);
    void showEvidence(int part);
    void showPointRuns(const QModelIndex &index);
    void showRuns(const CaseResult &point, const std::string &chosen);
    void showRunsOf(const QString &runId); // of the point that has this run
    QStringList unlikeNotes(const ScalingGroup &group) const;
    QStringList fitNotes(const ScalingGroup &group) const;
    NamedFigure named(const ScalingGroup &group, NamedFigure figure) const;
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
    Segmented *m_mode; // weak, strong
    QComboBox *m_workload;
    QComboBox *m_precision;
    QComboBox *m_batch;
    QComboBox *m_fit;
    QSpinBox *m_until; // devices that a fit is drawn to
    CommMenu *m_comm;
    Segmented *m_scale;
    Segmented *m_measure;
    Panel *m_throughputPanel;
    Panel *m_speedupPanel;
    ScalingChart *m_throughput;
    ScalingChart *m_speedup;
    QStackedWidget *m_rightStack; // speedup and efficiency, or what paints itself
    PaintedChart *m_painted;
    TextLabel *m_evidence;
    QSplitter *m_charts = nullptr;
    QTableView *m_table;
    ScalingTableModel *m_model;
    TextLabel *m_note;
    QPushButton *m_showData = nullptr;
    QPushButton *m_published = nullptr;
    std::optional<ReferenceSet> m_reference; // read when first asked for
    std::vector<ScalingGroup> m_groups;
    std::vector<ScalingGroup> m_strongGroups;
    bool m_strong = false;
    LossFigure m_loss; // as shown
    std::set<std::size_t> m_hidden;
    std::optional<std::size_t> m_emphasised;
    bool m_filling = false;
};

} // namespace sb
