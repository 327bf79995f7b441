"""capstan check from outside: good and bad scenes, overrides, and that the JSON Schema agrees with the reader."""
import glob
import json
import os
import re
import subprocess
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
COMMAND = os.environ.get("CAPSTAN_COMMAND", os.path.join(HERE, "../build/capstan"))
EXAMPLES = sorted(glob.glob(os.path.join(HERE, "../scenes/planar/*.json")))
BAD = os.path.join(HERE, "data/scenes/bad")
PHYSICS = os.path.join(HERE, "data/scenes/physics")


def run(*arguments, cwd=None):
    return subprocess.run([os.path.abspath(COMMAND), "check", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True, check=False, cwd=cwd)


class Schema:
    """As much of JSON Schema 2020-12 as ours uses; a keyword it does not know is an error of the test."""
    IGNORED = {"$schema", "title", "description", "default", "$defs"}
    TYPES = {"object": dict, "array": list, "string": str, "boolean": bool}

    def __init__(self, text):
        self.root = json.loads(text)

    def of_type(self, value, name):
        if name in ("number", "integer"):
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            return number and (name == "number" or value == int(value))
        return isinstance(value, self.TYPES[name])

    def accepts(self, value, schema=None):
        schema = self.root if schema is None else schema
        if isinstance(schema, bool):
            return schema
        return all(self.keyword(value, schema, word, schema[word]) for word in schema if word not in self.IGNORED)

    def keyword(self, value, schema, word, rule):
        number = self.of_type(value, "number")
        rules = {
            "$ref": lambda: self.accepts(value, self.root["$defs"][rule.rsplit("/", 1)[1]]),
            "type": lambda: self.of_type(value, rule),
            "enum": lambda: value in rule,
            "const": lambda: value == rule,
            "minimum": lambda: not number or value >= rule,
            "exclusiveMinimum": lambda: not number or value > rule,
            "maximum": lambda: not number or value <= rule,
            "pattern": lambda: not isinstance(value, str) or re.search(rule, value) is not None,
            "minItems": lambda: not isinstance(value, list) or len(value) >= rule,
            "maxItems": lambda: not isinstance(value, list) or len(value) <= rule,
            "items": lambda: not isinstance(value, list) or all(self.accepts(item, rule) for item in value),
            "required": lambda: not isinstance(value, dict) or all(key in value for key in rule),
            "properties": lambda: not isinstance(value, dict) or all(
                self.accepts(value[key], inner) for key, inner in rule.items() if key in value),
            "additionalProperties": lambda: not isinstance(value, dict) or all(key in schema["properties"] for key in value),
            "anyOf": lambda: any(self.accepts(value, inner) for inner in rule),
            "allOf": lambda: all(self.accepts(value, inner) for inner in rule),
            "not": lambda: not self.accepts(value, rule),
            "if": lambda: self.accepts(value, schema.get("then", True) if self.accepts(value, rule) else schema.get("else", True)),
            "then": lambda: True,
            "else": lambda: True,
        }
        return rules[word]()


class Check(unittest.TestCase):
    def test_examples(self):
        self.assertGreaterEqual(len(EXAMPLES), 11)
        done = run(*EXAMPLES)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout.count(": good; "), len(EXAMPLES))

    def test_mistakes(self):
        done = run("many.json", cwd=BAD)
        with open(os.path.join(BAD, "many.expected"), encoding="utf-8") as expected:
            lines = expected.read()
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr, lines + "capstan check: 17 mistakes in the scene\n")

    def test_what_only_the_world_finds(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "apart.json")
            rod = '{"name": "%s", "elements": 1, "length": 1, "radius": 0.01, "density": 1, "young": 1, "position": [%g, 0]}'
            with open(path, "w", encoding="utf-8") as scene:
                scene.write('{"capstan": 1, "duration": 1, "rods": [%s, %s],\n "constraints": [{"name": "joint", "type": "pinned", '
                            '"body": "a", "at": "end", "to": {"body": "b", "at": "start"}}]}' % (rod % ("a", 0), rod % ("b", 1.5)))
            done = run(path)
        self.assertEqual(done.returncode, 2)
        self.assertIn("apart.json:2:18: constraints[0] (joint): ", done.stderr)

    def test_warnings(self):
        done = run("physics/below_ground.json", cwd=os.path.dirname(PHYSICS))
        with open(os.path.join(PHYSICS, "below_ground.expected"), encoding="utf-8") as expected:
            self.assertEqual((done.returncode, done.stderr), (0, expected.read()))
        self.assertIn("below_ground.json: 1 warning; 1 body, 1 obstacle", done.stdout)
        self.assertIn("  bodies    rod: 0.5 m long, radius 0.01 m, 8 elements", done.stdout)
        self.assertEqual(run("physics/below_ground.json", "--strict", cwd=os.path.dirname(PHYSICS)).returncode, 2)
        self.assertEqual(run(EXAMPLES[0], "--strict").returncode, 0)

    def test_every_warning_is_documented(self):
        said = set()
        for path in glob.glob(os.path.join(PHYSICS, "*.expected")):
            with open(path, encoding="utf-8") as expected:
                said |= {line.rsplit("[", 1)[1].rstrip("]\n") for line in expected}
        with open(os.path.join(HERE, "../docs/check.md"), encoding="utf-8") as page:
            rows = set(re.findall(r"^\| `([a-z-]+)` \|", page.read(), re.M))
        self.assertGreaterEqual(len(said), 25)
        self.assertEqual(said, rows)

    def test_unreadable(self):
        done = run("nowhere.json")
        self.assertEqual((done.returncode, done.stderr), (2, "nowhere.json: cannot be read: No such file or directory\n"))

    def test_overrides(self):
        example = os.path.join(HERE, "../scenes/planar/incline.json")
        done = run(example, "--set", "duration=3", "--set=time_step.dt=1e-4")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("3 s in 30000 steps", done.stdout)
        done = run(example, "--set", "rods.slide.radius=1")
        self.assertEqual(done.returncode, 2)
        self.assertIn('--set rods.slide.radius=1: rods.slide: there is no "slide" here; did you mean "slides"?', done.stderr)

    def test_text_as_run(self):
        for example in EXAMPLES:
            done = run(example, "--text", "--set", "title=other")
            self.assertEqual(done.returncode, 0, done.stderr)
            scene = json.loads(done.stdout)  # no comments left, no trailing commas
            self.assertEqual(scene["title"], "other")

    def test_wrong_use(self):
        for arguments, expected in (([], "no scene given"), (["nowhere.json"], "nowhere.json: cannot be read: No such file"),
                                    (["--sett", "x"], "did you mean --set?"), (["--set"], "needs a value")):
            done = run(*arguments)
            self.assertEqual(done.returncode, 2)
            self.assertIn(expected, done.stderr)

    def test_schema(self):
        done = run("--schema")
        self.assertEqual(done.returncode, 0)
        schema = Schema(done.stdout)
        for example in EXAMPLES:
            self.assertTrue(schema.accepts(json.loads(run(example, "--text").stdout)), example)
        partial = {"extends": "other.json", "rods": [{"name": "rope", "radius": 0.02}]}
        self.assertTrue(schema.accepts(partial))
        self.assertFalse(schema.accepts({**partial, "capstan": 1, "extend": partial.pop("extends")}))
        # Whatever is wrong with a key or a value by itself, the schema sees too.
        bad = sorted(glob.glob(os.path.join(BAD, "key_*.json")) + glob.glob(os.path.join(BAD, "value_*.json")))
        self.assertGreater(len(bad), 12)
        for path in bad:
            with open(path, encoding="utf-8") as scene:
                self.assertFalse(schema.accepts(json.load(scene)), path)

    def test_reference(self):
        done = run("--reference")
        self.assertEqual(done.returncode, 0)
        for key in ("bending_stiffness", "frame_interval", "release_time"):
            self.assertIn("| `%s` |" % key, done.stdout)


if __name__ == "__main__":
    unittest.main()
