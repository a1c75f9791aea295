// SPDX-License-Identifier: GPL-3.0-or-later
// A session on a workspace of made runs, for tests of pages that show results.
#pragma once

#include "report_values.h"
#include "session/session_model.h"
#include "settings/settings.h"

#include <gtest/gtest.h>

#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>

#include <functional>
#include <vector>

namespace sb::test {

class PageDesk {
public:
    PageDesk();
    ~PageDesk();

    SessionModel &session() { return m_session; }
    Settings &settings() { return m_settings; }
    QString folder(const QString &name) const { return m_home.filePath(name); }
    // Writes the runs to a new workspace and opens it. With `samples`, those of each of their ranks as well.
    using SamplesOf = std::function<std::vector<Sample>(const Run &, int rank)>;
    bool open(const std::vector<Run> &runs, const SamplesOf &samples = {});
    void speak(bool chinese);
    void useTheme(bool dark);

private:
    QTemporaryDir m_home;
    Settings m_settings;
    SessionModel m_session;
    QTranslator m_translator;
};

// A page at the size that it has in a window of 1366 × 768.
template <typename Page>
class PageTest : public testing::Test {
protected:
    void show()
    {
        page.resize(1190, 711);
        page.show();
        QTest::qWait(60);
    }
    PageDesk desk;
    Page page{desk.session(), desk.settings()};
};

} // namespace sb::test
