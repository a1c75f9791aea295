#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants one violation of each rule in a small tree and sees that layering.py names it.

Usage: layering_test.py QT_HEADERS
"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

QT_HEADERS = ""
GPL = "// SPDX-License-Identifier: GPL-3.0-or-later\n"
APACHE = "// SPDX-License-Identifier: Apache-2.0\n"

# A tree in which every include is right.
SOUND = {
    "app/core/units.h": GPL + "#include <string>\n",
    "app/core/units.cpp": GPL + '#include "core/units.h"\n#include <cmath>\n',
    "app/catalog/manifest.cpp": GPL + '#include "core/units.h"\n#include <QFile>\n#include <nlohmann/json.hpp>\n',
    "app/remote/host.h": GPL + "#include <QObject>\n",
    "app/remote/ssh.cpp": GPL + '#include "remote/host.h"\n#include <libssh/libssh.h>\n#include <sys/socket.h>\n',
    "app/store/db.h": GPL + "#include <QString>\n",
    "app/store/db.cpp": GPL + '#include "store/db.h"\n#include <QSqlQuery>\n',
    "app/session/model.h": GPL + '#include "remote/host.h"\n#include "store/db.h"\n#include <QObject>\n',
    "ui/charts/qcp.h": GPL + "#include <qcustomplot.h>\n",
    "ui/charts/live.cpp": GPL + '#include "charts/qcp.h"\n#include "core/units.h"\n#include <QWidget>\n',
    "ui/page.cpp": GPL + '#include "charts/qcp.h"\n#include "session/model.h"\n',
    "app/main.cpp": GPL + '#include "charts/qcp.h"\n#include "store/db.h"\n#include <QApplication>\n',
    "backend/main.cpp": APACHE + '#include "graph.h"\n#include <dnnl.hpp>\n',
    "backend/graph.h": APACHE,
}


def check(files: dict):
    """Runs layering.py on the sound tree changed by `files`; gives status and output."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {**SOUND, **files}.items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, Path(__file__).with_name("layering.py"), folder, QT_HEADERS],
                              capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr


class Layering(unittest.TestCase):
    def assert_named(self, name: str, text: str, expected: str):
        status, output = check({name: text})
        self.assertEqual(status, 1, output)
        self.assertIn(expected, output)

    def test_accepts_a_sound_tree(self):
        status, output = check({})
        self.assertEqual(status, 0, output)
        self.assertIn(f"{len(SOUND)} files, 0 offences", output)

    def test_names_each_planted_include(self):
        planted = [
            ("app/core/a.h", "#include <QString>\n", "app/core/a.h:2: app/core must not use QtCore"),
            ("app/core/a.h", "#include <QtCore/QString>\n", "app/core/a.h:2: app/core must not use QtCore"),
            ("app/core/a.cpp", "#include <nlohmann/json.hpp>\n", "app/core must not use <nlohmann/json.hpp>"),
            ("app/core/a.cpp", '#include "store/db.h"\n', "app/core must not know app/store"),
            ("app/catalog/a.h", "#include <nlohmann/json.hpp>\n", "belongs in .cpp files only"),
            ("app/catalog/a.cpp", '#include "remote/host.h"\n', "app/catalog must not know app/remote"),
            ("app/catalog/a.cpp", "#include <QSqlQuery>\n", "app/catalog must not use QtSql"),
            ("app/remote/a.h", "#include <libssh/libssh.h>\n", "belongs in .cpp files only"),
            ("app/store/a.h", "#include <QSqlDatabase>\n", "app/store must not use QtSql in a header"),
            ("app/session/a.cpp", "#include <QWidget>\n", "app/session must not use QtWidgets"),
            ("app/session/a.cpp", "#include <libssh/libssh.h>\n", "app/session must not use <libssh/libssh.h>"),
            ("app/session/a.cpp", '#include "charts/qcp.h"\n', "app/session must not know ui/charts"),
            ("app/cli/a.cpp", "#include <QImage>\n", "app/cli must not use QtGui"),
            ("ui/charts/a.h", "#include <qcustomplot.h>\n", "belongs in .cpp files only"),
            ("ui/charts/a.cpp", '#include "session/model.h"\n', "ui/charts must not know app/session"),
            ("ui/a.cpp", "#include <qcustomplot.h>\n", "ui must not use <qcustomplot.h>"),
            ("ui/a.cpp", '#include "store/db.h"\n', "ui must not know app/store"),
            ("ui/a.cpp", '#include "QWidget"\n', "write a Qt header as <QWidget>"),
        ]
        for name, text, expected in planted:
            with self.subTest(name=name, text=text):
                self.assert_named(name, GPL + text, expected)

    def test_keeps_the_backend_an_island(self):
        self.assert_named("backend/a.cpp", APACHE + "#include <QString>\n", "backend/ has no Qt")
        self.assert_named("backend/a.cpp", APACHE + '#include "../app/core/units.h"\n', "backend/ stands alone")
        self.assert_named("backend/a.cpp", APACHE + "#include <nlohmann/json.hpp>\n", "does not use nlohmann")

    def test_wants_the_right_licence_line(self):
        self.assert_named("app/core/a.h", "// no licence\n", "app/core/a.h:1: the first lines do not say")
        self.assert_named("backend/a.h", GPL, "SPDX-License-Identifier: Apache-2.0")

    def test_limits_files_and_functions(self):
        self.assert_named("app/core/a.cpp", GPL + "int x;\n" * 500, "501 lines, at most 400 (C7)")
        self.assert_named("ui/main_window.cpp", GPL + "int x;\n" * 250, "251 lines, at most 250 (C7)")
        body = "void f()\n{\n" + "    g();\n" * 121 + "}\n"
        self.assert_named("app/core/a.cpp", GPL + body, "a function of 121 lines, at most 60 (C7)")

    def test_notes_what_is_only_somewhat_long(self):
        status, output = check({"app/core/a.cpp": GPL + "int x;\n" * 400})
        self.assertEqual(status, 0, output)
        self.assertIn("note: app/core/a.cpp:1: 401 lines", output)


if __name__ == "__main__":
    QT_HEADERS = sys.argv.pop(1)
    unittest.main()
