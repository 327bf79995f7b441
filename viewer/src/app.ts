/** The page as a whole: runs, their pictures, time, charts and controls, tied together. */
import { colourModes } from "./colour/modes";
import { Case, HAIR_FIBERS } from "./data/frame";
import { nearest } from "./data/derived";
import { faultText } from "./data/fault";
import { FrameStore } from "./data/frame_store";
import type { Header, RunHead } from "./data/header";
import { dataText } from "./data/page_data";
import { readTable, type Table } from "./data/tables";
import { readLink, writeLink } from "./link";
import { joinTimes, Player } from "./player";
import { AxesMark } from "./ui/axes";
import { Charts, probeCharts, stepCharts } from "./ui/charts";
import { ColourCard } from "./ui/colour_card";
import { ContactCard } from "./ui/contact_card";
import { el, iconButton } from "./ui/elements";
import { factList } from "./ui/facts";
import { count, length, number, plural } from "./ui/format";
import { helpDialog } from "./ui/help";
import { showBanner } from "./ui/message";
import { ThemeChoice } from "./ui/theme";
import { Transport } from "./ui/transport";
import { roundLength } from "./view/grid";
import { RunView } from "./view/run_view";
import { SpaceCamera } from "./view/cameras";
import { Stage, type Picked } from "./view/stage";

/** What a run looks like at first: what differs most tells most. */
function firstMode(head: RunHead): string {
  if (head.fibers >= HAIR_FIBERS) return "hair";
  if (head.bodies.length > 1 && head.bodies.length <= 8) return "body";
  return head.channels.some((channel) => channel.name === "curvature" && channel.largest > 0) ? "curvature" : "body";
}

/** Names of two runs: titles if they differ, else directories. */
function runNames(runs: RunHead[]): string[] {
  const titles = runs.map((run) => run.title);
  return new Set(titles).size === titles.length && titles.every((title) => title !== "") ? titles : runs.map((run) => run.name);
}

/** More than this in a frame would hide what they act on. */
const MANY_CONTACTS = 150;

/** Seconds from one picture to the next that are too many. */
const SLOW = 0.07;

/** Milliseconds of script for the pictures drawn so far. */
export class ScriptTime {
  pictures = 0;
  total = 0;
  longest = 0;
  add(ms: number): void {
    this.pictures++;
    this.total += ms;
    this.longest = Math.max(this.longest, ms);
  }
}

export class App {
  readonly player: Player;
  readonly stage: Stage;
  readonly views: RunView[];
  readonly stores: FrameStore[];
  readonly scriptTime = new ScriptTime();
  private readonly names: string[];
  private readonly theme: ThemeChoice;
  private readonly charts: Charts;
  private readonly transport: Transport;
  private readonly colourCard: ColourCard;
  private readonly contactCard = new ContactCard();
  private readonly stageElement: HTMLElement;
  private readonly canvas: HTMLCanvasElement;
  private readonly help: HTMLDialogElement;
  private readonly scaleBar = el("div", { class: "scale", "aria-hidden": "true" });
  private readonly labels: { box: HTMLElement; live: HTMLElement }[];
  private readonly bodyName = el("div", { class: "body-name card", hidden: true, id: "body-name" });
  private readonly axes: AxesMark | null;
  private linked = "";
  private readonly line = el("div", { class: "pane-line", hidden: true });
  private steps: (Table | null)[];
  private pointer: { x: number; y: number; reach: number } | null = null;
  private last = 0;
  private slow = 0;
  /** Points move between saved frames. */
  inBetween = true;

