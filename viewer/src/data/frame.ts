/** Frames from the bytes of a block: the reading side of src/page/page_format.h, where the layout is written down. */
import { PageFault } from "./fault";
import type { RunHead } from "./header";

/** Points go to the graphics card as a texture so wide: arrays are padded to whole rows of it. */
export const TEXTURE_WIDTH = 1024;

/** Open fibers in space from which on they are hair. */
export const HAIR_FIBERS = 100;

export enum Kind {
  Curve = 0,
  Disk = 1,
  Outline = 2,
  HalfPlane = 3,
  HollowDisk = 4,
  Mesh = 16,
}

export enum Case {
  TakesOff = 0,
  Sticks = 1,
  Slides = 2,
  Held = 3,
}

export interface Item {
  kind: Kind;
  id: number;
  obstacle: boolean;
  closed: boolean;
  /** Index of its first point; traced points come before those of shapes. */
  first: number;
  count: number;
}

/** What stays the same from frame to frame until bodies come, go or are meshed anew. */
export interface Topology {
  /** Differs whenever the topology does. */
  serial: number;
  items: Item[];
  /** Points of curves and meshes. */
  traced: number;
  points: number;
  /** Three points each. */
  triangles: Uint32Array;
}

export interface Contacts {
  count: number;
  position: Float32Array;
  normal: Float32Array;
  force: Float32Array;
  /** Relative velocity in the contact's frame, normal first. */
  u: Float32Array;
  mu: Float32Array;
  error: Float32Array;
  gap: Float32Array;
  sA: Float32Array;
  sB: Float32Array;
  kind: Uint8Array;
  bodyA: Uint32Array;
  bodyB: Uint32Array;
  obstacleB: Uint32Array;
}

export interface Frame {
  topology: Topology;
  /** x, y, z, radius of each point, padded. */
  points: Float32Array;
  /** Per channel a code per traced point, padded: value = largest * c|c| / 127². */
  codes: Int8Array[];
  largest: number[];
  contacts: Contacts;
}

/** What the header says about reading frames. */
export type FrameHead = Pick<RunHead, "positionBytes" | "contactBytes" | "channels">;

export function padded(points: number): number {
  return Math.max(1, Math.ceil(points / TEXTURE_WIDTH)) * TEXTURE_WIDTH;
}

const HAS_ITEMS = 1;
const MOVED = 2;
const HAS_RADII = 4;
const HAS_SHAPES = 8;
const CLOSED = 1;
const OBSTACLE = 2;

class Bytes {
  private at = 0;
  private readonly view: DataView;
  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  private step(count: number): number {
    this.expect(count);
    this.at += count;
    return this.at - count;
  }

  get ended(): boolean {
    return this.at === this.bytes.length;
  }

  /** So many bytes are still there: to be asked before room is made for them. */
  expect(count: number): void {
    if (count > this.bytes.length - this.at) throw new PageFault("a block of frames is damaged: it ends too early");
  }

  u8(): number {
    return this.view.getUint8(this.step(1));
  }
  u32(): number {
    return this.view.getUint32(this.step(4), true);
  }
  f32(): number {
    return this.view.getFloat32(this.step(4), true);
  }
  f64(): number {
    return this.view.getFloat64(this.step(8), true);
  }
  take(count: number): Uint8Array {
    const start = this.step(count);
    return this.bytes.subarray(start, start + count);
  }
  list(count: number): Uint32Array {
    const raw = this.take(4 * count);
    const out = new Uint32Array(count);
    const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
    for (let i = 0; i < count; i++) out[i] = view.getUint32(4 * i, true);
    return out;
  }

  /** Unsigned integers in planes. */
  planes(count: number, planes: number): Uint32Array {
    const raw = this.take(count * planes);
    const out = new Uint32Array(count);
    for (let plane = 0; plane < planes; plane++)
      for (let i = 0, from = plane * count, shift = 8 * plane; i < count; i++, from++) out[i]! |= raw[from]! << shift;
    return out;
  }

  /** Signed integers in 2 or 3 planes. */
  signed(count: number, planes: number): Int32Array {
    // The bulk of all data comes through here: two or three planes, in one go.
    const raw = this.take(count * planes);
    const out = new Int32Array(count);
    if (planes === 2) for (let i = 0, j = count; i < count; i++, j++) out[i] = ((raw[i]! | (raw[j]! << 8)) << 16) >> 16;
    else for (let i = 0, j = count, k = 2 * count; i < count; i++, j++, k++) out[i] = ((raw[i]! | (raw[j]! << 8) | (raw[k]! << 16)) << 8) >> 8;
    return out;
  }

