/** Charts over time beside the picture. The line of the present time is an element of its own that only moves: nothing is drawn
 * again while the run plays. A click on a chart goes to that time. */
import uPlot from "uplot";
import { CASE_COLOURS, LINE_COLOURS, toCss } from "../colour/palettes";
import { nearest } from "../data/derived";
import { Case } from "../data/frame";
import type { Table } from "../data/tables";
import { el } from "./elements";
import { number } from "./format";

export interface Line {
  label: string;
  colour: string;
  /** The second is dashed. */
  run: number;
  time: ArrayLike<number>;
  value: ArrayLike<number>;
  /** Even where it is zero. */
  always?: boolean;
}

export interface ChartContent {
  title: string;
  unit: string;
  note?: string;
  logarithmic?: boolean;
  whole?: boolean;
  /** A horizontal line, with its name. */
  mark?: { value: number; name: string };
  lines: Line[];
}

const HEIGHT = 112;

const colourOf = (k: number) => toCss(LINE_COLOURS[k % LINE_COLOURS.length]!);

function scaled(value: ArrayLike<number>, map: (v: number) => number): Float64Array {
  return Float64Array.from(value, map);
}

function largestOf(value: ArrayLike<number>): number {
  let largest = 0;
  for (let i = 0; i < value.length; i++) if (Math.abs(value[i]!) > largest) largest = Math.abs(value[i]!);
  return largest;
}

/** Lines that cannot be told from zero beside the others only stand in the way; the first stays. */
function worthShowing(lines: Line[]): Line[] {
  const sizes = lines.map((line) => largestOf(line.value));
  const most = Math.max(...sizes);
  return lines.filter((line, k) => line.always || sizes[k]! > 1e-5 * most);
}

/** Charts of the step reports of one run, or of two in the same charts. */
export function stepCharts(tables: { run: number; table: Table }[], tolerance: number): ChartContent[] {
  const charts: ChartContent[] = [];
  type Pick = [label: string, pick: (table: Table) => ArrayLike<number> | null, how?: { always?: boolean; colour?: string }];
  const lines = (picks: Pick[]): Line[] =>
    worthShowing(
      tables.flatMap(({ run, table }) =>
        picks.flatMap(([label, pick, how], k) => {
          const value = pick(table);
          if (!value) return [];
          return [{ label, colour: how?.colour ?? colourOf(k), run, time: table.time, value, always: how?.always }];
        }),
      ),
    );
  const column = (name: string) => (table: Table) => table.column(name);
  const gravity = (table: Table) => {
    const value = table.column("energy_gravity");
    return value && scaled(value, (v) => v - (value[0] ?? 0));
  };
  charts.push({
    title: "Energy",
    unit: "J",
    note: "gravity from its first value",
    lines: lines([
      ["kinetic", column("energy_kinetic"), { always: true }],
      ["elastic", column("energy_elastic")],
      ["gravity", gravity],
      ["work of friction", column("work_friction")],
      ["work of loads", column("work_loads")],
      ["unexplained", column("energy_unexplained")],
    ]),
  });
  charts.push({
    title: "Contacts",
    unit: "",
    whole: true,
    lines: lines([
      ["all", column("contacts"), { always: true, colour: "#8a94a0" }],
      ["sticking", column("sticking"), { colour: toCss(CASE_COLOURS[Case.Sticks]) }],
      ["sliding", column("sliding"), { colour: toCss(CASE_COLOURS[Case.Slides]) }],
    ]),
  });
  charts.push({
    title: "Residual E of the Coulomb law",
    unit: "",
    logarithmic: true,
    mark: tolerance > 0 ? { value: tolerance, name: "tolerance" } : undefined,
    lines: lines([["E", (table) => scaled(table.column("error") ?? [], (v) => (v > 0 ? v : NaN)), { always: true }]]),
  });
  charts.push({ title: "Iterations per step", unit: "", whole: true, lines: lines([["iterations", column("iterations"), { always: true }]]) });
  charts.push({
    title: "Time step",
    unit: "ms",
    lines: lines([["dt", (table) => scaled(table.column("dt") ?? [], (v) => 1000 * v), { always: true }]]),
  });
  return charts;
}

const QUANTITY: Record<string, string> = { m: "position", rad: "angle", "m/s": "velocity", N: "force", "N m": "moment", J: "energy" };

