// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "settings/settings.h"

#include <QSplitter>
#include <QSplitterHandle>

namespace sb {

// A splitter whose position outlives the session; a double click on the gap puts it back.
class RememberingSplitter : public QSplitter {
    Q_OBJECT
public:
    RememberingSplitter(Settings &settings, const QString &name, Qt::Orientation orientation,
                        QWidget *parent);

    // Sizes to begin with and to come back to. Call once, after the widgets are in.
    void setDefaultSizes(const QList<int> &sizes);

protected:
    QSplitterHandle *createHandle() override;

private:
    Settings &m_settings;
    QString m_name;
    QList<int> m_defaults;
};

} // namespace sb
