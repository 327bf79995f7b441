/** Numbers for people. */
const RAISED: Record<string, string> = {
  "-": "⁻", "0": "⁰", "1": "¹", "2": "²", "3": "³", "4": "⁴", "5": "⁵", "6": "⁶", "7": "⁷", "8": "⁸", "9": "⁹",
};

/** Three digits, or so many; powers of ten where zeros would pile up. */
export function number(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const minus = (text: string) => text.replace("-", "−");
  if (size >= 1e-3 && size < 1e5) {
    const text = value.toPrecision(digits);
    return minus(text.includes("e") ? String(Math.round(value)) : text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  }
  const [lead, power] = value.toExponential(digits - 1).split("e");
  const raised = String(Number(power)).replace(/./g, (sign) => RAISED[sign] ?? sign);
  const short = lead!.replace(/\.?0+$/, "");
  return minus(short === "1" ? `10${raised}` : short === "-1" ? `-10${raised}` : `${short}·10${raised}`);
}

export function count(value: number): string {
  return Math.round(value).toLocaleString("en-GB").replace(/,/g, "\u202f");
}

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** A length with a handy unit: 20 mm, 1 m. */
export function length(metres: number): string {
  if (metres < 0) return `−${length(-metres)}`;
  if (metres < 5e-10) return "0 µm";
  if (metres >= 1000) return `${number(metres / 1000)} km`;
  if (metres >= 1) return `${number(metres)} m`;
  if (metres >= 0.01) return `${number(metres * 100)} cm`;
  if (metres >= 1e-3) return `${number(metres * 1000)} mm`;
  return `${number(metres * 1e6)} µm`;
}

/** Digits after the point that tell frames apart. */
export function timeDigits(interval: number): number {
  return Math.min(Math.max(Math.ceil(-Math.log10(Math.max(interval, 1e-9)) + 0.3), 2), 7);
}
