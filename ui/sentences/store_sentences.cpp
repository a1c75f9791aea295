// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences about workspaces and archives: app/store.
#include "sentences/sentence_lists.h"

#include <QtGlobal>

namespace sb {

namespace {

constexpr const char *kList[] = {
    QT_TRANSLATE_NOOP(
        "Sentence", "case must have nodes and devices_per_node above 0, and at most 1000000 devices in all"),
    QT_TRANSLATE_NOOP("Sentence", "case must have warmup_steps and measured_steps between 0 and 10000000"),
    QT_TRANSLATE_NOOP("Sentence", "unknown reason"),
    QT_TRANSLATE_NOOP("Sentence",
                      "%1 cannot be read as an archive: %2; it is damaged, cut short, or something else."),
    QT_TRANSLATE_NOOP("Sentence", "%1 was not unpacked: its entry \"%2\" %3, which a bundle never has."),
    QT_TRANSLATE_NOOP("Sentence", "is a link"),
    QT_TRANSLATE_NOOP("Sentence", "is not a regular file"),
    QT_TRANSLATE_NOOP("Sentence", "has no plain size"),
    QT_TRANSLATE_NOOP("Sentence", "%1 is damaged: an entry has not the size that it says."),
    QT_TRANSLATE_NOOP("Sentence", "Unpacking was stopped; nothing was kept."),
    QT_TRANSLATE_NOOP("Sentence", "%1 is damaged: %2 has not the contents that it was made with."),
    QT_TRANSLATE_NOOP(
        "Sentence",
        "Cannot write %1 of %2 below %3: %4; nothing was kept. Free some space or choose another folder."),
    QT_TRANSLATE_NOOP("Sentence", "%1 was not unpacked: its entry \"%2\" is not the one in its list."),
    QT_TRANSLATE_NOOP("Sentence", "%1 is cut short: %2 and %3 more are missing."),
    QT_TRANSLATE_NOOP("Sentence", "%1 was not unpacked: \"%2\" %3, which a bundle never has."),
    QT_TRANSLATE_NOOP("Sentence", "%1 was not unpacked: it lists %2 twice."),
    QT_TRANSLATE_NOOP("Sentence", "%1 was not unpacked: it would become larger than %2."),
    QT_TRANSLATE_NOOP("Sentence", "%1 was not unpacked: it has more than %2 files."),
    QT_TRANSLATE_NOOP("Sentence", "has no name or a very long one"),
    QT_TRANSLATE_NOOP("Sentence", "has an absolute path"),
    QT_TRANSLATE_NOOP("Sentence", "has a name with characters that do not belong there"),
    QT_TRANSLATE_NOOP("Sentence", "has a path that leaves its folder or has empty parts"),
    QT_TRANSLATE_NOOP("Sentence", "has a very long name"),
    QT_TRANSLATE_NOOP("Sentence", "%1 is not a bundle of Scaleboard: it does not begin with %2."),
    QT_TRANSLATE_NOOP("Sentence", "%1 is there already; choose a new folder to unpack the bundle into."),
    QT_TRANSLATE_NOOP("Sentence", "The folder %1 cannot be made; choose another place."),
    QT_TRANSLATE_NOOP("Sentence",
                      "%1 needs %2, but only %3 are left on the disk of %4; choose another place."),
    QT_TRANSLATE_NOOP("Sentence", "The folder %1 cannot be replaced."),
    QT_TRANSLATE_NOOP("Sentence", "The unpacked bundle cannot be moved to %1."),
    QT_TRANSLATE_NOOP("Sentence", "Cannot write %1 to the archive %2: %3; nothing was left behind. Free some "
                                  "space or choose another place."),
    QT_TRANSLATE_NOOP("Sentence", "The archive %1 cannot be made: choose a file's name."),
    QT_TRANSLATE_NOOP("Sentence", "the first bytes"),
    QT_TRANSLATE_NOOP("Sentence", "%1 became shorter while it was read; try again."),
    QT_TRANSLATE_NOOP("Sentence", "the end"),
    QT_TRANSLATE_NOOP("Sentence", "The archive cannot be moved to %1."),
    QT_TRANSLATE_NOOP("Sentence", "The index %1 could not be opened: %2."),
    QT_TRANSLATE_NOOP("Sentence", "The index %1 could not be set up: %2."),
    QT_TRANSLATE_NOOP("Sentence", "The index %1 could not be read: %2."),
    QT_TRANSLATE_NOOP("Sentence", "The index %1 could not take a run: %2."),
    QT_TRANSLATE_NOOP("Sentence", "The index %1 could not take samples: %2."),
    QT_TRANSLATE_NOOP("Sentence", "The index %1 could not start to write samples: %2."),
    QT_TRANSLATE_NOOP("Sentence", "The index %1 could not drop samples: %2."),
    QT_TRANSLATE_NOOP("Sentence", "%1. Free some space on this disk; the raw logs are complete."),
    QT_TRANSLATE_NOOP("Sentence", "%1 is damaged: %2."),
    QT_TRANSLATE_NOOP("Sentence", "The workspace index %1 was made by a newer version (schema %2; this one "
                                  "reads up to %3); open it with that version."),
    QT_TRANSLATE_NOOP("Sentence", "Qt's SQLite driver is missing; install the package libqt6sql6-sqlite."),
    QT_TRANSLATE_NOOP("Sentence", "state is \"%1\", which is not a run's state"),
    QT_TRANSLATE_NOOP("Sentence", "%1 cannot be written: %2."),
    QT_TRANSLATE_NOOP("Sentence", "The workspace %1 is open in another program; close it there first."),
    QT_TRANSLATE_NOOP("Sentence",
                      "The workspace %1 cannot be written to; look at its permissions, or copy it "
                      "to a folder of your own."),
    QT_TRANSLATE_NOOP("Sentence",
                      "The workspace %1 was made by a newer version (schema %2; this one reads up "
                      "to %3); open it with that version."),
    QT_TRANSLATE_NOOP("Sentence", "%1 It was moved to %2.damaged and made again."),
    QT_TRANSLATE_NOOP("Sentence", "%1 is the record of another run (%2)."),
    QT_TRANSLATE_NOOP("Sentence", "%1 is not empty and not a workspace; choose an empty or a new folder."),
    QT_TRANSLATE_NOOP("Sentence",
                      "The workspace folder %1 cannot be made; choose a place where you may write."),
    QT_TRANSLATE_NOOP("Sentence",
                      "There is no workspace in %1; choose a folder with a workspace.json that you "
                      "may read, or import its logs."),
    QT_TRANSLATE_NOOP("Sentence", "The workspace %1 is a bundle and read-only; run its plan again in a new "
                                  "workspace (scaleboard-cli bundle run-again)."),
    QT_TRANSLATE_NOOP("Sentence", "The folder %1 cannot be made."),
};

} // namespace

std::span<const char *const> storeSentences()
{
    return kList;
}

} // namespace sb
