// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/case_grid_model.h"
#include "widgets/panel.h"
#include "widgets/texts.h"

class QTableView;

namespace sb {

class CaseColumnHeader;
class CaseDelegate;
class Segmented;

// The cases of the plan as a grid, with a count and the choice of what cells show.
class PlanGrid : public Panel {
    Q_OBJECT
public:
    explicit PlanGrid(QWidget *parent = nullptr);

    CaseGridModel &model() { return m_model; }
    QTableView *view() { return m_view; }
    // After the model has been filled: column widths, count, a chosen case.
    void casesChanged();
    std::optional<std::size_t> currentCase() const;
    // Height at which every row is in sight, within what the page can spare.
    int wantedHeight() const;

Q_SIGNALS:
    void caseChosen(std::size_t caseIndex);

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void fitColumns();
    void showCount();

    CaseGridModel m_model;
    QTableView *m_view;
    CaseColumnHeader *m_columns;
    CaseDelegate *m_delegate;
    Segmented *m_show;
    TextLabel *m_showName;
    TextLabel *m_corner;
    Texts m_texts;
};

} // namespace sb
