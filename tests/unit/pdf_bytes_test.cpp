// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/pdf_bytes.h"

#include <gtest/gtest.h>

#include <map>

namespace sb {

namespace {

// A document with a catalog, a page list and two fonts, laid out as Qt does it, with these object numbers.
QByteArray madePdf(int catalog, int pages, int fontA, int fontB, const QByteArray &date,
                   const QByteArray &tag)
{
    const auto ref = [](int number) { return QByteArray::number(number) + " 0 R"; };
    std::map<int, QByteArray> bodies;
    bodies[catalog] = "\n<< /Pages " + ref(pages) + " /CreationDate (D:" + date + ") >>\nendobj\n";
    bodies[pages] = "\n<< /Fonts [ " + ref(fontA) + " " + ref(fontB) + " ] >>\nendobj\n";
    bodies[fontA] = "\n<< /FontName /" + tag + "+One >>\nendobj\n";
    bodies[fontB] = "\n<< /Length 8 >>\nstream\n1 0 R \xff\nendstream\nendobj\n";
    QByteArray pdf = "%PDF-1.4\n";
    QByteArray table =
        "xref\n0 " + QByteArray::number(static_cast<int>(bodies.size()) + 1) + "\n0000000000 65535 f \n";
    for (const auto &[number, body] : bodies) {
        table += QByteArray::number(pdf.size()).rightJustified(10, '0') + " 00000 n \n";
        pdf += QByteArray::number(number) + " 0 obj" + body;
    }
    const QByteArray start = QByteArray::number(pdf.size());
    return pdf + table + "trailer\n<<\n/Size 5\n/Root " + ref(catalog) + "\n>>\nstartxref\n" + start +
           "\n%%EOF\n";
}

TEST(CanonicalPdf, DoesNotDependOnNumbersOrTime)
{
    const QByteArray one = canonicalPdf(madePdf(1, 2, 3, 4, "20201015120000+02'00'", "QAAAAB"));
    EXPECT_EQ(canonicalPdf(madePdf(4, 1, 2, 3, "20261129130405Z", "QZZAAC")), one);
    EXPECT_TRUE(one.contains("(D:20000101000000Z)"));
    EXPECT_EQ(canonicalPdf(one), one);
}

// A document with a metadata stream.
QByteArray madeWithStream(const QByteArray &packet)
{
    const QByteArray root = "1 0 obj\n<< /Metadata 2 0 R >>\nendobj\n";
    const QByteArray data = "2 0 obj\n<<\n/Type /Metadata /Subtype /XML\n/Length " +
                            QByteArray::number(packet.size()) + "\n>>\nstream\n" + packet +
                            "\nendstream\nendobj\n";
    const QByteArray head = "%PDF-1.4\n";
    const auto offset = [](qsizetype at) {
        return QByteArray::number(at).rightJustified(10, '0') + " 00000 n \n";
    };
    const qsizetype table = head.size() + root.size() + data.size();
    return head + root + data + "xref\n0 3\n0000000000 65535 f \n" + offset(head.size()) +
           offset(head.size() + root.size()) + "trailer\n<<\n/Size 3\n/Root 1 0 R\n>>\nstartxref\n" +
           QByteArray::number(table) + "\n%%EOF\n";
}

QByteArray madePacket(const QByteArray &time)
{
    return "<rdf xmp:CreateDate=\"" + time + "\" xmp:ModifyDate=\"" + time + "\"/>";
}

TEST(CanonicalPdf, MakesCharactersOfRadicalsAndLigatures)
{
    const QByteArray map =
        canonicalPdf(madeWithStream("/CIDInit\n2 beginbfrange\n<0001> <2F50> [<2F50> <0009> "
                                    "<FB02> <4E2D>]\nendbfrange"));
    EXPECT_TRUE(map.contains("<0001> <2F50> [<6BD4> <0020> <0066006C> <4E2D>]")) << map.toStdString();
    const QByteArray stream =
        "/CIDInit\n2 beginbfrange\n<0001> <2F50> [<6BD4> <0020> <0066006C> <4E2D>]\nendbfrange";
    EXPECT_TRUE(map.contains("/Length " + QByteArray::number(stream.size()) + "\n"));
}

TEST(CanonicalPdf, DoesNotDependOnTheTimeZone)
{
    const QByteArray one = canonicalPdf(madeWithStream(madePacket("2026-11-29T16:48:48Z")));
    EXPECT_EQ(one, canonicalPdf(madeWithStream(madePacket("2026-11-30T00:48:48+08:00"))));
    EXPECT_TRUE(one.contains("/Length 82\n")) << one.toStdString(); // of the packet as it stands there
    EXPECT_EQ(one.indexOf("\nendstream") - one.indexOf("<rdf"), 82);
}

// As Qt writes it from 6.8 on.
QByteArray madeMetadata(const QByteArray &day, const QByteArray &uuid, const QByteArray &id)
{
    return "<< /CreationDate (D:" + day + "164848Z) /ModDate (D:" + day +
           "164848Z) >> xmp:CreateDate=\"2026-" + day.mid(4, 2) + "-" + day.mid(6, 2) +
           "T16:48:48+00:00\" xmpMM:DocumentID=\"uuid:" + uuid + "\" /ID [ <" + id + "> <" + id + "> ]";
}

TEST(CanonicalPdf, FixesEveryDateAndId)
{
    const QByteArray one =
        canonicalPdf(madeMetadata("20261129", "3a277693-6c5d-4564-b7a2-957db47def30", "33613237"));
    EXPECT_EQ(one,
              canonicalPdf(madeMetadata("20270102", "73f59399-db93-4eef-943b-d38a01fac344", "37336635")));
    EXPECT_TRUE(one.contains("/CreationDate (D:20000101000000Z) /ModDate (D:20000101000000Z)"));
    EXPECT_TRUE(one.contains("xmp:CreateDate=\"2000-01-01T00:00:00+00:00\""));
    EXPECT_TRUE(one.contains("uuid:00000000-0000-0000-0000-000000000000\" /ID [ <00000000> <00000000> ]"));
}

TEST(CanonicalPdf, LeavesStreamsAlone)
{
    const QByteArray pdf = canonicalPdf(madePdf(4, 1, 2, 3, "20261129130405Z", "QZZAAC"));
    EXPECT_TRUE(pdf.contains("stream\n1 0 R \xff\nendstream"));
}

TEST(CanonicalPdf, LeavesWhatItDoesNotKnow)
{
    EXPECT_EQ(canonicalPdf("not a document"), QByteArray("not a document"));
    EXPECT_EQ(canonicalPdf(QByteArray()), QByteArray());
}

} // namespace

} // namespace sb
