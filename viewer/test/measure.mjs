// What a page costs: node test/measure.mjs PAGE.html [SECONDS]. Prints size, load time, script per picture while playing, memory.
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { launch, openPage, settled } from "./browser.mjs";

const file = resolve(process.argv[2]);
const seconds = Number(process.argv[3] ?? 10);
const browser = await launch();
const started = Date.now();
const { page, complaints } = await openPage(browser, file, { width: 1280, height: 800 });
await settled(page);
const load = Date.now() - started;
const session = await page.context().newCDPSession(page);
await page.evaluate(() => {
  const { player, scriptTime } = window.capstan;
  Object.assign(scriptTime, { pictures: 0, total: 0, longest: 0 });
  player.loop = true;
  player.toggle();
});
// Processor time of the page's own thread: what else the machine does is not counted.
await session.send("Performance.enable", { timeDomain: "threadTicks" });
const metric = async (name) => (await session.send("Performance.getMetrics")).metrics.find((each) => each.name === name).value;
const before = await metric("ScriptDuration");
await page.waitForTimeout(1000 * seconds);
const all = (await metric("ScriptDuration")) - before;
const measured = await page.evaluate(() => {
  const { scriptTime, stores, player } = window.capstan;
  return { ...scriptTime, decoded: stores.reduce((sum, store) => sum + store.memory, 0), time: player.shown };
});
await session.send("HeapProfiler.collectGarbage");
const heap = await metric("JSHeapUsedSize");
const scrubs = [];
for (const share of [0.9, 0.1, 0.55, 0.97, 0.3]) {
  const at = Date.now();
  await page.evaluate((s) => window.capstan.seek(window.capstan.player.last * s), share);
  await settled(page);
  scrubs.push(Date.now() - at);
}
console.log(`file                 ${(statSync(file).size / 1e6).toFixed(1)} MB`);
console.log(`load to first frame  ${load} ms`);
console.log(`pictures             ${measured.pictures} in ${seconds} s (drawn by the processor here)`);
console.log(`script per picture   ${((1000 * all) / measured.pictures).toFixed(2)} ms of processor time`);
console.log(`                     ${(measured.total / measured.pictures).toFixed(2)} ms by the clock on the wall, longest ${measured.longest.toFixed(1)} ms`);
console.log(`memory               heap ${(heap / 1e6).toFixed(0)} MB, decoded frames ${(measured.decoded / 1e6).toFixed(0)} MB`);
console.log(`far scrubs           ${scrubs.join(", ")} ms until drawn`);
if (complaints.length) console.log("complaints:", complaints);
await browser.close();