/** Columns of one unit share a chart; probes of the same name in two runs too. */
export function probeCharts(tables: { run: number; table: Table }[]): ChartContent[] {
  const charts = new Map<string, ChartContent>();
  for (const { run, table } of tables) {
    const seen = new Map<string, number>();
    table.head.columns.slice(1).forEach((column) => {
      const value = table.column(column.name)!;
      const k = seen.get(column.unit) ?? 0;
      seen.set(column.unit, k + 1);
      const key = `${table.head.name}\n${column.unit}`;
      const title = `${table.head.name}: ${QUANTITY[column.unit] ?? "value"}`;
      const chart = charts.get(key) ?? { title, unit: column.unit, lines: [] };
      charts.set(key, chart);
      chart.lines.push({ label: column.name, colour: colourOf(k), run, time: table.time, value, always: k === 0 });
    });
  }
  for (const chart of charts.values()) chart.lines = worthShowing(chart.lines);
  // What is 0 all the time says nothing: the way of an obstacle that stands still, the angle of the plane in space.
  return [...charts.values()].filter((chart) => chart.lines.some((line) => Array.from(line.value).some((v) => v !== 0)));
}

/** Lines with times of their own on one list of times, as uPlot wants them. */
function aligned(lines: Line[]): uPlot.AlignedData {
  const same = lines.every((line) => line.time === lines[0]!.time);
  const blank = (value: ArrayLike<number>) => Array.from(value, (v) => (Number.isFinite(v) ? v : null));
  if (same) return [Array.from(lines[0]!.time), ...lines.map((line) => blank(line.value))] as uPlot.AlignedData;
  return uPlot.join(lines.map((line) => [Array.from(line.time), blank(line.value)] as uPlot.AlignedData));
}

/** Powers of ten between two values, four or five of them. */
function decades(low: number, high: number): number[] {
  const from = Math.ceil(Math.log10(low) - 1e-9);
  const to = Math.floor(Math.log10(high) + 1e-9);
  const step = Math.max(1, Math.ceil((to - from) / 4));
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, k) => 10 ** (to - k * step)).reverse();
}

class Chart {
  readonly element: HTMLElement;
  private readonly plot = el("div", { class: "plot" });
  private readonly now = el("div", { class: "now" });
  private readonly values: HTMLElement[];
  private chart: uPlot | null = null;
  private data: uPlot.AlignedData | null = null;

  constructor(
    private readonly content: ChartContent,
    private readonly span: [number, number],
    private readonly colour: (name: string) => string,
    private readonly seek: (time: number) => void,
  ) {
    this.values = content.lines.map(() => el("b"));
    // One key for a quantity, with its value in each run.
    const keys = new Map<string, HTMLElement>();
    content.lines.forEach((line, k) => {
      const known = keys.get(line.label);
      if (known) known.append(el("span", {}, "┊"), this.values[k]!);
      else keys.set(line.label, el("li", {}, el("i", { style: `border-color:${line.colour}` }), line.label, this.values[k]!));
    });
    this.element = el(
      "section",
      { class: "chart", "aria-label": content.title },
      el("h2", {}, content.title, content.unit ? el("small", {}, content.unit) : null, content.note ? el("small", {}, content.note) : null),
      el("ul", { class: "keys" }, ...keys.values()),
      this.plot,
    );
  }

  resize(width: number): void {
    if (width < 40) return;
    if (this.chart) this.chart.setSize({ width, height: HEIGHT });
    else this.make(width);
  }

  restyle(): void {
    this.chart?.redraw();
  }

