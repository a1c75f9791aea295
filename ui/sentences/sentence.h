// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string>

namespace sb {

// A sentence of the layers below the window in the window's language. They speak English, in errors, reasons
// and records; what they say is recognised by the templates of sentence_lists.h and said again, with the
// names and numbers in it as they are, and sentences inside it translated likewise. What no template knows (a
// compiler's words, say) comes back as it is.
QString translateSentence(const QString &english);
QString translateSentence(const std::string &english);

} // namespace sb
