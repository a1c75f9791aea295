// SPDX-License-Identifier: GPL-3.0-or-later
// The three panels under matrix and graph: what it means, one pair, best GPU sets.
#pragma once

#include "core/topology_meaning.h"
#include "topology/topology_painter.h"
#include "widgets/panel.h"
#include "widgets/texts.h"

class QLabel;
class QFormLayout;
class QPushButton;
class QTableWidget;

namespace sb {

class MeaningPanel : public Panel {
    Q_OBJECT
public:
    explicit MeaningPanel(QWidget *parent = nullptr);
    struct Words {
        WordLanguage language = WordLanguage::English;
        QStringList remarks; // said first, as warnings
    };
    void show(const Topology &topology, const TopologyMeaning &meaning, const Words &words);
    QString text() const;

private:
    static QString findingText(const TopologyFinding &finding);
    static QString adviceText(const Topology &topology, const TopologyMeaning &meaning);
    QLabel *m_text;
};

class PairPanel : public Panel {
    Q_OBJECT
public:
    explicit PairPanel(QWidget *parent = nullptr);
    void show(const Topology &topology, std::optional<DevicePair> pair,
              const std::optional<LinkMeasurements> &measured = {});
    // Label and value of each row shown.
    std::vector<std::pair<QString, QString>> rows() const { return m_shown; }

private:
    void add(const QString &label, const QString &value);
    void addMeasured(const Topology &topology, const DevicePair &pair, const LinkMeasurements &measured);
    std::vector<std::pair<QString, QString>> m_shown;
    QWidget *m_body = nullptr;
    QFormLayout *m_form = nullptr;
};

class SetsPanel : public Panel {
    Q_OBJECT
public:
    explicit SetsPanel(QWidget *parent = nullptr);
    void show(const Topology &topology, const TopologyMeaning &meaning, WordLanguage language);
    QString currentLine() const; // "CUDA_VISIBLE_DEVICES=0,1,2,3"; empty when no set is chosen
    QTableWidget *table() { return m_table; }
    QPushButton *useButton() { return m_use; }

Q_SIGNALS:
    void useInPlanWanted(int gpus, const QString &numbers);

protected:
    void changeEvent(QEvent *event) override;

private:
    QTableWidget *m_table;
    QPushButton *m_copy;
    QPushButton *m_use;
    std::vector<QString> m_lines;
    Texts m_texts;
};

} // namespace sb
