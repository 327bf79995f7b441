/** Pages made by hand for tests: the writing side of src/output/page_format.h, plainly. Every frame stands on its own. */
import { deflateSync } from "node:zlib";

export interface MadeItem {
  kind: number;
  id: number;
  obstacle?: boolean;
  closed?: boolean;
  /** x, y, z, radius. */
  points: [number, number, number, number][];
  triangles?: number[];
}

export interface MadeContact {
  position: [number, number, number];
  normal: [number, number, number];
  force: [number, number, number];
  u: [number, number, number];
  mu: number;
  error: number;
  gap: number;
  sA: number;
  sB: number;
  kind: number;
  bodyA: number;
  bodyB: number;
  obstacleB: number;
}

export interface MadeFrame {
  items: MadeItem[];
  contacts: MadeContact[];
}

class Writer {
  private readonly parts: Buffer[] = [];
  bytes(...values: number[]): void {
    this.parts.push(Buffer.from(values.map((value) => value & 255)));
  }
  u32(value: number): void {
    const part = Buffer.alloc(4);
    part.writeUInt32LE(value >>> 0);
    this.parts.push(part);
  }
  f32(value: number): void {
    const part = Buffer.alloc(4);
    part.writeFloatLE(value);
    this.parts.push(part);
  }
  f64(value: number): void {
    const part = Buffer.alloc(8);
    part.writeDoubleLE(value);
    this.parts.push(part);
  }
  planes(values: number[], planes: number): void {
    for (let plane = 0; plane < planes; plane++) this.parts.push(Buffer.from(values.map((value) => (value >>> (8 * plane)) & 255)));
  }
  floats(values: number[]): void {
    const bits = new Uint32Array(Float32Array.from(values).buffer);
    this.planes([...bits], 4);
  }
  done(): Buffer {
    return Buffer.concat(this.parts);
  }
}

/** Positions in 3 bytes, contacts in 4; one channel of zeros less: none. */
export function encodeFrame(frame: MadeFrame): Buffer {
  const out = new Writer();
  const isTraced = (item: MadeItem) => item.kind === 0 || item.kind === 16;
  const traced = frame.items.filter(isTraced).flatMap((item) => item.points);
  const shapes = frame.items.filter((item) => !isTraced(item)).flatMap((item) => item.points);
  const all = [...traced.map((point) => point.slice(0, 3)), ...frame.contacts.map((contact) => contact.position)];
  const origin = [0, 1, 2].map((axis) => Math.min(0, ...all.map((point) => point[axis]!)));
  const extent = Math.max(1e-6, ...[0, 1, 2].map((axis) => Math.max(0, ...all.map((point) => point[axis]! - origin[axis]!))));
  const quantum = extent / 4e6;
  out.bytes(1 | 4 | 8);
  for (const value of [...origin, quantum]) out.f64(value);
  out.u32(frame.items.length);
  out.bytes(...frame.items.map((item) => item.kind));
  out.bytes(...frame.items.map((item) => (item.closed ? 1 : 0) | (item.obstacle ? 2 : 0)));
  for (const item of frame.items) out.u32(item.id);
  for (const item of frame.items) out.u32(item.points.length);
  for (const item of frame.items) out.u32((item.triangles?.length ?? 0) / 3);
  let first = 0;
  let before = 0;
  const corners: number[] = [];
  for (const item of frame.items.filter(isTraced)) {
    for (const corner of item.triangles ?? []) {
      const step = corner + first - before;
      before = corner + first;
      corners.push(((step << 1) ^ (step >> 31)) >>> 0);
    }
    first += item.points.length;
  }
  out.planes(corners, 4);
  const code = (value: number, axis: number) => Math.round((value - origin[axis]!) / quantum);
  for (let axis = 0; axis < 3; axis++) {
    const codes = traced.map((point) => code(point[axis]!, axis));
    out.planes(codes.map((value, i) => value - (i > 0 ? codes[i - 1]! : 0)), 3);
  }
  out.floats(traced.map((point) => point[3]));
  for (let k = 0; k < 4; k++) out.floats(shapes.map((point) => point[k]!));
  const { contacts } = frame;
  out.u32(contacts.length);
  for (let axis = 0; axis < 3; axis++) out.planes(contacts.map((contact) => code(contact.position[axis]!, axis)), 3);
  for (const key of ["normal", "force", "u"] as const) for (let axis = 0; axis < 3; axis++) out.floats(contacts.map((contact) => contact[key][axis]!));
  for (const key of ["mu", "error", "gap", "sA", "sB"] as const) out.floats(contacts.map((contact) => contact[key]));
  out.bytes(...contacts.map((contact) => contact.kind));
  for (const key of ["bodyA", "bodyB", "obstacleB"] as const) out.planes(contacts.map((contact) => contact[key]), 4);
  return out.done();
}

