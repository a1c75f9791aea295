// SPDX-License-Identifier: GPL-3.0-or-later
// Texts from files and the clipboard, pictures to files, and what is told about it.
#include "pages/topology_page.h"

#include "pages/paste_dialog.h"
#include "sentences/sentence.h"
#include "topology/topology_exporter.h"
#include "widgets/banner.h"
#include "widgets/panel.h"

#include <QDragEnterEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QSaveFile>

namespace sb {

namespace {
constexpr qint64 kMostBytes = qint64{1} << 20; // what the parsers read
} // namespace

void TopologyPage::openFile(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        m_banner->showMessage(Banner::Kind::Error, tr("%1 cannot be read.").arg(QFileInfo(path).fileName()),
                              file.errorString());
        return;
    }
    const QString text = QString::fromUtf8(file.read(kMostBytes + 1));
    takeText(text, {QFileInfo(path).fileName(), tr("file"), QDateTime::currentDateTimeUtc(), {}});
}

void TopologyPage::askPaste()
{
    auto *dialog = new PasteDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        takeText(dialog->text(),
                 {dialog->name(), tr("pasted text"), QDateTime::currentDateTimeUtc(), dialog->product()});
    });
    dialog->open();
}

void TopologyPage::askExport()
{
    if (!shown())
        return;
    auto *dialog = new QFileDialog(this, tr("Export the topology"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    QStringList filters;
    for (const QString &format : {QStringLiteral("svg"), QStringLiteral("pdf"), QStringLiteral("png")})
        filters << tr("Graph (*.%1)").arg(QStringLiteral("graph.") + format);
    for (const QString &format : {QStringLiteral("svg"), QStringLiteral("pdf"), QStringLiteral("png")})
        filters << tr("Matrix (*.%1)").arg(QStringLiteral("matrix.") + format);
    dialog->setNameFilters(filters);
    dialog->selectFile(QFileInfo(shown()->source.name).baseName() + QStringLiteral(".graph.svg"));
    connect(dialog, &QFileDialog::fileSelected, this, &TopologyPage::savePicture);
    dialog->open();
}

// The name says what is wanted: "node1.graph.svg", "node1.matrix.pdf".
void TopologyPage::savePicture(const QString &path)
{
    const TopologyEntry *entry = shown();
    if (!entry)
        return;
    const QString suffix = QFileInfo(path).suffix().toLower();
    const bool matrix =
        QFileInfo(path).completeSuffix().startsWith(QLatin1String("matrix"), Qt::CaseInsensitive);
    const TopologyFormat format = suffix == QLatin1String("pdf")   ? TopologyFormat::Pdf
                                  : suffix == QLatin1String("png") ? TopologyFormat::Png
                                                                   : TopologyFormat::Svg;
    const auto bytes =
        exportTopology(entry->topology, matrix ? TopologyPicture::Matrix : TopologyPicture::Graph, format,
                       font(), language());
    QSaveFile file(path);
    if (!bytes || !file.open(QIODevice::WriteOnly) || file.write(*bytes) != bytes->size() || !file.commit()) {
        m_banner->showMessage(Banner::Kind::Error, tr("%1 could not be written.").arg(path),
                              bytes ? file.errorString() : translateSentence(bytes.error().message));
        return;
    }
    m_banner->showMessage(Banner::Kind::Info, tr("Wrote %1").arg(path));
}

void TopologyPage::dragEnterEvent(QDragEnterEvent *event)
{
    if (event->mimeData()->hasUrls() || event->mimeData()->hasText())
        event->acceptProposedAction();
}

void TopologyPage::dropEvent(QDropEvent *event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    if (!urls.isEmpty() && urls[0].isLocalFile())
        openFile(urls[0].toLocalFile());
    else if (event->mimeData()->hasText())
        takeText(event->mimeData()->text(),
                 {tr("dropped text"), tr("pasted text"), QDateTime::currentDateTimeUtc(), {}});
}

void TopologyPage::tellFailure(const QString &node, const QString &sentence)
{
    m_banner->showMessage(Banner::Kind::Error, tr("The topology of %1 was not read.").arg(node), sentence);
}

QString TopologyPage::subtitle() const
{
    return header()->subtitle();
}

} // namespace sb
