// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <thread>

class QEventLoop;
class QObject;
class QThread;

namespace sb {

// A thread with an event loop, which is joined. QThread::wait() may return while its thread is still ending;
// what libraries keep for each thread (OpenSSL's generators of random numbers) is freed only after that, and
// a process that ends in between does so while the thread works on what it takes down. Made and ended in any
// one thread.
class IoThread {
public:
    IoThread(); // runs already, so that objects can be moved to it
    ~IoThread();
    IoThread(const IoThread &) = delete;
    IoThread &operator=(const IoThread &) = delete;

    QThread *qt() const { return m_qt; }
    // Ends the loop, calls `last` in the thread, deletes there what is to be deleted later and then `object`,
    // and waits until there is no thread any more.
    void end(std::function<void()> last = {}, QObject *object = nullptr);

private:
    std::function<void()> m_last;
    QObject *m_object = nullptr;
    QEventLoop *m_loop = nullptr; // of the thread
    QThread *m_qt = nullptr;
    std::thread m_thread;
};

} // namespace sb
