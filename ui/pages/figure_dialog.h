// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/figure_exporter.h"
#include "charts/painted_figure.h"

#include <QDialog>

#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace sb {

// A figure that can be exported, and the beginning of its file's name.
struct NamedFigure {
    QString title;
    QString fileStem;
    ScalingFigure figure;
    std::optional<PaintedFigure> painted = {}; // in place of `figure`
};

// Export of the figures of a page: which, in what formats, how wide, where to; the files are listed and
// those that would be replaced are named before anything is written.
class FigureDialog : public QDialog {
    Q_OBJECT
public:
    FigureDialog(std::vector<NamedFigure> figures, const QString &folder, QWidget *parent = nullptr);

    QStringList files() const; // that Export would write, relative to the folder
    // Writes them; each file whole or not at all. Returns a sentence on failure, else nothing.
    QString exportFiles();
    QString folder() const;

private:
    void finish(QFormLayout *form, QPushButton *browse); // list, buttons, connections
    void choose();
    void refresh();

    std::vector<NamedFigure> m_figures;
    std::vector<QCheckBox *> m_wanted;
    QCheckBox *m_png;
    QCheckBox *m_svg;
    QCheckBox *m_pdf;
    QComboBox *m_palette;
    QComboBox *m_widths;
    QDoubleSpinBox *m_width;
    QLineEdit *m_folder;
    QLabel *m_list;
    QLabel *m_message;
    QPushButton *m_export;
};

} // namespace sb
