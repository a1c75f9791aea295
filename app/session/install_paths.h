// SPDX-License-Identifier: GPL-3.0-or-later
// Where plugins and programs lie, seen from the folder of the running program. Both a build tree
// (build/PRESET/bin) and an installation (PREFIX/bin) are known; nothing is read from the environment.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <system_error>
#include <vector>

namespace sb {

struct InstallPaths {
    std::string pluginFolder;                         // empty: there is none beside this program
    std::string userPluginFolder;                     // the user's own; need not exist (see user_plugins.h)
    std::string referenceFolder;                      // published results; empty: none beside it
    std::vector<std::string> programFolders;          // searched in this order
    std::map<std::string, std::string> sourceFolders; // of programs that can be built on a node, by name
};

// `binFolder` is the folder of the executable. Example: PREFIX/bin gives PREFIX/share/scaleboard/plugins and
// the program folders PREFIX/bin and PREFIX/lib/scaleboard.
inline InstallPaths installPaths(const std::string &binFolder)
{
    namespace fs = std::filesystem;
    const fs::path bin(binFolder);
    const auto folderAt = [](const fs::path &path) {
        std::error_code error;
        const fs::path whole = fs::weakly_canonical(path, error);
        return !error && fs::is_directory(whole, error) ? whole.string() : std::string();
    };

    InstallPaths paths;
    for (const fs::path &candidate : {bin / "../share/scaleboard/plugins", bin / "../../../plugins"})
        if (paths.pluginFolder.empty())
            paths.pluginFolder = folderAt(candidate);
    for (const fs::path &candidate :
         {bin / "../share/scaleboard/resources/reference", bin / "../../../resources/reference"})
        if (paths.referenceFolder.empty())
            paths.referenceFolder = folderAt(candidate);
    for (const fs::path &candidate : {bin, bin / "../lib/scaleboard"})
        if (const std::string folder = folderAt(candidate); !folder.empty())
            paths.programFolders.push_back(folder);
    // PREFIX/share/scaleboard/source/PROGRAM; in a build tree, the backend's own folder.
    std::error_code error;
    for (const auto &entry : fs::directory_iterator(bin / "../share/scaleboard/source", error))
        if (fs::exists(entry.path() / "CMakeLists.txt", error))
            paths.sourceFolders[entry.path().filename().string()] = folderAt(entry.path());
    if (paths.sourceFolders.empty() && fs::exists(bin / "../../../backend/CMakeLists.txt", error))
        paths.sourceFolders["sbtrain"] = folderAt(bin / "../../../backend");
    return paths;
}

} // namespace sb
