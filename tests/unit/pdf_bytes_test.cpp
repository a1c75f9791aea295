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
    bodies[catalog] = "\n<< /Pages " + ref(pages) + " /CreationDate (D:" + date + "+02'00') >>\nendobj\n";
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
    const QByteArray one = canonicalPdf(madePdf(1, 2, 3, 4, "20201015120000", "QAAAAB"));
    EXPECT_EQ(canonicalPdf(madePdf(4, 1, 2, 3, "20261129130405", "QZZAAC")), one);
    EXPECT_TRUE(one.contains("(D:20000101000000+00'00')"));
    EXPECT_EQ(canonicalPdf(one), one);
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
    const QByteArray pdf = canonicalPdf(madePdf(4, 1, 2, 3, "20261129130405", "QZZAAC"));
    EXPECT_TRUE(pdf.contains("stream\n1 0 R \xff\nendstream"));
}

TEST(CanonicalPdf, LeavesWhatItDoesNotKnow)
{
    EXPECT_EQ(canonicalPdf("not a document"), QByteArray("not a document"));
    EXPECT_EQ(canonicalPdf(QByteArray()), QByteArray());
}

} // namespace

} // namespace sb
