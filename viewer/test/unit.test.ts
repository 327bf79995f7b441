import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync, constants } from "node:zlib";
import { colourModes } from "../src/colour/modes";
import { diverging, sequential } from "../src/colour/palettes";
import { fromBase64 } from "../src/data/base64";
import { BlockReader, type JobNews } from "../src/data/block_job";
import { derive, nearest } from "../src/data/derived";
import { meshEdges, meshNormals, splitAtCreases } from "../src/data/mesh";
import { PageFault } from "../src/data/fault";
import { FrameReader, Kind, TopologyRegister, type FrameHead, HAIR_FIBERS, type Contacts, type Item } from "../src/data/frame";
import { touchingOnly } from "../src/view/contact_marks";
import { hairItems } from "../src/view/hair";
import { readHeader } from "../src/data/header";
import { inflate } from "../src/data/inflate";
import { unpack } from "../src/data/unpack";
import { readLink, writeLink } from "../src/link";
import { joinTimes, Player, startingSpeed } from "../src/player";
import { count, length, number, timeDigits } from "../src/ui/format";
import { frameBox } from "../src/view/cameras";
import { roundLength } from "../src/view/grid";
import { encodeFrame, makePage, packed, sheet, type MadeContact, type MadeFrame } from "./encode";

const HEAD: FrameHead = { positionBytes: 3, contactBytes: 4, channels: [] };

