// Unit tests with node's own runner: test/*.test.ts bundled to dist/test, types checked first.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const viewer = dirname(dirname(fileURLToPath(import.meta.url)));
const run = (...command) => {
  const { status } = spawnSync(process.execPath, command, { cwd: viewer, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
};
run("node_modules/typescript/bin/tsc", "--noEmit");
const tests = readdirSync(join(viewer, "test")).filter((name) => name.endsWith(".test.ts"));
const outdir = process.argv[2] ?? "dist/test";
await build({
  absWorkingDir: viewer, entryPoints: tests.map((name) => `test/${name}`), outdir, bundle: true, platform: "node", format: "esm",
  outExtension: { ".js": ".mjs" }, logLevel: "warning",
});
run("--test", ...tests.map((name) => join(outdir, name.replace(/\.ts$/, ".mjs"))));
