// Debian's Chromium, without a display, drawing with the processor: what the browser tests and pictures run in.
import { existsSync } from "node:fs";

const PLACES = [process.env.CAPSTAN_CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export const chromiumPath = PLACES.find((place) => place && existsSync(place));

export async function launch() {
  const { chromium } = await import("playwright-core");
  return chromium.launch({
    executablePath: chromiumPath,
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu-sandbox",
      "--use-gl=angle",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      "--disable-gpu-compositing", // the canvas is drawn by SwiftShader, the page around it by the browser: a fifth of the work
      "--disable-background-networking",
      "--allow-file-access-from-files=false",
    ],
  });
}

/** Of the driver, when the canvas is put into the page without a compositor: nothing that the page could do otherwise. */
const OF_THE_DRIVER = /GL Driver Message .* GPU stall due to ReadPixels/;

/** A tab, offline, that remembers every complaint about the page that it shows. */
export async function newTab(browser, { width = 1080, height = 660, density = 1, dark = false, touch = false } = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: density,
    colorScheme: dark ? "dark" : "light",
    hasTouch: touch,
    offline: true,
    acceptDownloads: true,
  });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !OF_THE_DRIVER.test(message.text())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (!/^(file|blob|data):/.test(request.url())) complaints.push(`request to ${request.url()}`);
  });
  return { page, complaints };
}

/** A page from disk. */
export async function openPage(browser, file, options) {
  const tab = await newTab(browser, options);
  await load(tab, file);
  return tab;
}

/** Another page from disk, as one that this tab has never seen. */
export async function load({ page, complaints }, file) {
  await page.mouse.move(0, 0);
  complaints.length = 0;
  await page.goto(`file://${file}`, { timeout: 120_000 });
}

/** Waits until every pane shows the frame that its time asks for, and has been drawn. */
export async function settled(page) {
  await page.waitForFunction(
    () => {
      const app = window.capstan;
      if (!app) return false;
      const before = app.stage.pictures;
      return before > 0 && app.views.every((view) => view.shown && Math.abs(view.head.times[view.shown.index] - app.player.shown) <= nearestGap(view, app));
      function nearestGap(view, { player }) {
        return Math.min(...view.head.times.map((time) => Math.abs(time - player.shown))) + 1e-12;
      }
    },
    undefined,
    { timeout: 60_000 },
  );
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}
