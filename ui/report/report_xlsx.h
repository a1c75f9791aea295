// SPDX-License-Identifier: GPL-3.0-or-later
// A report as a workbook for Excel and LibreOffice: a sheet a section, numbers as numbers, figures as charts
// of its cells. The same report gives the same bytes.
#pragma once

#include "core/report.h"
#include "core/result.h"

#include <QByteArray>

namespace sb {

// Error: the temporary file that the workbook is made in cannot be written.
Result<QByteArray> reportXlsx(const Report &report);

} // namespace sb
