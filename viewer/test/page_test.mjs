// Pages in a real browser: node test/page_test.mjs DIR, with what tests/test_page_browser.py has put there:
//
//     one.html, two.html     a run; two runs side by side
//     viewer.html            the viewer without data
//     expected.json          what the cache says, to compare the picture with
//     render_*.png           `capstan render` of the first run, listed in expected.json
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { launch, load, newTab, settled } from "./browser.mjs";
import { compare } from "./compare.mjs";
import { decodePng } from "./png.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const folder = resolve(process.argv[2]);
const at = (name) => join(folder, name);
const expected = JSON.parse(readFileSync(at("expected.json"), "utf8"));
let browser;
let made; // test/encode.ts

before(async () => {
  browser = await launch();
  await build({ entryPoints: [join(here, "encode.ts")], outfile: at("encode.mjs"), bundle: true, platform: "node", format: "esm", logLevel: "warning" });
  made = await import(pathToFileURL(at("encode.mjs")));
});
after(() => browser?.close());

const tabs = new Map();

/** Opens, does, and insists that the browser had nothing to complain about. Pages of one kind share a tab: a page takes 0.5 s of
 * a processor to load then, 1.8 s in a new tab. What a page could leave behind, the browser's storage and a window of another size, is put back. */
async function withPage(name, options, what) {
  const kind = JSON.stringify(options);
  if (!tabs.has(kind)) tabs.set(kind, await newTab(browser, options));
  const tab = tabs.get(kind);
  const size = tab.page.viewportSize();
  try {
    await load(tab, at(name));
    await tab.page.waitForFunction(() => window.capstan || document.getElementById("message"), undefined, { timeout: 60_000 });
    await what(tab.page);
    assert.deepEqual(tab.complaints, []);
  } finally {
    await tab.page.evaluate(() => localStorage.clear());
    await tab.page.setViewportSize(size);
    await tab.page.goto("about:blank"); // or it would go on playing
  }
}

/** Pixels of the canvas as they are drawn, or of a PNG: RGBA by rows. */
async function picture(page, png = null) {
  await settled(page);
  const drawn = () =>
    page.evaluate(async () => {
      const bytes = new Uint8Array(await (await window.capstan.stage.picture()).arrayBuffer());
      let binary = "";
      for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192));
      return btoa(binary);
    });
  const { width, height, data } = decodePng(png ? readFileSync(png) : Buffer.from(await drawn(), "base64"));
  return { width, height, data, at: (x, y) => data.subarray(4 * (Math.round(y) * width + Math.round(x)), 4 * (Math.round(y) * width + Math.round(x)) + 3) };
}

const different = (a, b) => {
  let count = 0;
  for (let i = 0; i < a.data.length; i += 4)
    if (Math.abs(a.data[i] - b.data[i]) + Math.abs(a.data[i + 1] - b.data[i + 1]) + Math.abs(a.data[i + 2] - b.data[i + 2]) > 24) count++;
  return count;
};

const seek = async (page, time) => {
  await page.evaluate((t) => window.capstan.seek(t), time);
  await settled(page);
};
const shown = (page) => page.evaluate(() => window.capstan.player.shown);
const frameShown = (page) => page.evaluate(() => window.capstan.views[0].shown.index);