  constructor(
    private readonly root: HTMLElement,
    private readonly header: Header,
  ) {
    const { runs } = header;
    this.names = runNames(runs);
    this.steps = runs.map(() => null);
    this.theme = new ThemeChoice(() => this.restyle());
    this.player = new Player(joinTimes(runs.map((run) => run.times)));
    this.views = runs.map((run) => new RunView(run, colourModes(runs, run)));
    this.axes = runs[0]!.dim === 3 ? new AxesMark() : null;
    this.canvas = el("canvas", { tabindex: "0", role: "img", id: "canvas", "aria-label": this.describe() });
    this.help = helpDialog(header.generator, runs[0]!.dim === 3);
    this.colourCard = new ColourCard(this.views[0]!.modes, {
      contacts: runs.some((run) => run.contacts > 0),
      manyContacts: Math.max(...runs.map((run) => run.summary.mostContacts)) > MANY_CONTACTS,
      mode: (id) => this.setMode(id),
      dots: (on) => this.eachView((view) => (view.marks.dotsShown = on)),
      arrows: (on) => this.eachView((view) => (view.marks.arrowsShown = on)),
      wireframe: (on) => this.eachView((view) => (view.cloth.wireframe = on)),
    });
    const { first, last } = this.player;
    this.charts = new Charts(
      [first, last > first ? last : first + 1],
      (name) => this.theme.colour(name),
      (time) => this.seek(time),
    );
    this.transport = new Transport(this.player, () => this.transport.show());
    this.labels = runs.map((_, k) => {
      const live = el("span", { class: "live" });
      return { live, box: el("div", { class: "pane-label" }, runs.length > 1 ? el("b", {}, this.names[k]!) : null, live) };
    });
    this.stageElement = el(
      "section",
      { class: "stage", "aria-label": "Picture" },
      this.canvas,
      this.line,
      ...this.labels.map((label) => label.box),
      this.colourCard.element,
      this.scaleBar,
      this.contactCard.element,
      this.bodyName,
    );
    if (this.axes) this.stageElement.append(this.axes.element);
    this.build();
    this.stage = new Stage(this.canvas, header, this.views, () => this.cameraMoved());
    this.stores = runs.map(
      (run, k) =>
        new FrameStore(
          run,
          (block) => dataText(document, k, "frames", block),
          () => undefined,
          (message) => this.fault(message),
        ),
    );
    this.start();
  }

  private describe(): string {
    return this.names.join(" beside ") + ": moving picture of the run, drawn from its saved frames";
  }

  private build(): void {
    const { runs } = this.header;
    const title = runs.length > 1 ? this.names.join(" | ") : runs[0]!.title || runs[0]!.name;
    document.title = `${title} – Capstan`;
    this.root.className = runs.length > 1 ? "app two" : "app";
    this.root.replaceChildren(
      el(
        "header",
        { class: "top" },
        el("h1", { id: "title" }, runs.length > 1 ? this.names.join("  |  ") : title),
        factList(runs),
        el(
          "div",
          { class: "actions" },
          iconButton("fit", "Fit the picture (f)", () => this.stage.control.fit()),
          iconButton("picture", "Save the picture (p)", () => void this.savePicture()),
          iconButton("theme", "Light or dark (d)", () => this.theme.toggle()),
          iconButton("help", "Help (?)", () => this.help.showModal()),
        ),
      ),
      this.stageElement,
      this.charts.element,
      this.transport.element,
      this.help,
    );
    // On a phone the controls belong to the picture, above the charts.
    const narrow = window.matchMedia("(max-width: 820px)");
    const arrange = () => (narrow.matches ? this.stageElement.after(this.transport.element) : this.charts.element.after(this.transport.element));
    narrow.addEventListener("change", arrange);
    arrange();
  }

  private start(): void {
    this.listen();
    this.colourCard.mode = firstMode(this.header.runs[0]!);
    this.stage.resize();
    this.stage.control.fit();
    this.setArrowScale();
    this.colourCard.start();
    this.restyle();
    this.layout();
    this.openLink();
    window.addEventListener("hashchange", () => this.openLink());
    window.setInterval(() => this.keepLink(), 400);
    void this.readTables();
    requestAnimationFrame((now) => this.tick(now));
  }

  // ------------------------------------------------------------------------------------------------------------- data

  private async readTables(): Promise<void> {
    const probes: { run: number; table: Table }[] = [];
    for (const [k, run] of this.header.runs.entries()) {
      for (const [t, head] of run.tables.entries()) {
        try {
          const table = await readTable(head, dataText(document, k, "table", t));
          if (t === 0) this.steps[k] = table;
          else probes.push({ run: k, table });
        } catch (thrown) {
          this.fault(`${head.name}: ${faultText(thrown)}`);
        }
      }
    }
    const steps = this.steps.flatMap((table, run) => (table ? [{ run, table }] : []));
    const tolerance = Math.min(...this.header.runs.map((run) => run.tolerance));
    const contents = steps.length > 0 ? stepCharts(steps, tolerance) : [];
    const own = probeCharts(probes);
    // What was asked for comes early; energies are asked for by a probe too, and known already.
    const asked = own.filter((chart) => chart.unit !== "J");
    this.charts.fill(this.names, [...contents.slice(0, 2), ...asked, ...contents.slice(2), ...own.filter((chart) => chart.unit === "J")]);
    this.charts.setTime(this.player.shown, false);
    this.showLive();
  }

