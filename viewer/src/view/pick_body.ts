/** Which body is under the pointer: the nearest to the eye of those whose drawing is there. */
import { Vector3, type Camera } from "three";
import { Kind, type Item } from "../data/frame";
import type { TopologyData } from "../data/block_job";

/** Points of a frame beyond which nobody is asked for a name: it would take longer than a picture. */
const POINTS_MOST = 300_000;
/** Pixels around a thin fiber that are its own. */
const REACH = 5;

interface Seen {
  x: number;
  y: number;
  depth: number;
  /** Pixels per metre there. */
  scale: number;
}

/** x, y: pixels of a pane of width x height. pixelAt: metres per pixel at a distance from the eye. */
export function pickBody(
  topology: TopologyData,
  points: Float32Array,
  camera: Camera,
  size: { width: number; height: number },
  pixelAt: (depth: number) => number,
  x: number,
  y: number,
): Item | null {
  if (topology.points > POINTS_MOST) return null;
  const at = new Vector3();
  const see = (point: number): Seen | null => {
    at.set(points[4 * point]!, points[4 * point + 1]!, points[4 * point + 2]!);
    const depth = -at.clone().applyMatrix4(camera.matrixWorldInverse).z;
    at.project(camera);
    if (at.z < -1 || at.z > 1) return null;
    return { x: 0.5 * (at.x + 1) * size.width, y: 0.5 * (1 - at.y) * size.height, depth, scale: 1 / pixelAt(depth) };
  };
  let best: Item | null = null;
  let nearest = Infinity;
  const offer = (item: Item, depth: number) => {
    if (depth < nearest) {
      nearest = depth;
      best = item;
    }
  };
  for (const item of topology.items) {
    if (item.kind === Kind.Curve) alongCurve(item, points, see, x, y, offer);
    else if (item.kind === Kind.Disk) {
      const centre = see(item.first);
      if (centre && Math.hypot(centre.x - x, centre.y - y) <= points[4 * item.first + 3]! * centre.scale) offer(item, centre.depth);
    } else if (item.kind === Kind.Outline) insideOutline(item, see, x, y, offer);
  }
  meshes(topology, see, x, y, offer);
  return best;
}

type Offer = (item: Item, depth: number) => void;

function alongCurve(item: Item, points: Float32Array, see: (point: number) => Seen | null, x: number, y: number, offer: Offer): void {
  let before = see(item.first);
  for (let k = 1; k < item.count; k++) {
    const here = see(item.first + k);
    if (before && here) {
      const [dx, dy] = [here.x - before.x, here.y - before.y];
      const t = Math.min(Math.max(((x - before.x) * dx + (y - before.y) * dy) / Math.max(dx * dx + dy * dy, 1e-9), 0), 1);
      const from = Math.hypot(x - before.x - t * dx, y - before.y - t * dy);
      if (from <= Math.max(REACH, points[4 * (item.first + k) + 3]! * here.scale)) offer(item, before.depth + t * (here.depth - before.depth));
    }
    before = here;
  }
}

function insideOutline(item: Item, see: (point: number) => Seen | null, x: number, y: number, offer: Offer): void {
  const corner = Array.from({ length: item.count }, (_, k) => see(item.first + k));
  let inside = false;
  corner.forEach((a, k) => {
    const b = corner[(k + 1) % corner.length];
    if (a && b && a.y <= y !== b.y <= y && x < a.x + ((y - a.y) * (b.x - a.x)) / (b.y - a.y)) inside = !inside;
  });
  if (inside && corner[0]) offer(item, corner[0].depth);
}

/** The nearest triangle under the pointer. */
function meshes({ items, triangles, traced }: TopologyData, see: (point: number) => Seen | null, x: number, y: number, offer: Offer): void {
  if (triangles.length === 0) return;
  const owner: (Item | undefined)[] = new Array(traced);
  for (const item of items) if (item.kind === Kind.Mesh) owner.fill(item, item.first, item.first + item.count);
  const seen = new Map<number, Seen | null>();
  const cached = (point: number): Seen | null => {
    if (!seen.has(point)) seen.set(point, see(point));
    return seen.get(point)!;
  };
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [cached(triangles[t]!), cached(triangles[t + 1]!), cached(triangles[t + 2]!)];
    const item = owner[triangles[t]!];
    if (!a || !b || !c || !item) continue;
    const area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
    const u = ((b.x - x) * (c.y - y) - (c.x - x) * (b.y - y)) / area;
    const v = ((c.x - x) * (a.y - y) - (a.x - x) * (c.y - y)) / area;
    if (u >= 0 && v >= 0 && u + v <= 1) offer(item, u * a.depth + v * b.depth + (1 - u - v) * c.depth);
  }
}