test("the rod is where the cache says it is, to 2 pixels, at three times", async () => {
  await withPage("one.html", { width: 1500, height: 900 }, async (page) => {
    await page.selectOption("#colour-by", "body");
    await page.evaluate(() => (window.capstan.views[0].marks.group.visible = false));
    // By the scene's camera alone, without asking the page.
    const box = await page.locator("#canvas").boundingBox();
    const scale = box.height / expected.camera.height;
    assert.ok(box.width / box.height > 1.3);
    let checked = 0;
    let worst = 0;
    for (const frame of expected.frames) {
      await seek(page, frame.time);
      const image = await picture(page);
      const isRod = (x, y) => {
        const [r, g, b] = image.at(x, y);
        return Math.abs(g - 1.0 * 146) < 45 && r < 0.5 * g && b > 0.6 * g && b < 1.1 * g; // the first body's green, also shaded
      };
      const place = ([x, y]) => [0.5 * box.width + (x - expected.camera.center[0]) * scale, 0.5 * box.height - (y - expected.camera.center[1]) * scale];
      for (let k = 2; k + 2 < frame.points.length; k += 2) {
        const [px, py] = place(frame.points[k]);
        const [ax, ay] = place(frame.points[k - 1]);
        const [bx, by] = place(frame.points[k + 1]);
        const length = Math.hypot(bx - ax, by - ay);
        const normal = [-(by - ay) / length, (bx - ax) / length];
        const reach = frame.radius * scale + 6;
        let sum = 0;
        let count = 0;
        for (let d = -reach; d <= reach; d += 0.5)
          if (isRod(px + d * normal[0], py + d * normal[1])) {
            sum += d;
            count++;
          }
        assert.ok(count > 0, `no rod at point ${k} of the frame at ${frame.time} s`);
        const off = Math.abs(sum / count);
        const width = 0.5 * count - 2 * frame.radius * scale;
        worst = Math.max(worst, off);
        assert.ok(off <= 2, `point ${k} at ${frame.time} s is off by ${off.toFixed(1)} pixels`);
        assert.ok(Math.abs(width) <= 3, `the rod is ${width.toFixed(1)} pixels too wide at ${frame.time} s`);
        checked++;
      }
    }
    console.log(`# rod: ${checked} places, off by ${worst.toFixed(2)} pixels at most`);
    assert.ok(checked >= 15);
  });
});

test("the page and `capstan render` show the same on the same camera", async () => {
  const { size, bodies, shown: list } = expected.renders;
  const percent = (share) => (100 * share).toFixed(2);
  await withPage("one.html", { width: size[0] + 420, height: size[1] + 280 }, async (page) => {
    const [wide, high] = size.map((length) => `${length}px !important`);
    await page.addStyleTag({ content: `#canvas { inset: 0 auto auto 0 !important; width: ${wide}; height: ${high} }` });
    await page.selectOption("#colour-by", "body");
    await page.evaluate(() => {
      const [view] = window.capstan.views;
      view.grid.mesh.visible = view.marks.group.visible = false;
    });
    for (const { time, camera, png, shifted } of list) {
      await seek(page, time);
      await page.evaluate(([x, y, height]) => {
        const { control } = window.capstan.stage;
        control.center.set(x, y);
        control.height = height;
        control.update();
      }, camera);
      const own = await picture(page);
      const theirs = await picture(page, at(png));
      assert.deepEqual([own.width, own.height, theirs.width, theirs.height], [...size, ...size]);
      const found = compare(own, theirs, bodies);
      const moved = compare(own, await picture(page, at(shifted)), bodies);
      console.log(
        `# render at ${time} s, camera ${camera}: ${percent(found.agree)}% of all pixels and ${percent(found.overlap)}% of those covered agree` +
          ` (5 pixels aside: ${percent(moved.agree)}%, ${percent(moved.overlap)}%); bodies ` +
          found.bodies.map((each) => `${percent(each.agree)}%, colour off by ${each.off.toFixed(1)}`).join("; "),
      );
      assert.ok(found.covered > 0.03, "next to nothing is shown");
      assert.ok(found.agree >= 0.999 && found.overlap >= 0.99, `${percent(found.overlap)}% of the covered pixels agree at ${time} s`);
      for (const [k, each] of found.bodies.entries()) {
        // A rod is nine pixels wide, and the browser knows coverage to a quarter of a pixel only: its sides differ a little.
        assert.ok(Math.min(...each.pixels) > 1000 && each.agree >= 0.95, `body ${k + 1}: ${percent(each.agree)}% agree at ${time} s`);
        assert.ok(each.off <= 4, `body ${k + 1}: ${each.mean[0].map(Math.round)} in the page, ${each.mean[1].map(Math.round)} in the picture`);
      }
      // It could have been otherwise.
      assert.ok(moved.agree < 0.999 && moved.overlap < 0.95, "a camera 5 pixels aside makes no difference");
      assert.ok(Math.min(...moved.bodies.map((each) => each.agree)) < 0.95, "nor for bodies");
    }
  });
});