  private fault(message: string): void {
    showBanner(this.stageElement, message);
  }

  // ------------------------------------------------------------------------------------------------------------- time

  seek(time: number): void {
    this.player.playing = false;
    this.player.seek(time);
  }

  private tick(now: number): void {
    const started = performance.now();
    const passed = Math.min((now - this.last) / 1000, 0.1);
    this.last = now;
    if (this.stage.resize()) this.layout();
    const before = this.player.time;
    this.player.advance(passed);
    const ready = this.showFrames();
    if (!ready && this.player.playing) this.player.time = before; // the clock waits for the data
    this.transport.show();
    this.charts.setTime(this.player.shown, this.player.playing);
    const drawn = this.stage.draw();
    if (drawn) this.scriptTime.add(performance.now() - started);
    this.keepUp(drawn, passed);
    requestAnimationFrame((next) => this.tick(next));
  }

  /** Between two saved frames points are on the straight line from one to the other, as in pictures (capstan render). */
  private moveBetween(view: RunView, run: number): boolean {
    const { times } = view.head;
    const at = view.shown!.index;
    const after = this.player.shown - times[at]!;
    const other = at + (after > 0 ? 1 : -1);
    const gap = Math.abs((times[other] ?? NaN) - times[at]!);
    const share = this.inBetween && gap > 0 ? Math.abs(after) / gap : 0;
    return view.between(share > 1e-6 && share <= 0.5 + 1e-9 ? this.stores[run]!.get(other) : null, share);
  }

  /** A few slow pictures in a row: the hair gets thinner. */
  private keepUp(drawn: boolean, passed: number): void {
    this.slow = drawn && passed > SLOW ? this.slow + 1 : 0;
    if (this.slow < 4) return;
    this.slow = 0;
    if (this.views.some((view) => view.hair.halve())) this.eachView(() => undefined);
  }

  /** False while a frame is still on its way. */
  private showFrames(): boolean {
    let ready = true;
    this.views.forEach((view, k) => {
      const index = nearest(view.head.times, this.player.shown);
      if (view.shown?.index === index) {
        if (this.moveBetween(view, k)) this.stage.invalidate();
        return;
      }
      const frame = this.stores[k]!.get(index);
      if (!frame) {
        ready = false;
        return;
      }
      view.show(frame);
      this.moveBetween(view, k);
      if (frame.topology.triangles.length > 0) this.colourCard.offerWireframe();
      this.stage.invalidate();
      this.showLive();
      this.repick();
    });
    return ready;
  }

  /** To the moment that the address says. */
  private openLink(): void {
    if (location.hash === "" || location.hash === this.linked) return;
    const { time, camera, colour } = readLink(location.hash);
    this.linked = location.hash;
    if (camera) this.stage.control.restore(camera);
    if (colour && this.views[0]!.modes.some((mode) => mode.id === colour)) this.colourCard.mode = colour;
    if (time !== null) this.seek(time);
  }

  /** The address says what is shown, once somebody has changed it. */
  private keepLink(): void {
    if (this.player.playing) return;
    const now = writeLink(this.player.shown, this.stage.control.state(), this.colourCard.mode);
    if (now === this.linked) return;
    const first = this.linked === "";
    this.linked = now;
    if (!first) history.replaceState(null, "", now);
  }

  // ---------------------------------------------------------------------------------------------------------- picture

  private eachView(what: (view: RunView) => void): void {
    this.views.forEach(what);
    this.stage?.invalidate();
  }

  private setMode(id: string): void {
    this.eachView((view) => view.setMode(id));
    this.colourCard.showLegend(this.theme.current);
  }