  private make(width: number): void {
    this.data ??= aligned(this.content.lines);
    const { content } = this;
    const axis = {
      stroke: () => this.colour("soft"),
      font: "11px system-ui, sans-serif",
      grid: { stroke: () => this.colour("line"), width: 1 },
      ticks: { show: false },
    };
    this.chart = new uPlot(
      {
        width,
        height: HEIGHT,
        padding: [6, 8, 0, 0],
        legend: { show: false },
        cursor: { y: false, points: { show: false }, drag: { x: false, y: false, setScale: false } },
        scales: { x: { time: false, range: () => this.span }, y: this.scaleY() },
        axes: [
          { ...axis, size: 20, gap: 3, space: 60 },
          {
            ...axis,
            size: 46,
            gap: 4,
            space: content.logarithmic ? 16 : 24,
            values: (_u, splits) => splits.map((v) => (v === null ? "" : number(v))),
            ...(content.logarithmic ? { splits: (_u: uPlot, _axis: number, low: number, high: number) => decades(low, high) } : {}),
            ...(content.whole ? { incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6] } : {}),
          },
        ],
        series: [
          {},
          ...content.lines.map((line) => ({
            label: line.label,
            stroke: line.colour,
            width: 1.6,
            dash: line.run > 0 ? [5, 3] : undefined,
            spanGaps: true,
            points: { show: false },
            pxAlign: 0,
          })),
        ],
        hooks: { draw: [(chart) => this.drawMark(chart)] },
      },
      this.data,
      this.plot,
    );
    this.chart.over.append(this.now);
    this.now.style.height = "100%";
    this.listen(this.chart);
  }

  private scaleY(): uPlot.Scale {
    const mark = this.content.mark?.value;
    if (!this.content.logarithmic)
      return {
        range: (_u, low, high) => {
          if (low === null || high === null) return [0, 1];
          const from = Math.min(0, low);
          const to = Math.max(0, high);
          const room = 0.06 * (to - from) || 1;
          return [from < 0 ? from - room : 0, to > 0 ? to + room : from < 0 ? 0 : 1];
        },
      };
    return {
      distr: 3,
      range: (_u, low, high) => {
        const least = Math.min(low ?? mark ?? 1e-10, mark ?? Infinity);
        const most = Math.max(high ?? mark ?? 1, mark ?? 0);
        return [10 ** Math.floor(Math.max(Math.log10(least) - 0.2, -18)), 10 ** Math.ceil(Math.log10(most) + 0.2)];
      },
    };
  }

  private drawMark(chart: uPlot): void {
    const { mark } = this.content;
    if (!mark) return;
    const y = chart.valToPos(mark.value, "y", true);
    const { left, width } = chart.bbox;
    const density = window.devicePixelRatio || 1;
    const { ctx } = chart;
    ctx.save();
    ctx.strokeStyle = ctx.fillStyle = this.colour("bad");
    ctx.setLineDash([4 * density, 3 * density]);
    ctx.lineWidth = density;
    ctx.beginPath();
    ctx.moveTo(left, y);
    ctx.lineTo(left + width, y);
    ctx.stroke();
    ctx.font = `${11 * density}px system-ui, sans-serif`;
    ctx.textAlign = "right";
    ctx.fillText(`${mark.name} ${number(mark.value, 2)}`, left + width - 2 * density, y - 3 * density);
    ctx.restore();
  }

  private listen(chart: uPlot): void {
    const go = (event: PointerEvent) => {
      const box = chart.over.getBoundingClientRect();
      this.seek(chart.posToVal(event.clientX - box.left, "x"));
    };
    chart.over.addEventListener("pointerdown", (event) => {
      chart.over.setPointerCapture(event.pointerId);
      go(event);
    });
    chart.over.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) go(event);
    });
  }

  setTime(time: number): void {
    if (!this.chart) return;
    this.now.style.transform = `translateX(${this.chart.valToPos(time, "x").toFixed(1)}px)`;
  }

  setValues(time: number): void {
    this.content.lines.forEach((line, k) => {
      const at = nearest(line.time, time);
      const value = line.value[at];
      const text = value === undefined ? "" : this.content.whole ? String(Math.round(value)) : number(value, this.content.logarithmic ? 2 : 3);
      if (this.values[k]!.textContent !== text) this.values[k]!.textContent = text;
    });
  }
}

export class Charts {
  readonly element = el("aside", { class: "charts", "aria-label": "Charts", tabindex: "-1" });
  private charts: Chart[] = [];
  private valuesAt = -Infinity;

  /** span: first and last time. */
  constructor(
    private readonly span: [number, number],
    private readonly colour: (name: string) => string,
    private readonly seek: (time: number) => void,
  ) {}

  /** names: of the runs. */
  fill(names: string[], contents: ChartContent[]): void {
    const drawn = contents.filter((content) => content.lines.length > 0 && content.lines.some((line) => line.time.length > 0));
    this.charts = drawn.map((content) => new Chart(content, this.span, this.colour, this.seek));
    const runs = names.map((name, run) => el("li", {}, el("i", { class: run > 0 ? "dashed" : null }), name));
    this.element.replaceChildren(
      ...(names.length > 1 ? [el("ul", { class: "keys runs", "aria-label": "Runs" }, ...runs)] : []),
      ...this.charts.map((chart) => chart.element),
    );
    if (drawn.length === 0) this.element.append(el("p", { class: "chart empty" }, "This run has no steps to chart."));
    this.resize();
  }

  resize(): void {
    const width = Math.floor(this.element.clientWidth - 22);
    for (const chart of this.charts) chart.resize(width);
  }

  restyle(): void {
    for (const chart of this.charts) chart.restyle();
  }

  /** Numbers change ten times a second: faster, nobody can read them. */
  setTime(time: number, playing: boolean): void {
    for (const chart of this.charts) chart.setTime(time);
    const now = performance.now();
    if (playing && now - this.valuesAt < 100) return;
    this.valuesAt = now;
    for (const chart of this.charts) chart.setValues(time);
  }
}