test("space: the page and `capstan render` show the same on the same camera", async () => {
  const { size, bodies, camera, time, png, shifted } = expected.space;
  await withPage("space.html", { width: size[0] + 420, height: size[1] + 280 }, async (page) => {
    const [wide, high] = size.map((length) => `${length}px !important`);
    await page.addStyleTag({ content: `#canvas { inset: 0 auto auto 0 !important; width: ${wide}; height: ${high} }` });
    await page.selectOption("#colour-by", "body");
    await seek(page, time);
    await page.evaluate(([x, y, z, height, azimuth, elevation]) => {
      const { views, stage } = window.capstan;
      views[0].marks.group.visible = false;
      stage.control.target.center = [x, y, z];
      const distance = height / (2 * Math.tan((16 * Math.PI) / 180));
      stage.control.lookFrom((azimuth * Math.PI) / 180, (elevation * Math.PI) / 180, distance);
    }, camera);
    const own = await picture(page);
    const found = compare(own, await picture(page, at(png)), bodies);
    const moved = compare(own, await picture(page, at(shifted)), bodies);
    const told = (each) => `${(100 * each.agree).toFixed(2)}%, colour off by ${each.off.toFixed(1)}`;
    console.log(`# space: ${found.bodies.map(told).join("; ")} (5 pixels aside: ${moved.bodies.map(told).join("; ")})`);
    found.bodies.forEach((each, k) => {
      // Rims are dark and narrow: at them the browser's four samples per pixel tell a body from none or do not.
      assert.ok(Math.min(...each.pixels) > 500 && each.agree >= 0.9, `body ${k + 1}: ${told(each)}`);
      assert.ok(each.off <= 12, `body ${k + 1}: ${told(each)}`);
      assert.ok(moved.bodies[k].agree < each.agree - 0.05, `body ${k + 1}: 5 pixels aside make no difference`);
    });
  });
});

test("space: views along the axes show the whole box, and what changes is drawn", async () => {
  await withPage("space.html", {}, async (page) => {
    await settled(page);
    for (const key of ["x", "Y", "z", "f"]) {
      await page.keyboard.press(key);
      const inside = await page.evaluate(() => {
        const { stage, views } = window.capstan;
        const { low, high } = views[0].head.box;
        const [pane] = stage.panes;
        return Array.from({ length: 8 }, (_, k) => stage.project(0, ...[0, 1, 2].map((axis) => ((k >> axis) & 1 ? high : low)[axis]))).every(
          (at) => at && at.x >= 0 && at.y >= 0 && at.x <= pane.width && at.y <= pane.height,
        );
      });
      assert.ok(inside, `after ${key} something is cut off`);
    }
  });
});

test("it plays, stops, and the picture changes", async () => {
  await withPage("one.html", {}, async (page) => {
    const first = await picture(page);
    await page.click("#play");
    await page.waitForFunction(() => window.capstan.views[0].shown.index > 4, undefined, { timeout: 30_000 });
    assert.match(await page.getAttribute("#play", "aria-label"), /Pause/);
    await page.click("#play");
    const frame = await frameShown(page);
    await page.waitForTimeout(300);
    assert.equal(await frameShown(page), frame);
    assert.ok(different(first, await picture(page)) > 100);
  });
});

test("scrubbing, keys and speed", async () => {
  await withPage("one.html", {}, async (page) => {
    await settled(page);
    const frames = await page.evaluate(() => window.capstan.player.times.length);
    await page.locator("#time").fill(String(frames - 1));
    await settled(page);
    assert.equal(await frameShown(page), frames - 1);
    await page.keyboard.press("Home");
    await settled(page);
    assert.equal(await frameShown(page), 0);
    await page.locator("#canvas").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Shift+ArrowRight");
    await settled(page);
    assert.equal(await frameShown(page), 11);
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("End");
    await settled(page);
    assert.equal(await frameShown(page), frames - 1);
    await page.selectOption("#speed", "2");
    assert.equal(await page.evaluate(() => window.capstan.player.speed), 2);
    await page.locator("#canvas").focus();
    await page.keyboard.press("Space");
    assert.equal(await page.evaluate(() => window.capstan.player.playing), true);
    await page.keyboard.press("?");
    assert.equal(await page.locator("#help").getAttribute("open"), "");
    await page.keyboard.press("Escape");
    // Nothing is left of wild dragging but the last place.
    for (let k = 0; k < 40; k++) await page.locator("#time").fill(String((k * 13) % frames));
    await settled(page);
    assert.equal(await frameShown(page), (39 * 13) % frames);
  });
});

