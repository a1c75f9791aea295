// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/io_thread.h"

#include <QCoreApplication>
#include <QEventLoop>
#include <QThread>

#include <future>

namespace sb {

IoThread::IoThread()
{
    std::promise<void> started;
    m_thread = std::thread([this, &started] {
        QEventLoop loop;
        m_loop = &loop;
        m_qt = QThread::currentThread();
        started.set_value();
        loop.exec();
        if (m_last)
            m_last();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // as QThread does
        delete m_object;
    });
    started.get_future().wait();
}

IoThread::~IoThread()
{
    end();
}

void IoThread::end(std::function<void()> last, QObject *object)
{
    if (!m_thread.joinable())
        return;
    m_last = std::move(last);
    m_object = object;
    QMetaObject::invokeMethod(m_loop, &QEventLoop::quit, Qt::QueuedConnection);
    m_thread.join();
}

} // namespace sb