  /** Large forces are an eighth of the picture long, or middling ones a twentieth if that is more. */
  private setArrowScale(): void {
    const most = (pick: (head: RunHead) => number) => Math.max(...this.header.runs.map(pick));
    const typical = most((run) => run.force.typical);
    const middle = most((run) => run.force.middle);
    const pane = this.stage.panes[0]!;
    const metres = this.stage.control.metresPerPixel() * Math.min(pane.width, pane.height);
    const scale = typical > 0 && middle > 0 ? Math.max((0.14 * metres) / typical, (0.05 * metres) / middle) : 0;
    this.eachView((view) => view.marks.setArrowScale(scale, 0.3 * metres));
  }

  private cameraMoved(): void {
    this.axes?.show(this.stage.control.camera);
    this.showScale();
    this.repick();
  }

  private restyle(): void {
    if (!this.stage) return;
    const colours = this.theme.picture();
    this.eachView((view) => view.setTheme(this.theme.current, colours));
    this.stage.setTheme(colours);
    this.colourCard.showLegend(this.theme.current);
    this.charts.restyle();
  }

  private layout(): void {
    this.stage.panes.forEach((pane, k) => {
      const { style } = this.labels[k]!.box;
      const low = this.canvas.clientWidth < 600;
      style.right = `${this.canvas.clientWidth - pane.x - pane.width}px`;
      style.top = low ? "auto" : `${pane.y}px`;
      style.bottom = low ? `${this.canvas.clientHeight - pane.y - pane.height}px` : "auto";
      style.maxWidth = `${pane.width - (low ? 100 : k === 0 ? 216 : 0)}px`;
    });
    const second = this.stage.panes[1];
    this.line.hidden = !second;
    if (second) {
      const stacked = second.x === 0;
      this.line.style.cssText = stacked
        ? `left:0;right:0;height:1px;top:${second.y}px`
        : `top:0;bottom:0;width:1px;left:${second.x}px`;
    }
    this.charts.resize();
    this.showScale();
  }

  private showScale(): void {
    const metres = roundLength(120 * this.stage.control.metresPerPixel());
    const pixels = metres / this.stage.control.metresPerPixel();
    this.scaleBar.replaceChildren(length(metres), el("i", { style: `width:${pixels.toFixed(1)}px` }));
    // A round force whose arrow is 30 to 75 pixels long.
    const perPixel = this.stage.control.metresPerPixel() / this.views[0]!.marks.arrowScale;
    const force = Number.isFinite(perPixel) ? roundLength(75 * perPixel) : 0;
    this.colourCard.showArrowKey(force / perPixel, force);
  }

  private showLive(): void {
    this.views.forEach((view, k) => {
      const contacts = view.shown?.data.contacts;
      if (!contacts) return;
      let sliding = 0;
      let sticking = 0;
      for (const kind of contacts.kind) {
        if (kind === Case.Slides) sliding++;
        else if (kind === Case.Sticks || kind === Case.Held) sticking++;
      }
      const error = this.valueNow(k, "error", view.head.times[view.shown!.index]!);
      const parts = [plural(contacts.count, "contact")];
      if (contacts.count > 0) parts.push(`${count(sticking)} stick, ${count(sliding)} slide, ${count(contacts.count - sticking - sliding)} open`);
      if (error !== null && error > 0) parts.push(`E\u00a0${number(error, 2)}`);
      const text = parts.join(" · ");
      if (this.labels[k]!.live.textContent !== text) this.labels[k]!.live.textContent = text;
    });
  }

  private valueNow(run: number, column: string, time: number): number | null {
    const table = this.steps[run];
    const values = table?.column(column);
    return values && values.length > 0 ? (values[nearest(table!.time, time)] ?? null) : null;
  }

  // --------------------------------------------------------------------------------------------------------- pointing

  private repick(): void {
    if (this.pointer) this.point(this.pointer.x, this.pointer.y, this.pointer.reach);
  }

  /** Shows the contact there, if any. */
  private point(x: number, y: number, reach: number): void {
    const picked = this.stage.pick(x, y, reach);
    this.canvas.classList.toggle("pointing", picked !== null);
    let aside = 0;
    const metres = this.stage.control.metresPerPixel();
    this.views.forEach((view, run) => {
      const contacts = view.shown?.data.contacts ?? null;
      const chosen = picked?.run === run ? picked.contact : -1;
      aside += view.marks.choose(contacts, chosen, 46 * metres) / metres;
    });
    this.stage.invalidate();
    if (picked) this.showContact(picked, Math.min(aside, 110));
    else this.contactCard.hide();
    this.showBody(picked ? null : this.stage.pickBody(x, y), x, y);
  }