export function encodeTable(columns: number[][]): Buffer {
  const out = new Writer();
  for (const column of columns) for (const value of column) out.f64(value);
  return out.done();
}

export function packed(bytes: Buffer): string {
  return deflateSync(bytes).toString("base64");
}

const spread = (name: string, unit: string, largest: number) => ({ name, unit, largest, typical: largest, middle: largest, negative: false });

/** A header with its data elements, a block per `perBlock` frames. Change what should be wrong. */
export function makePage(frames: MadeFrame[], { dim = 3, title = "made by hand", interval = 0.1, perBlock = 4 } = {}) {
  const blocks: { frames: number; bytes: number }[] = [];
  const data: Record<string, string> = {};
  for (let first = 0; first < frames.length; first += perBlock) {
    const bytes = Buffer.concat(frames.slice(first, first + perBlock).map(encodeFrame));
    data[`run0-frames${blocks.length}`] = packed(bytes);
    blocks.push({ frames: Math.min(perBlock, frames.length - first), bytes: bytes.length });
  }
  const times = frames.map((_, k) => k * interval);
  const columns = ["time", "dt", "contacts", "sticking", "sliding", "iterations", "error", "energy_kinetic"];
  data["run0-table0"] = packed(encodeTable(columns.map((name) => times.map((time) => (name === "time" ? time : name === "error" ? 1e-9 : 1)))));
  const points = frames.flatMap((frame) => frame.items.filter((item) => !item.obstacle).flatMap((item) => item.points));
  const extreme = (pick: (...values: number[]) => number, axis: number) => points.reduce((found, point) => pick(found, point[axis]!), points[0]?.[axis] ?? 0);
  const header = {
    format: 1,
    generator: "a test",
    runs: [
      {
        name: "made", title, version: "0", dim, dt: 1e-3, tolerance: 1e-8,
        bodies: ["one", "two"], obstacles: ["ground"],
        box: { low: [0, 1, 2].map((axis) => extreme(Math.min, axis)), high: [0, 1, 2].map((axis) => extreme(Math.max, axis)) },
        summary: { steps: frames.length, missed: 0, most_contacts: 1, worst_error: 1e-9, deepest: 0, frames: frames.length },
        position_bytes: 3, contact_bytes: 4, channels: [] as ReturnType<typeof spread>[], force: spread("contact force", "N", 2),
        contacts: frames.reduce((sum, frame) => sum + frame.contacts.length, 0),
        times, blocks,
        tables: [{ name: "steps", rows: frames.length, thinned: 1, columns: columns.map((name) => ({ name, unit: "" })) }],
      },
    ],
  };
  return { header, data };
}

/** The viewer with the data in it. */
export function assemble(viewer: string, page: { header: unknown; data: Record<string, string> }): string {
  const elements = Object.entries(page.data).map(([id, text]) => `<script type="application/octet-stream" id="${id}">${text}</script>\n`);
  const header = JSON.stringify(page.header).replace(/</g, "\\u003c");
  const at = viewer.lastIndexOf("</body>");
  return `${viewer.slice(0, at)}${elements.join("")}<script type="application/json" id="capstan-header">${header}</script>\n${viewer.slice(at)}`;
}

/** A sheet of n x n vertices that waves; its triangles are cut along the other diagonal in every second frame. */
export function sheet(n: number, time: number, other: boolean): MadeItem {
  const points: MadeItem["points"] = [];
  for (let j = 0; j < n; j++)
    for (let i = 0; i < n; i++) points.push([i / n, j / n, 0.1 * Math.sin(6 * (i / n) + 5 * time) * Math.cos(4 * (j / n)), 0.001]);
  const triangles: number[] = [];
  for (let j = 0; j + 1 < n; j++)
    for (let i = 0; i + 1 < n; i++) {
      const [a, b, c, d] = [j * n + i, j * n + i + 1, (j + 1) * n + i, (j + 1) * n + i + 1];
      triangles.push(...(other ? [a, b, c, c, b, d] : [a, b, d, a, d, c]));
    }
  return { kind: 16, id: 1, points, triangles };
}
