// A screenshot of a page: node test/shot.mjs PAGE.html OUT.png [--size WxH] [--dark] [--at T] [--density D] [--hover] [--mode ID]
import { resolve } from "node:path";
import { launch, openPage, settled } from "./browser.mjs";

const [file, out, ...rest] = process.argv.slice(2);
const option = (name, otherwise) => (rest.includes(`--${name}`) ? rest[rest.indexOf(`--${name}`) + 1] : otherwise);
const [width, height] = option("size", "1280x800").split("x").map(Number);
const browser = await launch();
const { page, complaints } = await openPage(browser, resolve(file), {
  width, height, dark: rest.includes("--dark"), density: Number(option("density", "1")),
});
await page.waitForFunction(() => window.capstan || document.getElementById("message"), undefined, { timeout: 120_000 });
if (await page.evaluate(() => Boolean(window.capstan))) {
  if (option("mode")) await page.selectOption("#colour-by", option("mode"));
  if (option("at")) await page.evaluate((time) => window.capstan.seek(time), Number(option("at")));
  await settled(page);
  if (rest.includes("--hover")) {
    const at = await page.evaluate(() => {
      const { stage, views } = window.capstan;
      const { contacts } = views[0].shown.data;
      let best = 0;
      for (let i = 0; i < contacts.count; i++)
        if (Math.hypot(...contacts.force.subarray(3 * i, 3 * i + 3)) > Math.hypot(...contacts.force.subarray(3 * best, 3 * best + 3))) best = i;
      const box = document.getElementById("canvas").getBoundingClientRect();
      const p = contacts.count ? stage.project(0, ...contacts.position.subarray(3 * best, 3 * best + 3)) : { x: 5, y: 5 };
      return { x: p.x + box.left, y: p.y + box.top };
    });
    await page.mouse.move(at.x, at.y);
    await settled(page);
  }
  await page.waitForTimeout(400);
}
await page.screenshot({ path: out, fullPage: rest.includes("--full") });
if (complaints.length) console.log("complaints:", complaints);
await browser.close();
