// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSize>
#include <QString>

namespace sb {

class MainWindow;

// Renders each page of the real window to FOLDER/PAGE.png ("start.png"), then emits finished(). Used for the
// pictures of the documentation and of packages.
class Screenshots : public QObject {
    Q_OBJECT
public:
    Screenshots(MainWindow &window, const QString &folder, QObject *parent = nullptr);
    void start();

Q_SIGNALS:
    void finished(const QString &failure); // empty when every file was written

private:
    void take(std::size_t index);

    MainWindow &m_window;
    QString m_folder;
};

} // namespace sb
