// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/collective_files.h"
#include "session/session_model.h"

#include <QPushButton>

#include <optional>
#include <vector>

namespace sb {

// Which measured all-reduce explains the curves: those of the workspace, and others to be opened, which the
// workspace keeps unless it is read-only.
class CommMenu : public QPushButton {
    Q_OBJECT
public:
    explicit CommMenu(SessionModel &session, QWidget *parent = nullptr);

    // Reads the workspace's measurements again.
    void reload();
    // Takes a file over and chooses it; a sentence when it has no all-reduce times.
    std::optional<QString> open(const QString &path);
    // Of the chosen one; nothing when none is there.
    const std::optional<CommFit> &fit() const { return m_fit; }
    QString chosenName() const;

Q_SIGNALS:
    void changed();
    void failed(const QString &sentence);

protected:
    void changeEvent(QEvent *event) override;

private:
    void choose(std::size_t index);
    void fill();
    void ask();

    SessionModel &m_session;
    std::vector<CollectiveFile> m_files;
    std::size_t m_chosen = 0;
    std::optional<CommFit> m_fit;
};

} // namespace sb