test("every colouring gives another picture and says what it means", async () => {
  await withPage("one.html", {}, async (page) => {
    await seek(page, expected.busy);
    const modes = await page.locator("#colour-by option").evaluateAll((options) => options.map((each) => each.value));
    for (const mode of ["body", "curvature", "speed", "force", "case"]) assert.ok(modes.includes(mode), mode);
    const pictures = [];
    for (const mode of modes) {
      await page.selectOption("#colour-by", mode);
      pictures.push(await picture(page));
      assert.ok((await page.locator(".legend").innerText()).length > 0, mode);
    }
    for (let a = 0; a < modes.length; a++)
      for (let b = 0; b < a; b++) assert.ok(different(pictures[a], pictures[b]) > 5, `${modes[a]} looks like ${modes[b]}`);
  });
});

test("zoom, pan and fit", async () => {
  await withPage("one.html", {}, async (page) => {
    const before = await picture(page);
    const box = await page.locator("#canvas").boundingBox();
    const scale = () => page.evaluate(() => window.capstan.stage.control.metresPerPixel());
    const start = await scale();
    await page.mouse.move(box.x + 500, box.y + 300);
    await page.mouse.wheel(0, -500);
    await settled(page);
    assert.ok((await scale()) < 0.7 * start);
    await page.mouse.down();
    await page.mouse.move(box.x + 400, box.y + 350, { steps: 4 });
    await page.mouse.up();
    assert.ok(different(before, await picture(page)) > 1000);
    await page.keyboard.press("f");
    await page.mouse.move(box.x + 5, box.y + box.height - 5);
    await settled(page);
    assert.ok(different(before, await picture(page)) < 20);
  });
});

test("a click on a chart goes to that time", async () => {
  await withPage("one.html", {}, async (page) => {
    await settled(page);
    await page.waitForSelector(".plot .u-over");
    const titles = await page.locator(".chart h2").allInnerTexts();
    for (const word of ["Energy", "Contacts", "Residual", "Iterations", "Time step", "tip: position"])
      assert.ok(titles.some((title) => title.includes(word)), `${word} among ${titles}`);
    const over = page.locator(".plot .u-over").first();
    const box = await over.boundingBox();
    const line = () => page.locator(".plot .now").first().boundingBox();
    for (const share of [0.25, 0.75]) {
      await page.mouse.click(box.x + share * box.width, box.y + 20);
      await settled(page);
      const last = await page.evaluate(() => window.capstan.player.last);
      assert.ok(Math.abs((await shown(page)) - share * last) < 0.02 * last);
      assert.ok(Math.abs((await line()).x - (box.x + share * box.width)) < 3);
    }
    await page.keyboard.press("Home");
    await settled(page);
    assert.ok(Math.abs((await line()).x - box.x) < 3);
  });
});

test("pointing at a contact shows it and its cone", async () => {
  await withPage("one.html", {}, async (page) => {
    const { contact, time } = expected;
    await seek(page, time);
    const box = await page.locator("#canvas").boundingBox();
    const where = await page.evaluate(([x, y]) => window.capstan.stage.project(0, x, y, 0), contact.position);
    const plain = await picture(page);
    assert.equal(await page.locator("#contact").isVisible(), false);
    await page.mouse.move(box.x + where.x, box.y + where.y);
    await settled(page);
    const card = page.locator("#contact");
    assert.equal(await card.isVisible(), true);
    const text = await card.innerText();
    for (const word of contact.words) assert.ok(text.includes(word), `${word} in ${text}`);
    assert.ok(different(plain, await picture(page)) > 50);
    await page.mouse.move(box.x + box.width - 3, box.y + box.height - 3);
    await settled(page);
    assert.equal(await card.isVisible(), false);
  });
});

