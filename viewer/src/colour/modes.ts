/** Ways to colour bodies: each turns a frame into one byte per point and a table of 256 colours. */
import type { FrameData, TopologyData } from "../data/block_job";
import { Case, HAIR_FIBERS, Kind, padded } from "../data/frame";
import type { RunHead, Spread } from "../data/header";
import { bodyColour, BODY_COLOURS, CASE_COLOURS, CASE_NAMES, diverging, PLAIN, sequential, type Rgb, type Theme } from "./palettes";

export type Legend =
  | { kind: "scale"; title: string; unit: string; low: number; high: number; clipped: boolean; colour(x: number): Rgb }
  | { kind: "names"; title: string; names: { name: string; colour: Rgb }[] };

export interface ColourMode {
  id: string;
  title: string;
  /** Rigid bodies are coloured too. */
  tintsRigid: boolean;
  shades(frame: FrameData, topology: TopologyData): Uint8Array;
  /** out: 256 x RGBA. */
  fillTable(frame: FrameData, theme: Theme, out: Uint8Array): void;
  legend(theme: Theme): Legend;
}

function put(out: Uint8Array, index: number, colour: Rgb): void {
  out.set([colour[0], colour[1], colour[2], 255], 4 * index);
}

const TITLES: Record<string, string> = {
  curvature: "Curvature",
  speed: "Speed",
  twist: "Twist",
  strain: "Strain",
};

/** The scale of two runs side by side is common. */
function widest(heads: RunHead[], pick: (head: RunHead) => Spread | undefined): Spread {
  const spreads = heads.map(pick).filter((each): each is Spread => each !== undefined);
  const first = spreads[0]!;
  return {
    ...first,
    largest: Math.max(...spreads.map((each) => each.largest)),
    typical: Math.max(...spreads.map((each) => each.typical)),
    negative: spreads.some((each) => each.negative),
  };
}

function channelMode(spread: Spread, channel: number): ColourMode {
  const range = spread.typical > 0 ? spread.typical : spread.largest > 0 ? spread.largest : 1;
  const low = spread.negative ? -range : 0;
  const colour = (theme: Theme, value: number): Rgb =>
    spread.negative ? diverging(theme, value / range) : sequential(theme, value / range);
  const title = TITLES[spread.name] ?? spread.name;
  return {
    id: spread.name,
    title,
    tintsRigid: false,
    shades: (frame) => {
      const code = frame.codes[channel]!;
      return new Uint8Array(code.buffer, code.byteOffset, code.length);
    },
    fillTable(frame, theme, out) {
      const largest = frame.largest[channel]!;
      for (let c = -128; c < 128; c++) put(out, c & 255, colour(theme, (largest * c * Math.abs(c)) / (127 * 127)));
    },
    legend: (theme) => ({
      kind: "scale",
      title,
      unit: spread.unit,
      low,
      high: range,
      clipped: spread.largest > 1.02 * range,
      colour: (x) => colour(theme, low + x * (range - low)),
    }),
  };
}

function forceMode(heads: RunHead[], own: RunHead): ColourMode {
  const spread = widest(heads, (head) => head.force);
  const range = spread.typical > 0 ? spread.typical : 1;
  return {
    id: "force",
    title: "Contact force",
    tintsRigid: false,
    shades: (frame) => frame.force,
    fillTable(_frame, theme, out) {
      put(out, 0, PLAIN[theme]);
      for (let c = 1; c < 256; c++) put(out, c, sequential(theme, ((c / 255) ** 2 * own.force.largest) / range));
    },
    legend: (theme) => ({
      kind: "scale",
      title: "Contact force",
      unit: "N",
      low: 0,
      high: range,
      clipped: spread.largest > 1.02 * range,
      colour: (x) => sequential(theme, x),
    }),
  };
}

