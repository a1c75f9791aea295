// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace sb {

// Makes a PDF by QPdfWriter depend on its content alone: fixed dates and document ids, and objects
// numbered and written in the order in which they are referred to. (Qt embeds fonts in the order of a hash
// table that is seeded anew in each process.) What is not laid out as Qt does it is left as it is.
QByteArray canonicalPdf(QByteArray pdf);

} // namespace sb
