// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/figure_dialog.h"

#include "sentences/sentence.h"
#include "widgets/sb_style.h"
#include "widgets/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSaveFile>
#include <QVBoxLayout>

namespace sb {

namespace {

QHBoxLayout *rowOf(const std::vector<QWidget *> &widgets)
{
    auto *row = new QHBoxLayout;
    row->setSpacing(12);
    for (QWidget *widget : widgets)
        row->addWidget(widget);
    row->addStretch();
    return row;
}

} // namespace

FigureDialog::FigureDialog(std::vector<NamedFigure> figures, const QString &folder, QWidget *parent)
    : QDialog(parent)
    , m_figures(std::move(figures))
    , m_png(new QCheckBox(QStringLiteral("PNG"), this))
    , m_svg(new QCheckBox(QStringLiteral("SVG"), this))
    , m_pdf(new QCheckBox(QStringLiteral("PDF"), this))
    , m_palette(new QComboBox(this))
    , m_widths(new QComboBox(this))
    , m_width(new QDoubleSpinBox(this))
    , m_folder(new QLineEdit(folder, this))
    , m_list(new TextLabel(TextRole::Secondary, Tone::Muted, this))
    , m_message(new TextLabel(TextRole::Body, Tone::Err, this))
    , m_export(new QPushButton(tr("Export"), this))
{
    setWindowTitle(tr("Export figures"));
    setMinimumWidth(520);
    auto *form = new QFormLayout;
    std::vector<QWidget *> boxes;
    for (const NamedFigure &figure : m_figures) {
        auto *box = new QCheckBox(figure.title, this);
        box->setChecked(true);
        m_wanted.push_back(box);
        boxes.push_back(box);
    }
    form->addRow(tr("Figures"), rowOf(boxes));
    m_png->setChecked(true);
    m_svg->setChecked(true);
    form->addRow(tr("Formats"), rowOf({m_png, m_svg, m_pdf}));
    m_widths->addItem(tr("85 mm, one column"), 85.0);
    m_widths->addItem(tr("120 mm"), 120.0);
    m_widths->addItem(tr("174 mm, two columns"), 174.0);
    m_widths->addItem(tr("Other"), 0.0);
    m_width->setRange(40, 400);
    m_width->setDecimals(0);
    m_width->setValue(85);
    m_width->setSuffix(QStringLiteral(" mm"));
    m_width->setAccessibleName(tr("Width in millimetres"));
    m_widths->setAccessibleName(tr("Width"));
    form->addRow(tr("Width"), rowOf({m_widths, m_width}));
    m_palette->addItem(tr("Print"), static_cast<int>(ChartPalette::Print));
    m_palette->addItem(tr("Grey"), static_cast<int>(ChartPalette::Grey));
    m_palette->addItem(tr("Dark"), static_cast<int>(ChartPalette::Dark));
    form->addRow(tr("Palette"), m_palette);
    auto *browse = new QPushButton(tr("Browse…"), this);
    auto *place = new QHBoxLayout;
    place->addWidget(m_folder, 1);
    place->addWidget(browse);
    m_folder->setAccessibleName(tr("Folder"));
    form->addRow(tr("Folder"), place);
    finish(form, browse);
}

void FigureDialog::finish(QFormLayout *form, QPushButton *browse)
{
    m_list->setWordWrap(true);
    m_message->setWordWrap(true);
    m_message->hide();
    setButtonRole(m_export, ButtonRole::Primary);
    m_export->setDefault(true);
    auto *cancel = new QPushButton(tr("Cancel"), this);
    auto *buttons = new QHBoxLayout;
    buttons->addStretch();
    buttons->addWidget(m_export);
    buttons->addWidget(cancel);
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(m_list);
    layout->addWidget(m_message);
    layout->addLayout(buttons);

    for (QCheckBox *box : findChildren<QCheckBox *>())
        connect(box, &QCheckBox::toggled, this, &FigureDialog::refresh);
    connect(m_folder, &QLineEdit::textChanged, this, &FigureDialog::refresh);
    connect(m_widths, &QComboBox::currentIndexChanged, this, [this] {
        const double width = m_widths->currentData().toDouble();
        m_width->setEnabled(width <= 0);
        if (width > 0)
            m_width->setValue(width);
    });
    m_width->setEnabled(false);
    connect(browse, &QPushButton::clicked, this, &FigureDialog::choose);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_export, &QPushButton::clicked, this, [this] {
        const QString failure = exportFiles();
        m_message->setText(failure);
        m_message->setVisible(!failure.isEmpty());
        if (failure.isEmpty())
            accept();
    });
    refresh();
}

QString FigureDialog::folder() const
{
    return m_folder->text();
}

void FigureDialog::choose()
{
    auto *dialog = new QFileDialog(this, tr("Folder for the figures"), folder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, m_folder, &QLineEdit::setText);
    dialog->open();
}

QStringList FigureDialog::files() const
{
    QStringList names;
    for (std::size_t i = 0; i < m_figures.size(); ++i) {
        if (!m_wanted[i]->isChecked())
            continue;
        for (const QCheckBox *format : {m_png, m_svg, m_pdf})
            if (format->isChecked())
                names.append(m_figures[i].fileStem + QLatin1Char('.') + format->text().toLower());
    }
    return names;
}

void FigureDialog::refresh()
{
    const QStringList names = files();
    QStringList replaced;
    for (const QString &name : names)
        if (QDir(folder()).exists(name))
            replaced.append(name);
    QString text = names.isEmpty() ? tr("Choose a figure and a format.")
                                   : tr("Writes %1.").arg(names.join(QStringLiteral(", ")));
    if (!replaced.isEmpty())
        text += QLatin1Char(' ') + tr("Replaces %1.").arg(replaced.join(QStringLiteral(", ")));
    m_list->setText(text);
    m_export->setEnabled(!names.isEmpty() && !folder().isEmpty());
}

QString FigureDialog::exportFiles()
{
    const QDir dir(folder());
    if (!dir.mkpath(QStringLiteral(".")))
        return tr("The folder %1 cannot be made; choose another.").arg(folder());
    const FigureStyle style{static_cast<ChartPalette>(m_palette->currentData().toInt()), m_width->value(),
                            QString()};
    const std::vector<std::pair<QCheckBox *, FigureFormat>> formats{
        {m_png, FigureFormat::Png}, {m_svg, FigureFormat::Svg}, {m_pdf, FigureFormat::Pdf}};
    for (std::size_t i = 0; i < m_figures.size(); ++i) {
        if (!m_wanted[i]->isChecked())
            continue;
        for (const auto &[box, format] : formats) {
            if (!box->isChecked())
                continue;
            const NamedFigure &named = m_figures[i];
            const auto bytes = named.painted ? exportDrawing(drawingOf(*named.painted, style), format)
                                             : exportFigure(named.figure, style, format);
            if (!bytes)
                return translateSentence(bytes.error().message);
            const QString path =
                dir.filePath(m_figures[i].fileStem + QLatin1Char('.') + box->text().toLower());
            QSaveFile file(path);
            if (!file.open(QIODevice::WriteOnly) || file.write(*bytes) != bytes->size() || !file.commit())
                return tr("%1 was not written: %2. Choose another folder.").arg(path, file.errorString());
        }
    }
    return {};
}

} // namespace sb
