// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/terminal.h"

#include "session/session_model.h"

#include <cstdio>
#include <fcntl.h>
#include <memory>
#include <string>
#include <termios.h>
#include <unistd.h>

namespace sb::cli {

namespace {

class Terminal {
public:
    Terminal()
        : m_descriptor(::open("/dev/tty", O_RDWR | O_CLOEXEC))
    {
    }
    ~Terminal()
    {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }
    Terminal(const Terminal &) = delete;
    Terminal &operator=(const Terminal &) = delete;

    bool isOpen() const { return m_descriptor >= 0; }

    void say(const std::string &text)
    {
        [[maybe_unused]] const auto written = ::write(m_descriptor, text.data(), text.size());
    }

    std::string ask(const std::string &prompt, bool visible)
    {
        termios before{};
        ::tcgetattr(m_descriptor, &before);
        termios silent = before;
        silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
        if (!visible)
            ::tcsetattr(m_descriptor, TCSAFLUSH, &silent);
        say(prompt); // only now: what is typed at once must neither be shown nor be thrown away
        std::string line;
        char c = 0;
        while (::read(m_descriptor, &c, 1) == 1 && c != '\n')
            line += c;
        if (!visible) {
            ::tcsetattr(m_descriptor, TCSAFLUSH, &before);
            say("\n");
        }
        return line;
    }

private:
    int m_descriptor;
};

SshAnswer askAboutKey(Terminal &terminal, const SshQuestion &question)
{
    terminal.say("\nThe host key of " + question.hop + " is not known.\n" + hostKeyTitle(*question.key) +
                 " " + hostKeyFingerprint(*question.key) + "\n" + hostKeyArt(*question.key) + "\n");
    const std::string said =
        terminal.ask("Trust and save it to " + question.knownFile +
                         " (\"save\"), trust it this time (\"once\") or cancel (Enter)? ",
                     true);
    SshAnswer answer;
    if (said == "save")
        answer.kind = SshAnswer::Kind::TrustAndSave;
    else if (said == "once")
        answer.kind = SshAnswer::Kind::TrustOnce;
    return answer;
}

SshAnswer askSecrets(Terminal &terminal, const SshQuestion &question)
{
    SshAnswer answer;
    answer.kind = SshAnswer::Kind::Secrets;
    if (question.wrongBefore)
        terminal.say("That was not right.\n");
    if (!question.instruction.empty())
        terminal.say(question.hop + " says: \"" + question.instruction + "\"\n");
    for (const SshQuestion::Prompt &prompt : question.prompts) {
        const std::string text = question.kind == SshQuestion::Kind::Passphrase
                                     ? "Passphrase of " + question.keyFile + ": "
                                     : question.hop + " asks \"" + prompt.text + "\": ";
        answer.secrets.push_back(terminal.ask(text, prompt.visible));
    }
    return answer;
}

} // namespace

void answerAtTerminal(SessionModel &session, QObject *context)
{
    auto last = std::make_shared<std::uint64_t>(0);
    QObject::connect(&session, &SessionModel::questionsChanged, context, [&session, last] {
        for (const SshQuestion &question : std::vector(session.questions())) {
            if (question.id <= *last)
                continue;
            *last = question.id;
            Terminal terminal;
            SshAnswer answer; // cancel
            if (terminal.isOpen() && ::isatty(STDIN_FILENO) != 0)
                answer = question.kind == SshQuestion::Kind::HostKey ? askAboutKey(terminal, question)
                                                                     : askSecrets(terminal, question);
            session.answer(question.id, answer);
        }
    });
}

} // namespace sb::cli