test("other sizes: a window that changes, a phone, a fine screen", async () => {
  await withPage("one.html", {}, async (page) => {
    for (const [width, height] of [[1600, 1000], [900, 600], [390, 844], [320, 600]]) {
      await page.setViewportSize({ width, height });
      await settled(page);
      const measured = await page.evaluate(() => {
        const canvas = document.getElementById("canvas");
        return { wide: document.documentElement.scrollWidth, canvas: canvas.width, css: canvas.clientWidth, high: canvas.clientHeight };
      });
      assert.ok(measured.wide <= width, `${measured.wide} pixels wide in ${width}`);
      assert.equal(measured.canvas, measured.css);
      assert.ok(measured.high >= 250);
      const [seen, fitted] = await page.evaluate(() => {
        const { control } = window.capstan.stage;
        const before = control.metresPerPixel();
        control.fit();
        return [before, control.metresPerPixel()];
      });
      assert.equal(seen, fitted, "a picture that nobody has moved is fitted to its new size");
    }
    const canvas = await page.locator("#canvas").boundingBox();
    await page.mouse.move(canvas.x + 0.5 * canvas.width, canvas.y + 0.5 * canvas.height);
    await page.mouse.wheel(0, -400);
    await settled(page);
    const height = () => page.evaluate(() => window.capstan.stage.control.metresPerPixel() * document.getElementById("canvas").clientHeight);
    const zoomed = await height();
    await page.setViewportSize({ width: 1200, height: 700 });
    await settled(page);
    assert.ok(Math.abs((await height()) - zoomed) < 1e-9 * zoomed, "a picture that was moved stays where it is");
  });
  await withPage("one.html", { width: 390, height: 844, density: 3, touch: true }, async (page) => {
    await settled(page);
    const [own, css] = await page.evaluate(() => [document.getElementById("canvas").width, document.getElementById("canvas").clientWidth]);
    assert.equal(own, 3 * css);
    const play = await page.locator("#play").boundingBox();
    assert.ok(play.y + play.height <= 844, "the controls are below the fold");
    await page.tap("#play");
    assert.equal(await page.evaluate(() => window.capstan.player.playing), true);
  });
});

test("light and dark", async () => {
  const corner = async (options) => {
    let colour;
    await withPage("one.html", options, async (page) => (colour = [...(await picture(page)).at(600, 3)]));
    return colour;
  };
  assert.ok(Math.min(...(await corner({}))) > 230);
  assert.ok(Math.max(...(await corner({ dark: true }))) < 60);
  await withPage("one.html", {}, async (page) => {
    await settled(page);
    await page.keyboard.press("d");
    assert.ok(Math.max(...(await picture(page)).at(600, 3)) < 60);
  });
});

test("two runs side by side share time and camera", async () => {
  await withPage("two.html", {}, async (page) => {
    await seek(page, expected.two.time);
    const state = await page.evaluate(() => ({
      panes: window.capstan.stage.panes,
      times: window.capstan.views.map((view) => view.head.times[view.shown.index]),
      labels: [...document.querySelectorAll(".pane-label b")].map((each) => each.textContent),
    }));
    assert.equal(state.panes.length, 2);
    assert.equal(state.panes[0].width, state.panes[1].width);
    assert.ok(Math.abs(state.times[0] - state.times[1]) < 1e-9);
    assert.deepEqual(state.labels, expected.two.names);
    const image = await picture(page);
    const half = image.width / 2;
    let unlike = 0;
    for (let y = 0; y < image.height; y += 2)
      for (let x = 250; x < half; x += 2) {
        const [a, b] = [image.at(x, y), image.at(x + half, y)];
        if (Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) > 40) unlike++;
      }
    assert.ok(unlike > 50, "both halves look the same");
    const dashed = await page.locator(".keys.runs i.dashed").count();
    assert.equal(dashed, 1);
    await page.setViewportSize({ width: 390, height: 844 });
    await settled(page);
    const stacked = await page.evaluate(() => window.capstan.stage.panes);
    assert.ok(stacked[1].y > 0 && stacked[1].x === 0);
  });
});

test("the picture can be saved", async () => {
  await withPage("one.html", {}, async (page) => {
    await seek(page, expected.time);
    const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("p")]);
    assert.match(download.suggestedFilename(), /\.png$/);
    const bytes = readFileSync(await download.path());
    assert.deepEqual([...bytes.subarray(0, 8)], [137, 80, 78, 71, 13, 10, 26, 10]);
    assert.ok(bytes.length > 5000);
  });
});

test("a mesh of 10,000 vertices whose triangles change", async () => {
  const frames = Array.from({ length: 6 }, (_, k) => ({ items: [made.sheet(100, 0.1 * k, k % 2 === 1)], contacts: [] }));
  writeFileSync(at("mesh.html"), made.assemble(readFileSync(at("viewer.html"), "utf8"), made.makePage(frames, { perBlock: 3 })));
  await withPage("mesh.html", {}, async (page) => {
    const still = await picture(page);
    const serials = [];
    for (let k = 0; k < 6; k++) {
      await seek(page, 0.1 * k);
      serials.push(await page.evaluate(() => window.capstan.views[0].shown.topology.serial));
    }
    assert.equal(new Set(serials).size, 6);
    await seek(page, 0);
    await page.keyboard.press("w");
    assert.ok(different(still, await picture(page)) > 2000);
    const before = await picture(page);
    const box = await page.locator("#canvas").boundingBox();
    await page.mouse.move(box.x + 400, box.y + 300);
    await page.mouse.down();
    await page.mouse.move(box.x + 500, box.y + 330, { steps: 5 });
    await page.mouse.up();
    assert.ok(different(before, await picture(page)) > 2000, "orbiting changes nothing");
    const cost = await page.evaluate(() => window.capstan.scriptTime.total / window.capstan.scriptTime.pictures);
    console.log(`# mesh: ${cost.toFixed(1)} ms of script per picture with new triangles each time`);
  });
});

