// SPDX-License-Identifier: GPL-3.0-or-later
#include "sentences/sentence.h"

#include "sentences/sentence_lists.h"

#include <QCoreApplication>
#include <QStringList>

#include <array>
#include <map>
#include <optional>
#include <vector>

namespace sb {

namespace {

// A sentence inside a sentence inside a sentence is as deep as they go.
constexpr int kDeepest = 3;
// Templates with fewer letters ("no %1") say too little to be recognised in a sentence or around several
// words.
constexpr qsizetype kFewLetters = 8;

// "%1 cannot be read: %2." is the literals "", " cannot be read: " and "." around the places 1 and 2.
struct Template {
    const char *source = nullptr;
    QStringList literals;
    std::vector<int> places;
    qsizetype letters = 0;
};

struct Split {
    QStringList literals;
    std::vector<int> places;
};

Split split(const QString &text)
{
    Split result;
    QString literal;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const bool place =
            text[i] == u'%' && i + 1 < text.size() && text[i + 1] >= u'1' && text[i + 1] <= u'9';
        if (!place) {
            literal += text[i];
            continue;
        }
        result.literals << literal;
        result.places.push_back(text[++i].unicode() - u'0');
        literal.clear();
    }
    result.literals << literal;
    return result;
}

std::vector<Template> allTemplates()
{
    std::vector<Template> templates;
    for (const auto list :
         {coreSentences(), topologySentences(), remoteSentences(), sessionSentences(), storeSentences()})
        for (const char *source : list) {
            Split parts = split(QString::fromUtf8(source));
            Template one{source, std::move(parts.literals), std::move(parts.places)};
            for (const QString &literal : one.literals)
                one.letters += literal.size();
            templates.push_back(std::move(one));
        }
    return templates;
}

// What stands in each place, or nothing where the text is not of this form. No text takes longer than its
// length.
std::optional<std::map<int, QString>> match(const Template &one, QStringView text)
{
    const QString &first = one.literals.front();
    if (one.places.empty())
        return text == first ? std::optional<std::map<int, QString>>(std::in_place) : std::nullopt;
    const QString &last = one.literals.back();
    if (text.size() < one.letters + qsizetype(one.places.size()) || !text.startsWith(first) ||
        !text.endsWith(last))
        return std::nullopt;
    std::map<int, QString> found;
    qsizetype at = first.size();
    const qsizetype end = text.size() - last.size();
    for (std::size_t i = 0; i < one.places.size(); ++i) {
        const bool isLast = i + 1 == one.places.size();
        const qsizetype next = isLast ? end : text.first(end).indexOf(one.literals[qsizetype(i) + 1], at + 1);
        if (next <= at)
            return std::nullopt;
        const QStringView value = text.sliced(at, next - at);
        if (one.letters < kFewLetters && value.contains(u' '))
            return std::nullopt;
        found[one.places[i]] = value.toString();
        at = next + (isLast ? 0 : one.literals[qsizetype(i) + 1].size());
    }
    return found;
}

QString translated(const QString &english, int depth);

QString said(const Template &one, const std::map<int, QString> &values, int depth)
{
    const Split parts = split(QCoreApplication::translate("Sentence", one.source));
    QString result = parts.literals.front();
    for (std::size_t i = 0; i < parts.places.size(); ++i) {
        const auto value = values.find(parts.places[i]);
        result += value == values.end() ? QString() : translated(value->second, depth + 1);
        result += parts.literals[qsizetype(i) + 1];
    }
    return result;
}

QString translated(const QString &english, int depth)
{
    static const std::vector<Template> templates = allTemplates();
    if (depth > kDeepest)
        return english;
    const Template *best = nullptr;
    std::map<int, QString> values;
    for (const Template &one : templates) {
        const bool vague = depth > 0 && !one.places.empty() && one.letters < kFewLetters;
        if (vague || (best && one.letters <= best->letters))
            continue;
        if (auto found = match(one, english)) {
            best = &one;
            values = std::move(*found);
        }
    }
    if (best)
        return said(*best, values, depth);
    // A known sentence may follow words of another program: "No such file. Check the image's name."
    const qsizetype border = english.indexOf(QLatin1String(". "));
    if (border < 0)
        return english;
    const QString head = english.first(border + 1);
    const QString tail = english.sliced(border + 2);
    const QString headSaid = translated(head, depth + 1);
    const QString tailSaid = translated(tail, depth + 1);
    return headSaid == head && tailSaid == tail ? english : headSaid + u' ' + tailSaid;
}

} // namespace

QString translateSentence(const QString &english)
{
    // The language of the sources has no translation of this probe.
    const char *probe = coreSentences().front();
    if (QCoreApplication::translate("Sentence", probe) == QString::fromUtf8(probe))
        return english;
    return translated(english, 0);
}

QString translateSentence(const std::string &english)
{
    return translateSentence(QString::fromStdString(english));
}

} // namespace sb
