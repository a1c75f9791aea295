// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/pdf_bytes.h"

#include <QList>
#include <QMap>
#include <QRegularExpression>

#include <algorithm>
#include <cctype>
#include <functional>

namespace sb {

namespace {

const QRegularExpression &reference()
{
    static const QRegularExpression pattern(QStringLiteral("\\b(\\d+) 0 R\\b"));
    return pattern;
}

// Writes over each match's first group, keeping its length, so that no offset in the file moves: a date keeps
// its punctuation and becomes the first of January 2000, an identifier becomes zeros.
void overwrite(QByteArray &pdf, const QRegularExpression &pattern, const QByteArray &digits)
{
    auto matches = pattern.globalMatch(QString::fromLatin1(pdf));
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        for (int group = 1; group <= match.lastCapturedIndex(); ++group) {
            qsizetype written = 0;
            for (qsizetype i = match.capturedStart(group); i < match.capturedEnd(group); ++i)
                if (std::isxdigit(static_cast<unsigned char>(pdf[i])))
                    pdf[i] = written < digits.size() ? digits[written++] : '0';
        }
    }
}

// Qt up to 6.7 writes one date; 6.8 adds the date of change, the same dates once more as XMP metadata, and a
// random document id in the metadata and in the trailer.
void fixDatesAndIds(QByteArray &pdf)
{
    static const QRegularExpression infoDate(QStringLiteral("/(?:CreationDate|ModDate) \\(D:([^)]*)\\)"));
    static const QRegularExpression xmpDate(
        QStringLiteral("xmp:(?:Create|Modify|Metadata)Date=\"([^\"]*)\""));
    static const QRegularExpression xmpId(QStringLiteral("xmpMM:DocumentID=\"uuid:([^\"]*)\""));
    static const QRegularExpression id(QStringLiteral("/ID\\s*\\[\\s*<([0-9A-Fa-f]+)>\\s*<([0-9A-Fa-f]+)>"));
    const QByteArray newYear("20000101");
    overwrite(pdf, infoDate, newYear);
    overwrite(pdf, xmpDate, newYear);
    overwrite(pdf, xmpId, QByteArray());
    overwrite(pdf, id, QByteArray());
}

// An object without its "N 0 obj" line: what may refer to others, and the bytes of its stream.
struct PdfObject {
    QString text; // Latin-1
    QByteArray stream;
};

struct PdfFile {
    QByteArray head; // before the first object
    QMap<int, PdfObject> objects;
    QString trailer; // from "<<" to ">>"
};

bool readObjects(const QByteArray &pdf, const QMap<qsizetype, int> &numbers, qsizetype end, PdfFile &file)
{
    for (auto it = numbers.begin(); it != numbers.end(); ++it) {
        const qsizetype stop = std::next(it) == numbers.end() ? end : std::next(it).key();
        const QByteArray start = QByteArray::number(it.value()) + " 0 obj";
        if (pdf.mid(it.key(), start.size()) != start)
            return false;
        const QByteArray body = pdf.mid(it.key() + start.size(), stop - it.key() - start.size());
        const qsizetype stream = body.indexOf("stream\n");
        PdfObject object;
        object.text = QString::fromLatin1(stream < 0 ? body : body.left(stream));
        object.stream = stream < 0 ? QByteArray() : body.mid(stream);
        file.objects[it.value()] = object;
    }
    file.head = numbers.isEmpty() ? QByteArray() : pdf.left(numbers.firstKey());
    return !numbers.isEmpty();
}

// The classic layout: objects, one cross-reference table, one trailer.
bool readPdf(const QByteArray &pdf, PdfFile &file)
{
    const qsizetype pointer = pdf.lastIndexOf("startxref");
    if (pointer < 0)
        return false;
    const qsizetype table = pdf.mid(pointer + 9).trimmed().split('\n').first().toLongLong();
    const qsizetype trailer = pdf.indexOf("trailer", table);
    if (table <= 0 || pdf.mid(table, 4) != "xref" || trailer < 0 || trailer > pointer)
        return false;
    const QList<QByteArray> lines = pdf.mid(table, trailer - table).split('\n');
    QMap<qsizetype, int> numbers; // by offset
    for (qsizetype i = 2; i < lines.size(); ++i) {
        const QList<QByteArray> fields = lines[i].simplified().split(' ');
        if (fields.size() == 3 && fields[2] == "n" && fields[0].toLongLong() > 0)
            numbers[fields[0].toLongLong()] = static_cast<int>(i) - 2;
    }
    file.trailer = QString::fromLatin1(pdf.mid(trailer + 7, pointer - trailer - 7)).trimmed();
    return readObjects(pdf, numbers, table, file);
}

QString renumbered(const QString &text, const QMap<int, int> &fresh)
{
    QString out;
    qsizetype from = 0;
    auto matches = reference().globalMatch(text);
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        out += QStringView(text).mid(from, match.capturedStart() - from);
        out += QString::number(fresh.value(match.captured(1).toInt())) + QStringLiteral(" 0 R");
        from = match.capturedEnd();
    }
    return out + QStringView(text).mid(from).toString();
}

