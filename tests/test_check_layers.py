"""The layer check finds each fault it names, in a small tree made to have only that one, and passes a tree with none."""
import os
import subprocess
import sys
import tempfile
import unittest

CHECK = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "tools", "check_layers.py")

SOUND = {
    "include/capstan/friction.h": "#include <stddef.h>\nvoid cst_solve(void);\n",
    "src/base/arena.h": '#include "capstan/friction.h"\n',
    "src/base/arena.c": '#include "base/arena.h"\n#include <stdio.h>\nvoid f(char *s) { snprintf(s, 2, "printf(%d)", 1); }\n',
    "src/friction/cone.h": '#include "base/arena.h"\n',
    "src/friction/local_direct.h": '#include "friction/cone.h"\n',
    "src/friction/residual.h": "",
    "src/friction/residual.c": '#include "friction/residual.h"\n#include "friction/cone.h"\n/* never exit(1) nor puts("x") */\n',
    "src/write/table.c": '#include <stdio.h>\nvoid g(FILE *to) { fprintf(to, "x"); }\n',
    "src/cli/main.c": '#include "friction/cone.h"\n#include <stdio.h>\nint main(void) { printf("x"); return 0; }\n',
    "validate/generate/family.h": '#include "friction/cone.h"\n',
    "validate/harness/clock.h": "",
    "validate/solvers/rows.c": '#include "generate/family.h"\n#include "harness/clock.h"\nint puts(const char *);\n',
    "validate/main.c": '#include "cli/main.h"\nint main(void) { return 0; }\n',
    "src/cli/main.h": "",
    "tests/test_cone.c": '#include "friction/cone.h"\n' + "\n" * 599,
}


def check(files):
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            path = os.path.join(root, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(text)
        run = subprocess.run([sys.executable, CHECK, root], stdout=subprocess.PIPE, universal_newlines=True, check=False)
        return run.returncode, run.stdout


class LayerCheck(unittest.TestCase):
    def fault(self, changes, *expected):
        status, said = check({**SOUND, **changes})
        self.assertEqual(status, 1, said)
        self.assertIn(" 1 faults", said)
        for text in expected:
            self.assertIn(text, said)

    def test_sound_tree_passes(self):
        status, said = check(SOUND)
        self.assertEqual(status, 0, said)

    def test_empty_tree_fails(self):
        self.assertEqual(check({"README": ""})[0], 1)

    def test_script_that_may_not_be_executed(self):
        self.fault({"validate/scenes/check.py": "#!/usr/bin/env python3\n"}, "validate/scenes/check.py:1:", "chmod +x")

    def test_include_against_the_order(self):
        self.fault({"src/base/clock.c": '\n#include "friction/cone.h"\n'}, "src/base/clock.c:2:", "later layer friction")

    def test_include_against_the_order_beside(self):
        self.fault({"src/base/clock.c": '#include "../friction/cone.h"\n'}, "src/base/clock.c:1:", "later layer friction")

    def test_commented_include_is_none(self):
        status, said = check({**SOUND, "src/base/clock.c": '/*\n#include "friction/cone.h"\n*/\n'})
        self.assertEqual(status, 0, said)

    def test_unknown_layer(self):
        self.fault({"src/misc/things.c": "int x;\n"}, "src/misc/things.c:1:", "not in a layer")

    def test_file_outside_layers(self):
        self.fault({"src/things.c": "int x;\n"}, "src/things.c:1:", "not in a layer")

    def test_library_includes_validate(self):
        self.fault({"src/cli/a.c": '#include "generate/family.h"\n'}, "src/cli/a.c:1:", "the library includes validate")

    def test_parts_of_validate_do_not_see_each_other(self):
        self.fault({"validate/physics/a.c": '#include "solvers/rows.h"\n', "validate/solvers/rows.h": ""}, "physics of validate")
        self.fault({"validate/harness/a.c": '#include "solvers/rows.h"\n', "validate/solvers/rows.h": ""}, "harness of validate")

    def test_unknown_part_of_validate(self):
        self.fault({"validate/misc/things.c": "int x;\n"}, "validate/misc/things.c:1:", "not in a part of validate")

    def test_missing_include(self):
        self.fault({"src/base/clock.c": '#include "base/nothing.h"\n'}, "base/nothing.h", "not in the tree")

    def test_public_header_includes_source(self):
        self.fault({"include/capstan/capstan.h": '#include "base/hash.h"\n', "src/base/hash.h": ""}, "public header")

    def test_library_includes_test(self):
        self.fault({"src/base/clock.c": '#include "../../tests/oracle.h"\n', "tests/oracle.h": ""}, "the library includes")

    def test_cycle(self):
        self.fault({"src/math/a.h": '#include "math/b.h"\n', "src/math/b.h": '#include "math/c.h"\n',
                    "src/math/c.h": '#include "math/a.h"\n'}, "src/math/a.h -> src/math/b.h -> src/math/c.h -> src/math/a.h")

    def test_self_include(self):
        self.fault({"src/math/a.h": '#include "math/a.h"\n'}, "include cycle")

    def test_long_file(self):
        for path in ("src/math/a.c", "include/capstan/a.h", "tests/a.c", "validate/speed/a.c"):
            self.fault({path: "\n" * 601}, path, "601 lines")

    def test_library_calls(self):
        for call in ('printf("x")', 'puts("x")', "exit(1)", "abort ()", 'fprintf(log, "x")', 'perror("x")', "rand()",
                     'fputs("x", stderr)'):
            self.fault({"src/friction/cone.c": "void f(void)\n{\n    %s;\n}\n" % call}, "src/friction/cone.c:3:")

    def test_writers_may_only_write_to_a_stream(self):
        self.fault({"src/page/page.c": 'void f(void) { printf("x"); }\n'}, "printf in layer page")

    def test_residual_sees_a_solver(self):
        self.fault({"src/friction/residual.c": '#include "friction/local_direct.h"\n'}, "the residual sees a solver")

    def test_residual_sees_a_solver_through_a_header(self):
        self.fault({"src/friction/residual.h": '#include "friction/gauss_seidel.h"\n', "src/friction/gauss_seidel.h": ""},
                   "residual.c -> src/friction/residual.h -> src/friction/gauss_seidel.h")


if __name__ == "__main__":
    unittest.main()