function caseMode(): ColourMode {
  const kinds = [Case.Sticks, Case.Slides, Case.Held];
  return {
    id: "case",
    title: "Stick or slide",
    tintsRigid: false,
    shades: (frame) => frame.touch,
    fillTable(_frame, theme, out) {
      put(out, 0, PLAIN[theme]);
      put(out, 1, PLAIN[theme]);
      for (const kind of kinds) put(out, 1 + kind, CASE_COLOURS[kind]);
    },
    legend: (theme) => ({
      kind: "names",
      title: "Stick or slide",
      names: [
        { name: "no contact", colour: PLAIN[theme] },
        { name: CASE_NAMES[Case.Sticks], colour: CASE_COLOURS[Case.Sticks] },
        { name: CASE_NAMES[Case.Slides], colour: CASE_COLOURS[Case.Slides] },
      ],
    }),
  };
}

function bodyMode(own: RunHead): ColourMode {
  let made: { serial: number; shades: Uint8Array } | null = null;
  const names = own.bodies;
  return {
    id: "body",
    title: "Body",
    tintsRigid: true,
    shades(_frame, topology) {
      if (made?.serial === topology.serial) return made.shades;
      const shades = new Uint8Array(padded(topology.points));
      for (const item of topology.items) shades.fill(item.id % BODY_COLOURS.length, item.first, item.first + item.count);
      made = { serial: topology.serial, shades };
      return shades;
    },
    fillTable(_frame, _theme, out) {
      for (let c = 0; c < 256; c++) put(out, c, bodyColour(c));
    },
    legend: () => ({
      kind: "names",
      title: "Body",
      names:
        names.length <= BODY_COLOURS.length
          ? names.map((name, i) => ({ name: name || `body ${i + 1}`, colour: bodyColour(i + 1) }))
          : [],
    }),
  };
}

/** Natural colours: every fiber a little lighter or darker than the next (src/render/hair_colour.c). Other bodies keep their own. */
function hairMode(): ColourMode {
  const SHADES = 128;
  const base: Rgb = [92, 64, 42];
  let made: { serial: number; shades: Uint8Array } | null = null;
  return {
    id: "hair",
    title: "Hair",
    tintsRigid: true,
    shades(_frame, topology) {
      if (made?.serial === topology.serial) return made.shades;
      const shades = new Uint8Array(padded(topology.points));
      for (const item of topology.items) {
        const code = item.kind === Kind.Curve ? (Math.imul(item.id, 0x9e3779b1) >>> 25) % SHADES : SHADES + (item.id % BODY_COLOURS.length);
        shades.fill(code, item.first, item.first + item.count);
      }
      made = { serial: topology.serial, shades };
      return shades;
    },
    fillTable(_frame, _theme, out) {
      for (let c = 0; c < SHADES; c++) {
        const light = 1 + 0.22 * ((2 * c) / (SHADES - 1) - 1);
        put(out, c, base.map((part) => Math.min(255, Math.round(part * light))) as unknown as Rgb);
      }
      for (let c = SHADES; c < 256; c++) put(out, c, bodyColour(c - SHADES));
    },
    legend: () => ({ kind: "names", title: "Hair", names: [] }),
  };
}

/** Those that the data of every shown run have, for one of them. Scales are common to all. */
export function colourModes(heads: RunHead[], own: RunHead): ColourMode[] {
  const modes: ColourMode[] = [bodyMode(own)];
  if (heads.some((head) => head.fibers >= HAIR_FIBERS)) modes.push(hairMode());
  heads[0]!.channels.forEach((spread, channel) => {
    if (!heads.every((head) => head.channels[channel]?.name === spread.name)) return;
    const wide = widest(heads, (head) => head.channels[channel]);
    if (wide.largest > 0 && !spread.name.startsWith("director")) modes.push(channelMode(wide, channel));
  });
  if (heads.some((head) => head.contacts > 0)) modes.push(forceMode(heads, own), caseMode());
  return modes;
}
