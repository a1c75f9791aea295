// SPDX-License-Identifier: GPL-3.0-or-later
#include "sentences/sentence.h"
#include "sentences/sentence_lists.h"

#include <QApplication>
#include <QTranslator>

#include <gtest/gtest.h>

namespace sb {

namespace {

class Sentences : public testing::Test {
protected:
    void SetUp() override
    {
        ASSERT_TRUE(m_chinese.load(QStringLiteral(":/i18n/scaleboard_zh_CN")));
        QApplication::installTranslator(&m_chinese);
    }
    void TearDown() override { QApplication::removeTranslator(&m_chinese); }

private:
    QTranslator m_chinese;
};

std::string said(const std::string &english)
{
    return translateSentence(english).toStdString();
}

} // namespace

TEST_F(Sentences, KeepNamesAndNumbers)
{
    EXPECT_EQ(said("2n8g needs 8 GPUs on node-1, which has 4."),
              "2n8g 在 node-1 上需要 8 块 GPU，而它有 4 块。");
    EXPECT_EQ(said("The log /data/100% sure.log cannot be read: no %1."),
              "无法读取日志 /data/100% sure.log：no %1。");
}

TEST_F(Sentences, TranslateWhatIsInside)
{
    EXPECT_EQ(said("Every case of the plan is refused: JAX has no workload \"bert\"."),
              "计划的所有用例都被拒绝：JAX 没有任务 \"bert\"。");
    EXPECT_EQ(said("frameworks names \"torch\", for which there is no plugin. Did you mean \"pytorch\"?"),
              "frameworks 写了 \"torch\"，没有对应的插件。 是否想写 \"pytorch\"？");
}

TEST_F(Sentences, LeaveOtherProgramsTheirWords)
{
    EXPECT_EQ(
        said("Rank 3 on n1 ended with status 1: CUDA out of memory. "
             "Take a smaller batch, a lower precision or fewer samples in flight."),
        "n1 上的 rank 3 以状态 1 结束：CUDA out of memory. 请减小批大小、降低精度或减少同时处理的样本。");
    EXPECT_EQ(said("undefined reference to `main'"), "undefined reference to `main'");
    EXPECT_EQ(said(""), "");
    EXPECT_EQ(said("no space is left on this device"), "no space is left on this device");
}

TEST_F(Sentences, AreAllTranslatedWithTheirPlaces)
{
    for (const auto list :
         {coreSentences(), topologySentences(), remoteSentences(), sessionSentences(), storeSentences()})
        for (const char *source : list) {
            QString english = QString::fromUtf8(source);
            const QString chinese = QApplication::translate("Sentence", source);
            EXPECT_NE(chinese, english) << source;
            for (char digit = '1'; digit <= '9'; ++digit) {
                const QString place = QStringLiteral("%") + QLatin1Char(digit);
                EXPECT_EQ(chinese.count(place), english.count(place)) << source;
                english.replace(place, QStringLiteral("⟨%1⟩").arg(QLatin1Char(digit)));
            }
            EXPECT_NE(translateSentence(english), english) << source << " is taken for another";
        }
}

TEST(SentencesInEnglish, StayAsTheyAre)
{
    EXPECT_EQ(said("%1 cannot be read: 2n8g needs 8 GPUs on a, which has 4."),
              "%1 cannot be read: 2n8g needs 8 GPUs on a, which has 4.");
}

} // namespace sb