// --------------------------------------------------------------------------------------------------- torn and hostile pages

const frames = () => Array.from({ length: 8 }, (_, k) => ({ items: [{ kind: 0, id: 1, points: Array.from({ length: 9 }, (_, i) => [i / 8, 0.1 * k, 0, 0.02]) }], contacts: [] }));

async function message(name, html, what) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(at(name), html);
  await withPage(name, {}, async (page) => {
    await page.waitForSelector("#message", { timeout: 30_000 });
    const text = await page.locator("#message").innerText();
    assert.match(text, what, `${name}: ${text}`);
    assert.equal(await page.locator("#message").isVisible(), true);
  });
}

test("a page cut short says so, wherever it was cut", async () => {
  const whole = readFileSync(at("one.html"), "utf8");
  const data = whole.indexOf('<script type="application/octet-stream" id="run0');
  await message("cut.html", whole.slice(0, data + 5000), /cut short|cannot be shown/);
  await message("cut.html", whole.slice(0, whole.lastIndexOf("capstan-header") + 400), /cannot be read|cannot be shown/);
  await message("cut.html", readFileSync(at("viewer.html"), "utf8"), /holds no run/);
});

test("damaged and hostile data give a message in the page", async () => {
  const viewer = readFileSync(at("viewer.html"), "utf8");
  const damaged = async (damage, what) => {
    const page = made.makePage(frames(), { dim: 2 });
    damage(page);
    await message("bad.html", made.assemble(viewer, page), what);
  };
  await damaged((page) => (page.data["run0-frames0"] = page.data["run0-frames0"].replace(/./, "!")), /do not belong/);
  await damaged((page) => (page.data["run0-frames0"] = page.data["run0-frames0"].slice(0, 40)), /damaged|shorter|cut short/);
  await damaged((page) => (page.data["run0-frames0"] = page.data["run0-frames1"].split("").reverse().join("").replace(/=/g, "A")), /damaged/);
  await damaged((page) => delete page.data["run0-frames0"], /missing/);
  await damaged((page) => delete page.data["run0-table0"], /missing/);
  await damaged((page) => (page.header.runs[0].blocks[0].bytes = 1 << 29), /shorter/);
  await damaged((page) => (page.header.runs[0].blocks[0].frames = 1e9), /header/);
  await damaged((page) => (page.header.runs[0].times = page.header.runs[0].times.map(() => 1)), /increase/);
  await damaged((page) => (page.header.format = 7), /format 7/);
  await damaged((page) => (page.header.runs = []), /no run/);
  await damaged((page) => (page.header.runs[0].box.low = ["<img src=x onerror=alert(1)>", 0, 0]), /box/);
  await damaged((page) => (page.header.runs[0].position_bytes = 2), /damaged/);
});

test("what comes after a damaged block is still shown", async () => {
  const page = made.makePage(frames(), { dim: 2 });
  page.data["run0-frames0"] = page.data["run0-frames0"].slice(0, 40);
  writeFileSync(at("half.html"), made.assemble(readFileSync(at("viewer.html"), "utf8"), page));
  await withPage("half.html", {}, async (browserPage) => {
    await browserPage.waitForSelector("#message");
    await seek(browserPage, 0.6);
    assert.equal(await frameShown(browserPage), 6);
  });
});

test("names are text, whatever they hold", async () => {
  const title = "</script><img src=x onerror=\"window.hacked=1\"><!-- & ";
  const page = made.makePage(frames(), { dim: 2, title });
  page.header.runs[0].bodies = [title, title];
  writeFileSync(at("names.html"), made.assemble(readFileSync(at("viewer.html"), "utf8"), page));
  await withPage("names.html", {}, async (browserPage) => {
    await settled(browserPage);
    assert.equal(await browserPage.locator("#title").textContent(), title);
    assert.equal(await browserPage.evaluate(() => window.hacked), undefined);
  });
});
