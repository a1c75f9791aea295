// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/result.h"

#include <map>
#include <string>
#include <vector>

namespace sb {

// Values of the placeholders that a manifest may use; the list is fixed, see placeholderNames().
using PlaceholderValues = std::map<std::string, std::string>;

const std::vector<std::string> &placeholderNames();

// "{batch_size}" → "128". "{{" and "}}" stand for braces. An unknown or unclosed placeholder is an error.
Result<std::string> expandTemplate(const std::string &text, const PlaceholderValues &values);

// Expands a command. The argument "{workload_arguments}", alone, becomes the workload's own arguments, and
// "{switches}", alone, becomes `switches` ("--xla", "on").
Result<std::vector<std::string>> expandCommand(const std::vector<std::string> &command,
                                               const std::vector<std::string> &workloadArguments,
                                               const PlaceholderValues &values,
                                               const std::vector<std::string> &switches = {});

} // namespace sb