  private showBody(found: ReturnType<Stage["pickBody"]>, x: number, y: number): void {
    this.bodyName.hidden = !found;
    if (!found) return;
    const { obstacle, id } = found.item;
    const { bodies, obstacles } = this.views[found.run]!.head;
    const name = (obstacle ? obstacles : bodies)[id - 1];
    this.bodyName.textContent = name || `${obstacle ? "obstacle" : "body"} ${id}`;
    const box = this.stageElement.getBoundingClientRect();
    const left = Math.min(x - box.left + 14, box.width - this.bodyName.offsetWidth - 8);
    this.bodyName.style.left = `${Math.max(left, 8)}px`;
    this.bodyName.style.top = `${Math.min(y - box.top + 16, box.height - 30)}px`;
  }

  /** aside: pixels that the cone takes to either side. */
  private showContact(picked: Picked, aside: number): void {
    const view = this.views[picked.run]!;
    const dt = this.valueNow(picked.run, "dt", view.head.times[view.shown!.index]!) ?? view.head.dt;
    const { contacts } = view.shown!.data;
    const near = this.stage.normalOnScreen(picked.run, contacts, picked.contact);
    this.contactCard.show(view.head, contacts, picked.contact, dt, picked, near, aside);
  }

  private listen(): void {
    this.canvas.addEventListener("pointermove", (event) => {
      if (event.buttons !== 0 && event.pointerType !== "touch") return;
      this.pointer = { x: event.clientX, y: event.clientY, reach: event.pointerType === "touch" ? 30 : 14 };
      this.repick();
    });
    this.canvas.addEventListener("pointerdown", (event) => {
      if (event.pointerType !== "touch") return;
      this.pointer = { x: event.clientX, y: event.clientY, reach: 30 };
      this.repick();
    });
    this.canvas.addEventListener("pointerleave", (event) => {
      if (event.pointerType === "touch") return; // what was tapped stays
      this.pointer = null;
      this.point(-1e6, -1e6, 0);
    });
    window.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.charts.resize()).observe(this.charts.element);
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || this.help.open) return;
    const target = event.target as HTMLElement;
    if (target instanceof HTMLSelectElement) return;
    const { player } = this;
    const many = event.shiftKey ? 10 : 1;
    const actions: Record<string, () => void> = {
      " ": () => player.toggle(),
      ArrowLeft: () => player.step(-many),
      ArrowRight: () => player.step(many),
      Home: () => this.seek(player.first),
      End: () => this.seek(player.last),
      f: () => this.stage.control.fit(),
      ...this.axisKeys(),
      c: () => this.colourCard.nextMode(),
      a: () => this.colourCard.toggleArrows(),
      w: () => this.colourCard.toggleWireframe(),
      l: () => (player.loop = !player.loop),
      i: () => (this.inBetween = !this.inBetween),
      d: () => this.theme.toggle(),
      p: () => void this.savePicture(),
      "?": () => this.help.showModal(),
    };
    const action = actions[event.key];
    // The space bar on a button presses it.
    if (!action || (event.key === " " && target instanceof HTMLButtonElement)) return;
    event.preventDefault();
    action();
  }

  /** In space: along an axis, with shift from its other side. */
  private axisKeys(): Record<string, () => void> {
    const { control } = this.stage;
    if (!(control instanceof SpaceCamera)) return {};
    const from = (azimuth: number, elevation: number) => () =>
      control.lookFrom((azimuth * Math.PI) / 180, (elevation * Math.PI) / 180, null);
    return { x: from(0, 0), X: from(180, 0), y: from(-90, 0), Y: from(90, 0), z: from(-90, 90), Z: from(-90, -90) };
  }

  /** The picture as it is on the screen, with the time in its name. */
  async savePicture(): Promise<void> {
    try {
      const url = URL.createObjectURL(await this.stage.picture());
      const name = this.header.runs[0]!.name.replace(/[^\w.-]+/g, "_") || "run";
      el("a", { href: url, download: `${name}_${this.player.shown.toFixed(3)}s.png` }).click();
      setTimeout(() => URL.revokeObjectURL(url), 10_000);
    } catch (thrown) {
      this.fault(faultText(thrown));
    }
  }
}