// The six letters before a subset's font name come from its object's number, so they follow the new one.
QString retagged(QString text, int number)
{
    static const QRegularExpression tag(QStringLiteral("/FontName /[A-Z]{6}\\+"));
    QString letters(6, QLatin1Char('A'));
    for (qsizetype i = 5; i >= 0 && number > 0; --i, number /= 26)
        letters[i] = QLatin1Char(static_cast<char>('A' + number % 26));
    return text.replace(tag, QStringLiteral("/FontName /") + letters + QLatin1Char('+'));
}

// An object says the length of its stream, here or in another object; then the stream stays as it is.
void replaceStream(PdfObject &object, const QByteArray &stream)
{
    static const QRegularExpression length(QStringLiteral("/Length (\\d+)(?! 0 R)\\b"));
    const QRegularExpressionMatch said = length.match(object.text);
    if (!said.hasMatch())
        return;
    const qsizetype bytes = said.captured(1).toLongLong() + stream.size() - object.stream.size();
    object.text.replace(said.capturedStart(), said.capturedLength(), QStringLiteral("/Length %1").arg(bytes));
    object.stream = stream;
}

// Dates are longer in some time zones ("+08'00'") than in others ("Z"), so in a whole document they are
// written anew. The metadata says its length.
void unifyDates(PdfObject &object)
{
    static const QRegularExpression info(QStringLiteral("/(CreationDate|ModDate) \\(D:[^)]*\\)"));
    object.text.replace(info, QStringLiteral("/\\1 (D:20000101000000Z)"));
    static const QRegularExpression xmp(QStringLiteral("xmp:(Create|Modify|Metadata)Date=\"[^\"]*\""));
    if (!object.text.contains(QStringLiteral("/Metadata")) || object.stream.isEmpty())
        return;
    const QByteArray unified = QString::fromLatin1(object.stream)
                                   .replace(xmp, QStringLiteral("xmp:\\1Date=\"2000-01-01T00:00:00Z\""))
                                   .toLatin1();
    replaceStream(object, unified);
}

// A glyph that stands for several characters is read back as the first of them: a Chinese radical in place
// of the character, a tab for a space, a ligature. Who searches or copies text wants the plain ones.
void plainLetters(PdfObject &object)
{
    if (!object.stream.startsWith("stream\n/CIDInit"))
        return;
    static const QRegularExpression list(QStringLiteral("\\[[^\\]]*\\]"));
    static const QRegularExpression value(QStringLiteral("<([0-9A-F]{4})>"));
    QString out;
    qsizetype from = 0;
    const QString text = QString::fromLatin1(object.stream);
    for (auto lists = list.globalMatch(text); lists.hasNext();) {
        const QRegularExpressionMatch found = lists.next();
        for (auto values = value.globalMatch(found.captured()); values.hasNext();) {
            const QRegularExpressionMatch one = values.next();
            const auto code = static_cast<char16_t>(one.captured(1).toUShort(nullptr, 16));
            const bool odd = (code >= 0x2E80 && code <= 0x2FDF) || (code >= 0xF900 && code <= 0xFAFF) ||
                             (code >= 0xFB00 && code <= 0xFB06);
            const QString plain = code == u'\t' ? QStringLiteral(" ")
                                  : odd ? QString(QChar(code)).normalized(QString::NormalizationForm_KC)
                                        : QString(QChar(code));
            out += QStringView(text).mid(from, found.capturedStart() + one.capturedStart() + 1 - from);
            for (const QChar c : plain)
                out += QStringLiteral("%1").arg(c.unicode(), 4, 16, QLatin1Char('0')).toUpper();
            from = found.capturedStart() + one.capturedEnd() - 1;
        }
    }
    out += QStringView(text).mid(from);
    replaceStream(object, out.toLatin1());
}

} // namespace

QByteArray canonicalPdf(QByteArray pdf)
{
    fixDatesAndIds(pdf);
    PdfFile file;
    if (!readPdf(pdf, file))
        return pdf;
    for (PdfObject &object : file.objects) {
        unifyDates(object);
        plainLetters(object);
    }
    // Breadth first from the trailer: each object gets the next number when it is first referred to.
    QList<int> order;
    QMap<int, int> fresh;
    const auto follow = [&](const QString &text) {
        auto matches = reference().globalMatch(text);
        while (matches.hasNext()) {
            const int number = matches.next().captured(1).toInt();
            if (!file.objects.contains(number) || fresh.contains(number))
                continue;
            order.append(number);
            fresh[number] = static_cast<int>(order.size());
        }
    };
    follow(file.trailer);
    for (qsizetype i = 0; i < order.size(); ++i)
        follow(file.objects[order[i]].text);

    QByteArray out = file.head;
    QByteArray table = "xref\n0 " + QByteArray::number(order.size() + 1) + "\n0000000000 65535 f \n";
    for (const int number : order) {
        table += QByteArray::number(out.size()).rightJustified(10, '0') + " 00000 n \n";
        const PdfObject &object = file.objects[number];
        out += QByteArray::number(fresh[number]) + " 0 obj" +
               retagged(renumbered(object.text, fresh), fresh[number]).toLatin1() + object.stream;
    }
    static const QRegularExpression size(QStringLiteral("/Size \\d+"));
    const QString trailer =
        renumbered(file.trailer, fresh).replace(size, QStringLiteral("/Size %1").arg(order.size() + 1));
    const QByteArray start = QByteArray::number(out.size());
    return out + table + "trailer\n" + trailer.toLatin1() + "\nstartxref\n" + start + "\n%%EOF\n";
}

} // namespace sb
