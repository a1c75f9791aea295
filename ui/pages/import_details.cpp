// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/import_details.h"

#include "charts/tokens.h"
#include "widgets/text.h"

#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QTextBlock>
#include <QTextEdit>

namespace sb {

namespace {

constexpr int kColumnsInARow = 4;
constexpr std::size_t kExampleChars = 24;

QString roleTitle(const std::string &role)
{
    const std::map<std::string, QString> titles{{"throughput", ColumnChooser::tr("Throughput")},
                                                {"framework", ColumnChooser::tr("Framework")},
                                                {"workload", ColumnChooser::tr("Workload")},
                                                {"precision", ColumnChooser::tr("Precision")},
                                                {"batch", ColumnChooser::tr("Batch size")},
                                                {"case", ColumnChooser::tr("Case (2n8g)")},
                                                {"nodes", ColumnChooser::tr("Nodes")},
                                                {"per_node", ColumnChooser::tr("Devices per node")},
                                                {"devices", ColumnChooser::tr("All devices")},
                                                {"device", ColumnChooser::tr("Device")},
                                                {"data", ColumnChooser::tr("Data")},
                                                {"unit", ColumnChooser::tr("Unit")}};
    return titles.at(role);
}

} // namespace

TrialView::TrialView(QWidget *parent)
    : QPlainTextEdit(parent)
{
    setReadOnly(true);
    setLineWrapMode(NoWrap);
    setFont(roleFont(TextRole::Mono));
    setTabChangesFocus(true);
}

void TrialView::setTrial(const PatternTrial &trial)
{
    m_trial = trial;
    QString text;
    for (const TrialLine &line : trial.lines)
        text += (text.isEmpty() ? QString() : QStringLiteral("\n")) +
                toQString(line.text).replace(QLatin1Char('\n'), QLatin1Char(' '));
    setPlainText(text);
    highlight();
}

void TrialView::highlight()
{
    const Tokens &tokens = Tokens::of(palette());
    QList<QTextEdit::ExtraSelection> marks;
    const auto mark = [&](int row, const TrialLine &line, const LineSpan &span,
                          const QTextCharFormat &format) {
        if (span.length == 0)
            return;
        const QTextBlock block = document()->findBlockByNumber(row);
        const auto chars = [&](std::uint32_t bytes) {
            return static_cast<int>(toQString(line.text.substr(0, bytes)).size());
        };
        QTextEdit::ExtraSelection selection;
        selection.cursor = QTextCursor(block);
        selection.cursor.setPosition(block.position() + chars(span.at));
        selection.cursor.setPosition(block.position() + chars(span.at + span.length),
                                     QTextCursor::KeepAnchor);
        selection.format = format;
        marks << selection;
    };
    QTextCharFormat whole, step, rate;
    whole.setBackground(tokens.infoBg);
    step.setBackground(tokens.infoBg);
    step.setForeground(tokens.info);
    rate.setBackground(tokens.accent);
    rate.setForeground(tokens.onAccent);
    for (std::size_t i = 0; i < m_trial.lines.size(); ++i) {
        const TrialLine &line = m_trial.lines[i];
        mark(static_cast<int>(i), line, line.match, whole);
        mark(static_cast<int>(i), line, line.step, step);
        mark(static_cast<int>(i), line, line.rate, rate);
    }
    setExtraSelections(marks);
}

void TrialView::changeEvent(QEvent *event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        highlight();
}

ColumnChooser::ColumnChooser(QWidget *parent)
    : QWidget(parent)
{
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(4);
    int place = 0;
    for (const char *role : kTableRoles) {
        auto *box = new QComboBox(this);
        auto *label = new TextLabel(TextRole::Fine, Tone::Muted, this);
        label->setText(roleTitle(role));
        label->setBuddy(box);
        box->setAccessibleName(roleTitle(role));
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(8);
        grid->addWidget(label, 2 * (place / kColumnsInARow), place % kColumnsInARow);
        grid->addWidget(box, 2 * (place / kColumnsInARow) + 1, place % kColumnsInARow);
        ++place;
        m_boxes.emplace(role, box);
        connect(box, &QComboBox::activated, this, [this, role = std::string(role)](int index) {
            m_chosen[role] = std::to_string(index); // 0: no column, in spite of what its name says
            Q_EMIT changed();
        });
    }
}

void ColumnChooser::setTable(const TableHead &table)
{
    for (const auto &[role, box] : m_boxes) {
        const QSignalBlocker quiet(box);
        box->clear();
        box->addItem(tr("none"));
        for (std::size_t i = 0; i < table.names.size(); ++i) {
            const std::string example =
                !table.rows.empty() && i < table.rows[0].size() ? table.rows[0][i] : std::string();
            const QString shown = toQString(example).left(static_cast<qsizetype>(kExampleChars));
            box->addItem(shown.isEmpty() ? toQString(table.names[i])
                                         : tr("%1 (%2)").arg(toQString(table.names[i]), shown));
        }
        const auto column = table.columns.find(role);
        box->setCurrentIndex(column == table.columns.end() ? 0 : static_cast<int>(column->second) + 1);
    }
}

} // namespace sb
