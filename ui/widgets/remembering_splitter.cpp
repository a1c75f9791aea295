// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/remembering_splitter.h"

#include <functional>
#include <utility>

namespace sb {

namespace {

class Handle : public QSplitterHandle {
public:
    Handle(Qt::Orientation orientation, QSplitter *parent, std::function<void()> restore)
        : QSplitterHandle(orientation, parent)
        , m_restore(std::move(restore))
    {
    }

protected:
    void mouseDoubleClickEvent(QMouseEvent *) override { m_restore(); }

private:
    std::function<void()> m_restore;
};

} // namespace

RememberingSplitter::RememberingSplitter(Settings &settings, const QString &name, Qt::Orientation orientation,
                                         QWidget *parent)
    : QSplitter(orientation, parent)
    , m_settings(settings)
    , m_name(name)
{
    setChildrenCollapsible(false);
    setHandleWidth(orientation == Qt::Horizontal ? 12 : 10);
    connect(this, &QSplitter::splitterMoved, this,
            [this] { m_settings.setSplitterState(m_name, saveState()); });
}

void RememberingSplitter::setDefaultSizes(const QList<int> &sizes)
{
    m_defaults = sizes;
    setSizes(sizes);
    if (const QByteArray state = m_settings.splitterState(m_name); !state.isEmpty())
        restoreState(state);
}

QSplitterHandle *RememberingSplitter::createHandle()
{
    return new Handle(orientation(), this, [this] {
        setSizes(m_defaults);
        m_settings.setSplitterState(m_name, {});
    });
}

} // namespace sb
