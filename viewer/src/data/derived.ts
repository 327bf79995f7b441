/** What is not in the data but follows from a frame: where contacts press on curves, and the look of meshes. */
import { Case, Kind, padded, type Contacts, type Frame, type Item } from "./frame";
import { meshNormals, type Corners } from "./mesh";

export interface Derived {
  /** Per traced point, padded: 255 * sqrt(force / largest) of the strongest contact there, 0 if none. */
  force: Uint8Array;
  /** Per traced point, padded: 1 + Case of the contact there, 0 if none. */
  touch: Uint8Array;
  /** Per corner of meshes (data/mesh.ts) x, y, z; empty without meshes. */
  normals: Float32Array;
}

/** Arc length from the start of a curve to each of its points. */
function arcLengths(points: Float32Array, item: Item): Float32Array {
  const s = new Float32Array(item.count);
  for (let k = 1; k < item.count; k++) {
    const a = 4 * (item.first + k - 1);
    const b = a + 4;
    s[k] = s[k - 1]! + Math.hypot(points[b]! - points[a]!, points[b + 1]! - points[a + 1]!, points[b + 2]! - points[a + 2]!);
  }
  return s;
}

/** Index of the value next to x in an increasing list. */
export function nearest(list: ArrayLike<number>, x: number): number {
  let low = 0;
  let high = list.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (list[middle]! <= x) low = middle;
    else high = middle;
  }
  return high >= 0 && x - list[low]! > list[Math.max(high, 0)]! - x ? high : low;
}

/** The point of a mesh next to a place (src/render/mesh_near.c): sorted by x, and from there outward. Sorted when first asked. */
class NearestPoint {
  private order: Uint32Array | null = null;

  constructor(
    private readonly points: Float32Array,
    private readonly item: Item,
  ) {}

  find(places: Float32Array, at: number): number {
    const { points } = this;
    this.order ??= Uint32Array.from({ length: this.item.count }, (_, k) => this.item.first + k).sort((a, b) => points[4 * a]! - points[4 * b]! || a - b);
    const { order } = this;
    const [x, y, z] = [places[at]!, places[at + 1]!, places[at + 2]!];
    let low = 0;
    let high = order.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (points[4 * order[middle]!]! < x) low = middle + 1;
      else high = middle;
    }
    let best = order[Math.min(low, order.length - 1)]!;
    let least = Infinity;
    for (const step of [-1, 1])
      for (let rank = step < 0 ? low - 1 : low; rank >= 0 && rank < order.length; rank += step) {
        const p = 4 * order[rank]!;
        const aside = points[p]! - x;
        if (aside * aside > least) break;
        const square = aside * aside + (points[p + 1]! - y) ** 2 + (points[p + 2]! - z) ** 2;
        if (square < least) {
          least = square;
          best = order[rank]!;
        }
      }
    return best;
  }
}

function markContacts(frame: Frame, largest: number, out: Derived): void {
  const { contacts, topology, points } = frame;
  const curve = new Map<number, Item>();
  for (const item of topology.items) if (!item.obstacle && item.kind === Kind.Curve && item.count > 0) curve.set(item.id, item);
  const lengths = new Map<number, Float32Array>();
  const mesh = new Map<number, NearestPoint>();
  for (const item of topology.items) if (!item.obstacle && item.kind === Kind.Mesh && item.count > 0) mesh.set(item.id, new NearestPoint(points, item));
  const put = (at: number, force: number, kind: number): void => {
    out.force[at] = Math.max(out.force[at]!, Math.round(255 * Math.sqrt(Math.min(1, force / largest))));
    out.touch[at] = Math.max(out.touch[at]!, 1 + kind);
  };
  const mark = (body: number, s: number, force: number, kind: number, contact: number): void => {
    const near = mesh.get(body);
    if (near) put(near.find(contacts.position, 3 * contact), force, kind);
    const item = curve.get(body);
    if (!item) return;
    let along = lengths.get(body);
    if (!along) lengths.set(body, (along = arcLengths(points, item)));
    const middle = nearest(along, s);
    // One point to either side, or a contact between two far points would hardly show.
    for (let k = Math.max(0, middle - 1); k <= Math.min(item.count - 1, middle + 1); k++) {
      put(item.first + k, force, kind);
    }
  };
  for (let i = 0; i < contacts.count; i++) {
    const force = forceOf(contacts, i);
    const kind = contacts.kind[i]!;
    if (kind === Case.TakesOff && force === 0) continue;
    mark(contacts.bodyA[i]!, contacts.sA[i]!, force, kind, i);
    if (contacts.bodyB[i] !== 0) mark(contacts.bodyB[i]!, contacts.sB[i]!, force, kind, i);
  }
}

export function forceOf(contacts: Contacts, i: number): number {
  return Math.hypot(contacts.force[3 * i]!, contacts.force[3 * i + 1]!, contacts.force[3 * i + 2]!);
}

export function derive(frame: Frame, largestForce: number, corners: Corners): Derived {
  const size = padded(frame.topology.points);
  const out: Derived = {
    force: new Uint8Array(size),
    touch: new Uint8Array(size),
    normals: meshNormals(frame.points, frame.topology.triangles, corners),
  };
  if (frame.contacts.count > 0) markContacts(frame, largestForce > 0 ? largestForce : 1, out);
  return out;
}
