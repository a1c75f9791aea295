// SPDX-License-Identifier: Apache-2.0

// In place of images.cpp in a build without a JPEG library.

#include "data_source.h"

namespace sbtrain {

Result<std::unique_ptr<DataSource>> open_images(const std::string &, const DataSettings &, const Graph &)
{
    return Error{ExitCode::Unsupported, "this build of sbtrain reads no JPEG files: install libjpeg-dev and "
                                        "build again, or use --data synthetic"};
}

} // namespace sbtrain
