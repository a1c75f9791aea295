// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/step_model.h"
#include "pages/topology_entries.h"
#include "settings/settings.h"
#include "topology/topology_painter.h"
#include "widgets/page_frame.h"

#include <QSet>
#include <QTimer>

class QComboBox;
class QPushButton;
class QSplitter;
class QStackedWidget;

namespace sb {

class Banner;
class GraphView;
class LinkLegend;
class MatrixView;
class MeaningPanel;
class PairPanel;
class Panel;
class Segmented;
class SetsPanel;

// How is it wired, what follows? Matrix and graph of one node beside each other with what they mean below.
// Texts come from nodes, from files and from the clipboard; each is read once, when it arrives.
class TopologyPage : public PageFrame {
    Q_OBJECT
public:
    using Source = TopologySource;

    TopologyPage(Settings &settings, QWidget *parent = nullptr);

    // Reads `text` and shows it; replaces what was known under that name. What a node says by itself changes
    // the node shown only when there is none. A text with measured rates goes to the node shown. False when
    // it holds neither: the banner says why, and what was shown stays.
    bool takeText(const QString &text, const Source &source);
    void keepNodes(const QSet<QString> &names); // forgets nodes that are not among them
    void tellFailure(const QString &node, const QString &sentence);
    void openFile(const QString &path);
    void askPaste();
    void askExport();
    TopologySummary summary() const; // for the rail

    MatrixView *matrix() { return m_matrix; }
    GraphView *graph() { return m_graph; }
    MeaningPanel *meaningPanel() { return m_meaningPanel; }
    PairPanel *pairPanel() { return m_pairPanel; }
    SetsPanel *setsPanel() { return m_setsPanel; }
    Segmented *rates() { return m_rates; }
    QPushButton *readAgainButton() { return m_again; }
    QString subtitle() const;
    Banner *banner() { return m_banner; }

Q_SIGNALS:
    void topologyChanged();
    void readAgainWanted(const QString &node);
    void useInPlanWanted(int gpus, const QString &numbers);

protected:
    void changeEvent(QEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    void buildHeader();
    QWidget *buildBody(Settings &settings);
    void arrange(bool wide);
    void showEntry(int index);
    void showTexts();
    void select(std::optional<DevicePair> pair);
    void hover(std::optional<DevicePair> pair);
    void savePicture(const QString &path);
    bool takeMeasured(const QString &text);
    void showMeasured();
    void showNames();
    const TopologyEntry *shown() const;
    WordLanguage language() const;

    TopologyEntries m_entries;
    int m_shown = -1;
    std::optional<DevicePair> m_pair;
    Banner *m_banner;
    QComboBox *m_names;
    Segmented *m_rates; // nominal, measured
    QPushButton *m_again;
    QPushButton *m_open;
    QPushButton *m_paste;
    QPushButton *m_export;
    Panel *m_matrixPanel;
    Panel *m_graphPanel;
    MatrixView *m_matrix;
    GraphView *m_graph;
    LinkLegend *m_legend;
    MeaningPanel *m_meaningPanel;
    PairPanel *m_pairPanel;
    SetsPanel *m_setsPanel;
    QSplitter *m_top = nullptr;   // matrix | graph, and in the wide arrangement the tabs under the graph
    QSplitter *m_right = nullptr; // graph over tabs
    QSplitter *m_below = nullptr; // the three panels side by side
    QStackedWidget *m_stack = nullptr;
    Segmented *m_tabs = nullptr;
    bool m_wide = false;
    QTimer m_age; // brings "read 2 min ago" up to date
};

} // namespace sb
