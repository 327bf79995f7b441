// Bundles the viewer into one HTML file without data:
//
//     node build.mjs                     dist/viewer.html
//     node build.mjs --html FILE.html    the same elsewhere
//     node build.mjs --c FILE.c          compressed, as the C source that capstan is built with
//
// Needs nothing but node_modules (npm ci).
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateSync } from "node:zlib";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const common = { bundle: true, minify: true, target: "es2020", legalComments: "none", write: false, logLevel: "warning", absWorkingDir: here };

/** import text from "worker:./file": the file bundled on its own. */
const workers = {
  name: "worker",
  setup(bundler) {
    bundler.onResolve({ filter: /^worker:/ }, (args) => ({
      path: resolve(args.resolveDir, args.path.slice("worker:".length) + ".ts"),
      namespace: "worker",
    }));
    bundler.onLoad({ filter: /.*/, namespace: "worker" }, async (args) => {
      const built = await build({ ...common, entryPoints: [args.path], format: "iife" });
      return { contents: built.outputFiles[0].text, loader: "text" };
    });
  },
};

/** Text inside an inline script must not end it. */
const inline = (script) => script.replace(/<\/script/gi, "<\\/script").replace(/<!--/g, "<\\!--");

async function viewer() {
  const built = await build({
    ...common,
    entryPoints: ["src/main.ts"],
    outdir: "dist",
    format: "iife",
    plugins: [workers],
    loader: { ".css": "css" },
  });
  const file = (ending) => built.outputFiles.find((each) => each.path.endsWith(ending)).text;
  // Their licences ask for their texts to go with them.
  const notices = ["three", "uplot"].map((name) => {
    const own = (file) => readFileSync(join(here, "node_modules", name, file), "utf8");
    return `${name} ${JSON.parse(own("package.json")).version}\n\n${own("LICENSE").replace(/--+/g, "-").trim()}`;
  });
  return readFileSync(join(here, "src/index.html"), "utf8")
    .replace("%NOTICES%", () => notices.join("\n\n"))
    .replace("/* %STYLE% */", () => file(".css"))
    .replace("/* %SCRIPT% */", () => inline(file(".js")));
}

function asC(html) {
  const packed = deflateSync(Buffer.from(html), { level: 9 });
  let rows = "";
  for (let at = 0; at < packed.length; at += 64) rows += `    ${[...packed.subarray(at, at + 64)].join(",")},\n`;
  return `/* The viewer (viewer/), bundled and compressed by viewer/build.mjs. */
#include "cli/page_viewer.h"

static const unsigned char packed[] = {
${rows}};

const cst_page_viewer cst_the_page_viewer = {packed, sizeof packed, ${Buffer.byteLength(html)}};
`;
}

const [form, file] = process.argv.slice(2);
if (form !== undefined && (!["--c", "--html"].includes(form) || !file)) throw new Error(`build.mjs: what is ${form}?`);
const html = await viewer();
const out = resolve(file ?? join(here, "dist/viewer.html"));
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, form === "--c" ? asC(html) : html);
