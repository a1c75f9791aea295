// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/paste_dialog.h"

#include "core/link_measurements.h"
#include "core/topology_parser.h"
#include "sentences/sentence.h"
#include "widgets/sb_style.h"
#include "widgets/text.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace sb {

PasteDialog::PasteDialog(QWidget *parent)
    : QDialog(parent)
    , m_editor(new QPlainTextEdit(this))
    , m_name(new QLineEdit(this))
    , m_product(new QLineEdit(this))
    , m_verdict(new TextLabel(TextRole::Secondary, Tone::Muted, this))
    , m_accept(new QPushButton(tr("Show"), this))
{
    setWindowTitle(tr("Paste a topology"));
    resize(640, 420);
    m_editor->setFont(roleFont(TextRole::Mono));
    m_editor->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_editor->setAccessibleName(tr("Text"));
    m_editor->setPlaceholderText(tr("What nvidia-smi topo -m, topo -p2p r, nvlink -s or rocm-smi --showtopo "
                                    "printed; or measured rates of "
                                    "sbtrain bench p2p, nvbandwidth, p2pBandwidthLatencyTest or nccl-tests"));
    m_editor->setTabChangesFocus(true);
    m_name->setPlaceholderText(tr("pasted"));
    m_product->setPlaceholderText(tr("for nominal rates, for example NVIDIA H200"));
    m_verdict->setWordWrap(true);
    auto *cancel = new QPushButton(tr("Cancel"), this);
    setButtonRole(m_accept, ButtonRole::Primary);
    m_accept->setDefault(true);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 12);
    layout->setSpacing(8);
    layout->addWidget(m_editor, 1);
    auto *form = new QFormLayout;
    form->addRow(tr("&Node"), m_name);
    form->addRow(tr("&GPU"), m_product);
    layout->addLayout(form);
    layout->addWidget(m_verdict);
    auto *buttons = new QHBoxLayout;
    buttons->addStretch();
    buttons->addWidget(m_accept);
    buttons->addWidget(cancel);
    layout->addLayout(buttons);
    connect(m_editor, &QPlainTextEdit::textChanged, this, &PasteDialog::judge);
    connect(m_accept, &QPushButton::clicked, this, &QDialog::accept);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    judge();
}

QString PasteDialog::text() const
{
    return m_editor->toPlainText();
}

QString PasteDialog::name() const
{
    const QString name = m_name->text().trimmed();
    return name.isEmpty() ? tr("pasted") : name;
}

QString PasteDialog::product() const
{
    return m_product->text().trimmed();
}

QString PasteDialog::verdict() const
{
    return m_verdict->text();
}

void PasteDialog::judge()
{
    if (text().trimmed().isEmpty()) {
        m_verdict->setText({});
        m_accept->setEnabled(false);
        return;
    }
    const Topology topology = parseTopology(text().toStdString());
    const auto measured =
        topology.error ? readLinkMeasurements(text().toStdString()) : Result<LinkMeasurements>(Error{});
    m_accept->setEnabled(!topology.error || measured);
    if (measured)
        m_verdict->setText(tr("Measured rates by %1, for the machine shown").arg(toQString(measured->tool)));
    else if (topology.error)
        m_verdict->setText(translateSentence(topology.error->text));
    else
        m_verdict->setText(tr("%n GPU(s)", nullptr, topology.gpuCount()) + QStringLiteral(", ") +
                           tr("%n network card(s)", nullptr, static_cast<int>(topology.nics().size())) +
                           (topology.damaged() ? tr(", damaged rows") : QString()));
}

} // namespace sb
