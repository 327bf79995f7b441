/** Colours that readers with any colour vision can tell apart (Okabe and Ito 2008), and scales that grow evenly in lightness. */
import { Case } from "../data/frame";

export type Rgb = readonly [number, number, number];

export function fromHex(hex: string): Rgb {
  const value = parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

export function toCss(colour: Rgb): string {
  return `rgb(${colour.map((c) => Math.round(c)).join(",")})`;
}

export const CASE_COLOURS: Record<Case, Rgb> = {
  [Case.TakesOff]: fromHex("#8a94a0"),
  [Case.Sticks]: fromHex("#0a78bd"),
  [Case.Slides]: fromHex("#e0680b"),
  [Case.Held]: fromHex("#a5549a"),
};

export const CASE_NAMES: Record<Case, string> = {
  [Case.TakesOff]: "takes off",
  [Case.Sticks]: "sticks",
  [Case.Slides]: "slides",
  [Case.Held]: "held",
};

/** Bodies keep away from the blue and the orange of contacts that stick and slide. */
export const BODY_COLOURS: Rgb[] = ["#12927a", "#8a63c9", "#cf9d0e", "#c2588f", "#5f8299", "#7fa83a", "#8c6d4f", "#4a5fb5"].map(fromHex);

/** Lines of charts. */
export const LINE_COLOURS: Rgb[] = ["#0a78bd", "#e0680b", "#0a9a73", "#c0599a", "#d9a40f", "#4fb0e5", "#7a5cc0", "#8c6d4f"].map(fromHex);

export function bodyColour(id: number): Rgb {
  return BODY_COLOURS[(id + BODY_COLOURS.length - 1) % BODY_COLOURS.length]!;
}

function blend(stops: Rgb[], x: number): Rgb {
  const at = Math.min(Math.max(x, 0), 1) * (stops.length - 1);
  const k = Math.min(Math.floor(at), stops.length - 2);
  const t = at - k;
  const [a, b] = [stops[k]!, stops[k + 1]!];
  return [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])];
}

/** Dark to light on white paper would lose its light end: the scales run from calm to strong instead, per theme. */
const SEQUENTIAL = {
  light: ["#3b2a7a", "#2a5f9e", "#1f8f92", "#45b06b", "#b2b33a", "#fbbc1d"].map(fromHex),
  dark: ["#5a49b0", "#3878bd", "#27a2a2", "#5cc27c", "#d6d04a", "#ffd84d"].map(fromHex),
};
const DIVERGING = {
  light: ["#1352a1", "#4f8fd0", "#9aa5b1", "#e0893a", "#a8420a"].map(fromHex),
  dark: ["#5aa5ff", "#3f7fc4", "#8d97a3", "#e29045", "#ffb164"].map(fromHex),
};

export type Theme = "light" | "dark";

/** x from 0 to 1. */
export function sequential(theme: Theme, x: number): Rgb {
  return blend(SEQUENTIAL[theme], x);
}

/** x from -1 to 1. */
export function diverging(theme: Theme, x: number): Rgb {
  return blend(DIVERGING[theme], 0.5 + 0.5 * x);
}

/** Where nothing is to be said. */
export const PLAIN: Record<Theme, Rgb> = { light: fromHex("#5b6b7c"), dark: fromHex("#9fb0c0") };