  /** Floats of which only the highest bytes were kept. */
  floats(count: number, planes: number): Float32Array {
    const bits = this.planes(count, planes);
    const shift = 32 - 8 * planes;
    if (shift > 0) for (let i = 0; i < count; i++) bits[i]! <<= shift;
    return new Float32Array(bits.buffer);
  }
}

/** Gives equal topologies the same serial, so that what is built for one is kept from block to block. */
export class TopologyRegister {
  private last: Topology | null = null;
  private serials = 0;

  enter(items: Item[], traced: number, points: number, triangles: Uint32Array): Topology {
    const last = this.last;
    if (last && last.points === points && sameItems(last.items, items) && sameNumbers(last.triangles, triangles)) return last;
    this.last = { serial: ++this.serials, items, traced, points, triangles };
    return this.last;
  }
}

function sameItems(a: Item[], b: Item[]): boolean {
  return (
    a.length === b.length &&
    a.every((item, i) => {
      const other = b[i]!;
      return (
        item.kind === other.kind &&
        item.id === other.id &&
        item.count === other.count &&
        item.closed === other.closed &&
        item.obstacle === other.obstacle
      );
    })
  );
}

function sameNumbers(a: Uint32Array, b: Uint32Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Reads the frames of one block in order. */
export class FrameReader {
  private readonly bytes: Bytes;
  private topology: Topology | null = null;
  private position = new Float64Array(0);
  private radius: Float32Array = new Float32Array(0);
  private shape: Float32Array[] = [];
  private codes: Int8Array[] = [];
  private largest: number[] = [];
  /** Of each traced point: is it the first of its item? */
  private starts = new Uint8Array(0);

  constructor(
    block: Uint8Array,
    private readonly head: FrameHead,
    private readonly register: TopologyRegister,
  ) {
    this.bytes = new Bytes(block);
  }

  get ended(): boolean {
    return this.bytes.ended;
  }

  next(): Frame {
    const bytes = this.bytes;
    const flags = bytes.u8();
    const origin = [bytes.f64(), bytes.f64(), bytes.f64()];
    const quantum = bytes.f64();
    const renewed = (flags & HAS_ITEMS) !== 0;
    if (renewed) this.readItems();
    const topology = this.topology;
    if (!topology || (renewed && (flags & MOVED) !== 0)) throw new PageFault("a block of frames is damaged: it has no start");
    this.readPositions(topology.traced, origin, quantum, (flags & MOVED) !== 0);
    if (flags & HAS_RADII) this.radius = bytes.floats(topology.traced, 4);
    this.readChannels(topology.traced, renewed);
    const shapes = topology.points - topology.traced;
    if (flags & HAS_SHAPES) this.shape = [0, 1, 2, 3].map(() => bytes.floats(shapes, 4));
    if (this.radius.length !== topology.traced || (this.shape[0]?.length ?? 0) !== shapes)
      throw new PageFault("a block of frames is damaged: radii or shapes are missing");
    return {
      topology,
      points: this.gatherPoints(topology),
      codes: this.codes.map((code) => code.slice()),
      largest: this.largest.slice(),
      contacts: this.readContacts(origin, quantum),
    };
  }

  private readItems(): void {
    const bytes = this.bytes;
    const count = bytes.u32();
    const kinds = bytes.take(count);
    const bits = bytes.take(count);
    const ids = bytes.list(count);
    const vertices = bytes.list(count);
    const triangles = bytes.list(count);
    const isTraced = (i: number) => kinds[i] === Kind.Curve || kinds[i] === Kind.Mesh;
    let traced = 0;
    let points = 0;
    let corners = 0;
    for (let i = 0; i < count; i++) {
      if (!(kinds[i]! in Kind)) throw new PageFault("a block of frames is damaged: an item of unknown kind");
      if (isTraced(i)) traced += vertices[i]!;
      points += vertices[i]!;
      corners += 3 * triangles[i]!;
    }
    if (points > 1 << 26) throw new PageFault("a block of frames is damaged: an impossible number of points");
    let first = 0;
    let firstShape = traced;
    const items: Item[] = [];
    this.starts = new Uint8Array(traced);
    for (let i = 0; i < count; i++) {
      const at = isTraced(i) ? first : firstShape;
      if (isTraced(i)) {
        if (vertices[i]! > 0) this.starts[at] = 1;
        first += vertices[i]!;
      } else firstShape += vertices[i]!;
      items.push({
        kind: kinds[i]! as Kind,
        id: ids[i]!,
        obstacle: (bits[i]! & OBSTACLE) !== 0,
        closed: (bits[i]! & CLOSED) !== 0,
        first: at,
        count: vertices[i]!,
      });
    }
    const corner = bytes.planes(corners, 4);
    let before = 0;
    for (let k = 0; k < corners; k++) {
      const zigzag = corner[k]!;
      before += (zigzag >>> 1) ^ -(zigzag & 1);
      if (before < 0 || before >= traced) throw new PageFault("a block of frames is damaged: a triangle without corner");
      corner[k] = before;
    }
    this.topology = this.register.enter(items, traced, points, corner);
    this.position = new Float64Array(3 * traced);
    this.codes = this.head.channels.map(() => new Int8Array(padded(points)));
    this.largest = this.head.channels.map(() => 0);
  }

  private readPositions(traced: number, origin: number[], quantum: number, moved: boolean): void {
    const x = this.position;
    const starts = this.starts;
    for (let axis = 0; axis < 3; axis++) {
      const code = this.bytes.signed(traced, this.head.positionBytes);
      if (moved) {
        let shift = 0;
        for (let i = 0, k = axis; i < traced; i++, k += 3) {
          if (starts[i]) shift = 0;
          const guess = x[k]! + shift;
          const now = guess + quantum * code[i]!;
          shift = now - x[k]!;
          x[k] = now;
        }
      } else {
        let now = origin[axis]!;
        for (let i = 0, k = axis; i < traced; i++, k += 3) x[k] = now += quantum * code[i]!;
      }
    }
  }

  private readChannels(traced: number, renewed: boolean): void {
    for (let c = 0; c < this.codes.length; c++) {
      const largest = this.bytes.f32();
      const step = this.bytes.take(traced);
      const code = this.codes[c]!;
      if (!renewed && largest === this.largest[c]) for (let i = 0; i < traced; i++) code[i]! += step[i]!;
      else for (let i = 0, now = 0; i < traced; i++) code[i] = now += step[i]!;
      this.largest[c] = largest;
    }
  }

  private gatherPoints(topology: Topology): Float32Array {
    const out = new Float32Array(4 * padded(topology.points));
    const x = this.position;
    for (let i = 0, k = 0, o = 0; i < topology.traced; i++, k += 3, o += 4) {
      out[o] = x[k]!;
      out[o + 1] = x[k + 1]!;
      out[o + 2] = x[k + 2]!;
      out[o + 3] = this.radius[i]!;
    }
    for (let i = 0, o = 4 * topology.traced; i < topology.points - topology.traced; i++, o += 4)
      for (let k = 0; k < 4; k++) out[o + k] = this.shape[k]![i]!;
    return out;
  }

  private readContacts(origin: number[], quantum: number): Contacts {
    const bytes = this.bytes;
    const n = bytes.u32();
    bytes.expect(n * (3 * this.head.positionBytes + 14 * this.head.contactBytes + 13));
    const triple = (read: () => ArrayLike<number>, map: (value: number, axis: number) => number): Float32Array => {
      const out = new Float32Array(3 * n);
      for (let axis = 0; axis < 3; axis++) {
        const part = read();
        for (let i = 0; i < n; i++) out[3 * i + axis] = map(part[i]!, axis);
      }
      return out;
    };
    const floats = () => bytes.floats(n, this.head.contactBytes);
    return {
      count: n,
      position: triple(
        () => bytes.signed(n, this.head.positionBytes),
        (code, axis) => origin[axis]! + quantum * code,
      ),
      normal: triple(floats, (value) => value),
      force: triple(floats, (value) => value),
      u: triple(floats, (value) => value),
      mu: floats(),
      error: floats(),
      gap: floats(),
      sA: floats(),
      sB: floats(),
      kind: bytes.take(n).slice(),
      bodyA: bytes.planes(n, 4),
      bodyB: bytes.planes(n, 4),
      obstacleB: bytes.planes(n, 4),
    };
  }
}
