/** What the page holds: the JSON that capstan writes last into it, checked before anything believes it. */
import { PageFault } from "./fault";

export const FORMAT = 1;

export type Vector = [number, number, number];

export interface Box {
  low: Vector;
  high: Vector;
}

/** A quantity over all vertices (or contacts) and frames. */
export interface Spread {
  name: string;
  unit: string;
  /** Of absolute values. */
  largest: number;
  /** Nearly all are below. */
  typical: number;
  /** Half are below. */
  middle: number;
  negative: boolean;
}

export interface Column {
  name: string;
  unit: string;
}

export interface TableHead {
  name: string;
  rows: number;
  /** Rows that two of these stand for; 1: all are here. */
  thinned: number;
  columns: Column[];
}

export interface Block {
  first: number;
  frames: number;
  bytes: number;
}

export interface Summary {
  steps: number;
  missed: number;
  mostContacts: number;
  worstError: number;
  deepest: number;
  frames: number;
}

export interface RunHead {
  name: string;
  title: string;
  version: string;
  dim: 2 | 3;
  dt: number;
  tolerance: number;
  bodies: string[];
  obstacles: string[];
  /** Angles in degrees, of the eye as seen from the centre, in space; null: not given. height 0: all that moves. */
  camera: { center: Vector; height: number; azimuth: number | null; elevation: number | null } | null;
  box: Box | null;
  surroundings: Box | null;
  summary: Summary;
  positionBytes: number;
  contactBytes: number;
  channels: Spread[];
  force: Spread;
  contacts: number;
  /** Open fibers in space, the most in a frame. */
  fibers: number;
  times: number[];
  blocks: Block[];
  tables: TableHead[];
}

export interface Header {
  generator: string;
  runs: RunHead[];
}

/** Reads one key after the other and names the first that is not as it should be. */
class Reader {
  constructor(
    private readonly value: unknown,
    private readonly path: string,
  ) {}

  private wrong(expected: string): never {
    throw new PageFault(`the page's header is damaged: ${this.path || "it"} should be ${expected}`);
  }

  has(key: string): boolean {
    return typeof this.value === "object" && this.value !== null && Object.prototype.hasOwnProperty.call(this.value, key);
  }

  get(key: string): Reader {
    if (typeof this.value !== "object" || this.value === null || Array.isArray(this.value)) return this.wrong("an object");
    const path = this.path ? `${this.path}.${key}` : key;
    return new Reader(this.has(key) ? (this.value as Record<string, unknown>)[key] : undefined, path);
  }

  list<T>(read: (each: Reader, index: number) => T, most = 10_000_000): T[] {
    if (!Array.isArray(this.value) || this.value.length > most) return this.wrong("a list");
    return this.value.map((each, index) => read(new Reader(each, `${this.path}[${index}]`), index));
  }

  text(): string {
    return typeof this.value === "string" ? this.value : this.wrong("a text");
  }

  real(): number {
    return typeof this.value === "number" && Number.isFinite(this.value) ? this.value : this.wrong("a number");
  }

  /** null where the number was not finite. */
  realOrZero(): number {
    return this.value === null ? 0 : this.real();
  }

  whole(low: number, high: number): number {
    const value = this.real();
    return Number.isInteger(value) && value >= low && value <= high ? value : this.wrong(`a whole number from ${low} to ${high}`);
  }

  flag(): boolean {
    return typeof this.value === "boolean" ? this.value : this.wrong("true or false");
  }

  vector(): Vector {
    const value = this.list((each) => each.real());
    return value.length === 3 ? (value as Vector) : this.wrong("three numbers");
  }
}

function readSpread(from: Reader): Spread {
  return {
    name: from.get("name").text(),
    unit: from.get("unit").text(),
    largest: from.get("largest").realOrZero(),
    typical: from.get("typical").realOrZero(),
    middle: from.get("middle").realOrZero(),
    negative: from.get("negative").flag(),
  };
}

function readBox(run: Reader, key: string): Box | null {
  if (!run.has(key)) return null;
  const box = run.get(key);
  return { low: box.get("low").vector(), high: box.get("high").vector() };
}

function readTable(from: Reader): TableHead {
  return {
    name: from.get("name").text(),
    rows: from.get("rows").whole(0, 10_000_000),
    thinned: from.get("thinned").whole(1, Number.MAX_SAFE_INTEGER),
    columns: from.get("columns").list((column) => ({ name: column.get("name").text(), unit: column.get("unit").text() }), 1000),
  };
}

function readSummary(from: Reader): Summary {
  const count = (key: string) => from.get(key).whole(0, Number.MAX_SAFE_INTEGER);
  return {
    steps: count("steps"),
    missed: count("missed"),
    mostContacts: count("most_contacts"),
    worstError: from.get("worst_error").realOrZero(),
    deepest: from.get("deepest").realOrZero(),
    frames: count("frames"),
  };
}

function readRun(from: Reader): RunHead {
  const times = from.get("times").list((time) => time.real());
  let first = 0;
  const blocks = from.get("blocks").list((each) => {
    const block = { first, frames: each.get("frames").whole(1, 1_000_000), bytes: each.get("bytes").whole(0, 1 << 30) };
    first += block.frames;
    return block;
  });
  if (times.length === 0 || first !== times.length)
    throw new PageFault("the page's header is damaged: its blocks do not hold as many frames as there are times");
  for (let k = 1; k < times.length; k++)
    if (!(times[k]! > times[k - 1]!)) throw new PageFault("the page's header is damaged: times do not increase");
  return {
    name: from.get("name").text(),
    title: from.get("title").text(),
    version: from.get("version").text(),
    dim: from.get("dim").whole(2, 3) as 2 | 3,
    dt: from.get("dt").real(),
    tolerance: from.get("tolerance").realOrZero(),
    bodies: from.get("bodies").list((name) => name.text()),
    obstacles: from.get("obstacles").list((name) => name.text()),
    camera: from.has("camera")
      ? {
          center: from.get("camera").get("center").vector(),
          height: from.get("camera").get("height").real(),
          azimuth: from.get("camera").has("azimuth") ? from.get("camera").get("azimuth").real() : null,
          elevation: from.get("camera").has("elevation") ? from.get("camera").get("elevation").real() : null,
        }
      : null,
    box: readBox(from, "box"),
    surroundings: readBox(from, "surroundings"),
    summary: readSummary(from.get("summary")),
    positionBytes: from.get("position_bytes").whole(2, 3),
    contactBytes: from.get("contact_bytes").whole(2, 4),
    channels: from.get("channels").list(readSpread, 16),
    force: readSpread(from.get("force")),
    contacts: from.get("contacts").whole(0, Number.MAX_SAFE_INTEGER),
    fibers: from.has("fibers") ? from.get("fibers").whole(0, Number.MAX_SAFE_INTEGER) : 0,
    times,
    blocks,
    tables: from.get("tables").list(readTable, 10_000),
  };
}

export function readHeader(text: string): Header {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new PageFault("the page's header cannot be read: the file was cut short or changed");
  }
  const from = new Reader(value, "");
  const format = from.get("format").whole(0, 1_000_000);
  if (format !== FORMAT) throw new PageFault(`the page's data are of format ${format}, this viewer reads ${FORMAT}`);
  const runs = from.get("runs").list(readRun, 2);
  if (runs.length === 0) throw new PageFault("the page holds no run");
  return { generator: from.get("generator").text(), runs };
}