/** Repeatable noise. */
function noise(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function samples(): Uint8Array[] {
  const random = noise(1);
  const text = Buffer.from("the rope holds the rope holds the rope ".repeat(400));
  return [
    new Uint8Array(0),
    Uint8Array.of(7),
    new Uint8Array(100_000),
    Uint8Array.from({ length: 70_000 }, () => Math.floor(256 * random())),
    Uint8Array.from({ length: 50_000 }, (_, i) => (i % 7) * Math.floor(3 * random())),
    new Uint8Array(text),
  ];
}

const CONTACT: MadeContact = {
  position: [0.5, 0.1, 0], normal: [0, 1, 0], force: [0.3, 2, 0], u: [1e-9, 0.25, 0], mu: 0.4, error: 3e-10, gap: -1e-6, sA: 0.5, sB: 0,
  kind: 2, bodyA: 1, bodyB: 0, obstacleB: 1,
};

function line(n: number, height: number): MadeFrame["items"][number] {
  return { kind: 0, id: 1, points: Array.from({ length: n }, (_, k) => [k / (n - 1), height, 0, 0.01]) };
}

test("base64 agrees with node's, and refuses what is none", () => {
  for (const bytes of samples()) assert.deepEqual(fromBase64(Buffer.from(bytes).toString("base64")), bytes);
  for (const bad of ["AAA", "AA*A", "AA=A", "\u0141AAA", "A==="]) assert.throws(() => fromBase64(bad), PageFault, bad);
});

test("inflate agrees with zlib for every kind of block", () => {
  for (const bytes of samples())
    for (const options of [{ level: 0 }, { level: 1 }, { level: 9 }, { strategy: constants.Z_FIXED }, { strategy: constants.Z_HUFFMAN_ONLY }, { strategy: constants.Z_RLE }])
      assert.deepEqual(inflate(new Uint8Array(deflateSync(bytes, options)), bytes.length), bytes);
});

test("inflate and the browser's own refuse damaged streams", async () => {
  const bytes = samples()[4]!;
  const good = new Uint8Array(deflateSync(bytes));
  const random = noise(2);
  for (let k = 0; k < 300; k++) {
    const bad = good.slice(0, k % 3 === 0 ? Math.floor(good.length * random()) : good.length);
    if (k % 3 !== 0) bad[Math.floor(bad.length * random())]! ^= 1 + Math.floor(254 * random());
    assert.throws(() => inflate(bad, bytes.length), PageFault);
    if (k < 60) await assert.rejects(unpack(Buffer.from(bad).toString("base64"), bytes.length), PageFault);
  }
  await assert.rejects(unpack(packed(Buffer.from(bytes)), bytes.length - 1), PageFault);
  await assert.rejects(unpack(packed(Buffer.from(bytes)), bytes.length + 1), PageFault);
  await assert.rejects(unpack(packed(Buffer.from(bytes)), 2 ** 40), PageFault);
  assert.deepEqual(await unpack(packed(Buffer.from(bytes)), bytes.length), bytes);
});

test("a frame comes back", () => {
  const frame: MadeFrame = {
    items: [
      line(30, 0.2),
      { kind: 1, id: 2, points: [[0.5, 0.5, 0, 0.1], [0.6, 0.5, 0, 0.1]] },
      { kind: 0, id: 3, closed: true, points: [[0, 0, 1, 0.02], [1, 0, 1, 0.02], [0, 1, 1, 0.03]] },
      { kind: 3, id: 1, obstacle: true, points: [[0, 0, 0, 0], [0, 1, 0, 0]] },
    ],
    contacts: [CONTACT],
  };
  const read = new FrameReader(new Uint8Array(encodeFrame(frame)), HEAD, new TopologyRegister()).next();
  assert.deepEqual(read.topology.items.map((item) => [item.kind, item.first, item.count, item.closed, item.obstacle]), [
    [Kind.Curve, 0, 30, false, false],
    [Kind.Disk, 33, 2, false, false],
    [Kind.Curve, 30, 3, true, false],
    [Kind.HalfPlane, 35, 2, false, true],
  ]);
  read.topology.items.forEach((item, k) =>
    frame.items[k]!.points.forEach((point, i) =>
      point.forEach((value, axis) => assert.ok(Math.abs(read.points[4 * (item.first + i) + axis]! - value) < 1e-6)),
    ),
  );
  const { contacts } = read;
  assert.equal(contacts.count, 1);
  assert.deepEqual([contacts.kind[0], contacts.bodyA[0], contacts.bodyB[0], contacts.obstacleB[0]], [2, 1, 0, 1]);
  assert.ok(Math.abs(contacts.mu[0]! - 0.4) < 1e-7 && Math.abs(contacts.force[1]! - 2) < 1e-7 && Math.abs(contacts.position[0]! - 0.5) < 1e-6);
});

test("cut, changed and hostile blocks are faults, not hangs", () => {
  const good = new Uint8Array(encodeFrame({ items: [line(20, 0), sheet(5, 0, false)], contacts: [CONTACT] }));
  const read = (bytes: Uint8Array) => new FrameReader(bytes, HEAD, new TopologyRegister()).next();
  for (let cut = 0; cut < good.length; cut += 7) assert.throws(() => read(good.slice(0, cut)), PageFault);
  const claims = good.slice();
  claims.fill(255, 33, 37); // four thousand million items
  assert.throws(() => read(claims), PageFault);
  const random = noise(3);
  for (let k = 0; k < 500; k++) {
    const bad = good.slice();
    for (let i = 0; i < 4; i++) bad[Math.floor(bad.length * random())] = Math.floor(256 * random());
    try {
      read(bad);
    } catch (thrown) {
      assert.ok(thrown instanceof PageFault, String(thrown));
    }
  }
});

test("equal topologies keep their serial, others do not", () => {
  const register = new TopologyRegister();
  const serial = (frame: MadeFrame) => new FrameReader(new Uint8Array(encodeFrame(frame)), HEAD, register).next().topology.serial;
  const one = serial({ items: [sheet(4, 0, false)], contacts: [] });
  assert.equal(serial({ items: [sheet(4, 1, false)], contacts: [] }), one);
  assert.notEqual(serial({ items: [sheet(4, 1, true)], contacts: [] }), one);
  assert.notEqual(serial({ items: [sheet(5, 1, true)], contacts: [] }), one);
});

test("a block tells its frames, its topology once, and its faults", async () => {
  const frames = [0, 1, 2].map((k) => ({ items: [line(12, k)], contacts: [CONTACT] }));
  const bytes = Buffer.concat(frames.map(encodeFrame));
  const heard: JobNews[] = [];
  const reader = new BlockReader({ head: HEAD, largestForce: 2 });
  await reader.read({ block: 5, frames: 3, bytes: bytes.length, text: packed(bytes) }, (news) => heard.push(news));
  assert.deepEqual(heard.map((news) => news.kind), ["topology", "frame", "frame", "frame", "done"]);
  heard.length = 0;
  await reader.read({ block: 5, frames: 2, bytes: bytes.length, text: packed(bytes) }, (news) => heard.push(news));
  assert.equal(heard[heard.length - 1]!.kind, "fault");
});

test("contacts are marked where they touch", () => {
  const frame = new FrameReader(new Uint8Array(encodeFrame({ items: [line(101, 0)], contacts: [CONTACT] })), HEAD, new TopologyRegister()).next();
  const { force, touch } = derive(frame, 8.0922, splitAtCreases(frame.points, frame.topology));
  const marked = [...touch.keys()].filter((k) => touch[k] !== 0);
  assert.deepEqual(marked, [49, 50, 51]);
  assert.equal(touch[50], 3);
  assert.equal(force[50], Math.round(255 * Math.sqrt(Math.hypot(0.3, 2) / 8.0922)));
});

test("a flat sheet has upright normals and every edge once", () => {
  const flat = sheet(4, 0, false);
  flat.points.forEach((point) => (point[2] = 0));
  const frame = new FrameReader(new Uint8Array(encodeFrame({ items: [flat], contacts: [] })), HEAD, new TopologyRegister()).next();
  const { normals } = derive(frame, 1, splitAtCreases(frame.points, frame.topology));
  for (let k = 0; k < normals.length; k += 3) assert.ok(normals[k] === 0 && normals[k + 1] === 0 && normals[k + 2]! > 0);
  const edges = meshEdges(frame.topology);
  const names = new Set<string>();
  for (let k = 0; k < edges.length; k += 2) names.add(`${edges[k]}-${edges[k + 1]}`);
  assert.equal(names.size, edges.length / 2);
  assert.equal(names.size, 2 * 4 * 3 + 9); // rows, columns, diagonals
});

test("the header is believed only if it makes sense", () => {
  const { header } = makePage([{ items: [line(5, 0)], contacts: [] }, { items: [line(5, 1)], contacts: [] }]);
  const good = () => JSON.parse(JSON.stringify(header));
  assert.equal(readHeader(JSON.stringify(good())).runs[0]!.times.length, 2);
  const wrong: [string, (header: any) => void][] = [
    ["format", (h) => (h.format = 99)],
    ["no run", (h) => (h.runs = [])],
    ["runs", (h) => (h.runs = [h.runs[0], h.runs[0], h.runs[0]])],
    ["times", (h) => (h.runs[0].times = ["a", 1])],
    ["increase", (h) => (h.runs[0].times = [1, 1])],
    ["blocks", (h) => (h.runs[0].blocks[0].frames = 7)],
    ["bytes", (h) => (h.runs[0].blocks[0].bytes = -1)],
    ["bytes", (h) => (h.runs[0].blocks[0].bytes = 1e300)],
    ["dim", (h) => (h.runs[0].dim = 4)],
    ["box.low", (h) => (h.runs[0].box.low = [0, 1])],
    ["title", (h) => (h.runs[0].title = { toString: "x" })],
    ["runs[0]", (h) => (h.runs[0] = null)],
    ["bodies", (h) => (h.runs[0].bodies = "all")],
  ];
  for (const [word, damage] of wrong) {
    const bad = good();
    damage(bad);
    assert.throws(() => readHeader(JSON.stringify(bad)), (thrown: Error) => thrown instanceof PageFault && thrown.message.includes(word), word);
  }
  for (const text of ["", "{", "null", "[]", "3", '{"format":1}']) assert.throws(() => readHeader(text), PageFault, text);
});

test("colour modes are those the data have, with common scales", () => {
  const { header } = makePage([{ items: [line(5, 0)], contacts: [CONTACT] }]);
  const heads = [1, 2].map((largest) => {
    const copy = JSON.parse(JSON.stringify(header));
    copy.runs[0].channels = [{ name: "speed", unit: "m/s", largest, typical: largest, middle: largest, negative: false }, { name: "twist", unit: "1/m", largest: 0, typical: 0, middle: 0, negative: false }];
    return readHeader(JSON.stringify(copy)).runs[0]!;
  });
  const modes = colourModes(heads, heads[0]!);
  assert.deepEqual(modes.map((mode) => mode.id), ["body", "speed", "force", "case"]);
  const legend = modes[1]!.legend("light");
  assert.ok(legend.kind === "scale" && legend.high === 2);
});

test("scales grow evenly in lightness, so that they can be read without colour", () => {
  const light = (c: readonly number[]) => 0.2126 * c[0]! + 0.7152 * c[1]! + 0.0722 * c[2]!;
  for (const theme of ["light", "dark"] as const) {
    for (let x = 0.1; x < 1.01; x += 0.1) assert.ok(light(sequential(theme, x)) > light(sequential(theme, x - 0.1)));
    assert.notDeepEqual(diverging(theme, -1), diverging(theme, 1));
  }
});

test("the player plays, stops, loops and steps", () => {
  const player = new Player([0, 1, 2, 3]);
  assert.equal(player.speed, 1);
  player.toggle();
  player.advance(1.4);
  assert.equal(player.index, 1);
  player.step(1);
  assert.deepEqual([player.playing, player.time], [false, 2]);
  player.step(10);
  assert.equal(player.shown, 3);
  player.loop = false;
  player.toggle(); // at the end: from the start
  assert.equal(player.time, 0);
  player.advance(5);
  assert.deepEqual([player.playing, player.shown], [false, 3]);
  player.loop = true;
  player.seek(2.9);
  player.toggle();
  player.advance(0.3);
  assert.equal(player.shown, 3); // stays a moment
  player.advance(0.6);
  assert.equal(player.shown, 0);
  player.seek(-5);
  assert.equal(player.time, 0);
  for (const [duration, speed] of [[0.05, 0.01], [1, 0.25], [10, 1], [60, 10]] as const) assert.equal(startingSpeed(duration), speed);
  assert.deepEqual(joinTimes([[0, 1, 2], [0, 1 + 1e-9, 1.5]]), [0, 1, 1.5, 2]);
});

test("nearest finds the nearest", () => {
  const list = [0, 1, 2, 4];
  for (const [x, k] of [[-9, 0], [0.4, 0], [0.6, 1], [2.9, 2], [3.1, 3], [99, 3]] as const) assert.equal(nearest(list, x), k);
  assert.equal(nearest([5], 3), 0);
});

test("numbers for people", () => {
  assert.deepEqual([0, 0.5, -12.345, 1234.5, 99999, 1e-9, 2.5e-12, -3e7, NaN].map((value) => number(value)), [
    "0", "0.5", "−12.3", "1235", "99999", "10⁻⁹", "2.5·10⁻¹²", "−3·10⁷", "–",
  ]);
  assert.deepEqual([0.2, 0.02, 0.002, 2, 5e-6, 4000, -0.002].map(length), ["20 cm", "2 cm", "2 mm", "2 m", "5 µm", "4 km", "−2 mm"]);
  assert.equal(count(1234567), "1\u202f234\u202f567");
  assert.deepEqual([0.1, 0.01, 1 / 60, 1e-4].map(timeDigits), [2, 3, 3, 5]);
  assert.deepEqual([0.7, 1, 3, 49, 0.003].map(roundLength).map((x) => Number(x.toPrecision(6))), [0.5, 1, 2, 20, 0.002]);
});

test("a box has three corners at each of its points, each with the normal of its face", () => {
  const points = new Float32Array(4 * 8);
  for (let k = 0; k < 8; k++) points.set([k & 4 ? 3 : 0, k & 2 ? 2 : 0, k & 1 ? 1 : 0, 0], 4 * k);
  const faces = [0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1, 2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3];
  const topology = { serial: 1, items: [], traced: 8, points: 8, triangles: Uint32Array.from(faces) };
  const corners = splitAtCreases(points, topology);
  assert.equal(corners.place.length, 24);
  const normals = meshNormals(points, topology.triangles, corners);
  for (let k = 0; k < 36; k++) {
    assert.equal(corners.place[corners.corner[k]!], faces[k]);
    const n = [0, 1, 2].map((axis) => normals[3 * corners.corner[k]! + axis]!);
    assert.equal(n.filter((each) => each !== 0).length, 1); // along an axis
  }
  const edges = meshEdges(topology);
  assert.equal(edges.length / 2, 12 + 6);
});

test("the first picture holds what moves, and what is around if that is near", () => {
  const { header } = makePage([{ items: [line(5, 0)], contacts: [] }]);
  const run = readHeader(JSON.stringify(header)).runs[0]!;
  run.box = { low: [0, 0, 0], high: [1, 1, 0] };
  assert.deepEqual(frameBox([run]).size, [1, 1, 0]);
  run.surroundings = { low: [-0.5, -0.5, 0], high: [1, 1, 0] };
  assert.deepEqual(frameBox([run]).size, [1.5, 1.5, 0]);
  run.surroundings = { low: [-50, -50, 0], high: [1, 1, 0] };
  assert.deepEqual(frameBox([run]).size, [1, 1, 0]);
  run.camera = { center: [3, 4, 0], height: 2, azimuth: null, elevation: null };
  assert.deepEqual([frameBox([run]).center, frameBox([run]).height], [[3, 4, 0], 2]);
  // The width is that across the direction of view.
  run.camera = { center: [0, 0, 0], height: 2, azimuth: 0, elevation: 0 };
  run.box = { low: [-3, -1, 0], high: [2, 5, 0] };
  const { dim } = run;
  run.dim = 2;
  assert.ok(Math.abs(frameBox([run]).width - 2.1 * 3) < 1e-12);
  run.dim = 3;
  assert.ok(Math.abs(frameBox([run]).width - 2.1 * 5) < 1e-12);
  run.camera.azimuth = -90;
  assert.ok(Math.abs(frameBox([run]).width - 2.1 * 3) < 1e-12);
  run.dim = dim;
});

test("many open fibers in space are hair, few or closed ones are not", () => {
  const item = (id: number, over: Partial<Item> = {}): Item => ({ kind: Kind.Curve, id, obstacle: false, closed: false, first: 4 * id, count: 4, ...over });
  const topology = (items: Item[]) => ({ serial: 1, items, traced: 0, points: 0, triangles: new Uint32Array(0) });
  const many = Array.from({ length: HAIR_FIBERS }, (_, k) => item(k + 1));
  assert.equal(hairItems(topology(many), 3).length, HAIR_FIBERS);
  assert.equal(hairItems(topology(many), 2).length, 0);
  assert.equal(hairItems(topology(many.slice(1)), 3).length, 0);
  const mixed = [...many, item(500, { closed: true }), item(501, { count: 2 }), item(502, { obstacle: true }), item(503, { kind: Kind.Disk })];
  assert.deepEqual(hairItems(topology(mixed), 3), many);
});

test("a link says a moment and is read back", () => {
  const link = writeLink(0.35, [0.1, -2, 3e-5, 40, 6.5, 1.25], "force");
  assert.deepEqual(readLink(link), { time: 0.35, camera: [0.1, -2, 3e-5, 40, 6.5, 1.25], colour: "force" });
  assert.deepEqual(readLink(""), { time: null, camera: null, colour: null });
  assert.deepEqual(readLink("#t=soon&cam=1,two,3"), { time: null, camera: null, colour: null });
  assert.deepEqual(readLink("#t=&cam="), { time: null, camera: [0], colour: null });
});

test("open contacts have no marks", () => {
  const contacts = { count: 3, kind: Uint8Array.from([0, 1, 2]), force: new Float32Array(9) } as unknown as Contacts;
  assert.deepEqual(touchingOnly(contacts), [1, 2]);
  contacts.force[2] = 1;
  assert.deepEqual(touchingOnly(contacts), [0, 1, 2]);
});
