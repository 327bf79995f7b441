/** A run in one line: how long, how much, and whether the law was met. */
import type { RunHead } from "../data/header";
import { el } from "./elements";
import { count, number, plural } from "./format";

export function lawMet(head: RunHead): { text: string; good: boolean } {
  const { steps, missed, worstError, mostContacts } = head.summary;
  if (missed > 0) return { text: `${count(missed)} of ${plural(steps, "step")} above the tolerance, E up to ${number(worstError, 2)}`, good: false };
  if (mostContacts === 0) return { text: "no contacts", good: true };
  return { text: `Coulomb’s law met on every step: E ≤ ${number(worstError, 2)}`, good: true };
}

function item(law: { text: string; good: boolean }, before = ""): HTMLElement {
  return el("li", { class: law.good ? "good" : "bad" }, before + law.text);
}

export function factList(runs: RunHead[]): HTMLElement {
  if (runs.length > 1)
    return el("ul", { class: "facts" }, ...runs.map((run, k) => item(lawMet(run), k === 0 ? "first: " : "second: ")));
  const head = runs[0]!;
  const times = head.times;
  const parts = [
    `${number(times[times.length - 1]! - times[0]!)} s`,
    plural(head.summary.steps, "step"),
    plural(head.bodies.length, "body", "bodies"),
    ...(head.summary.mostContacts > 0 ? [`up to ${plural(head.summary.mostContacts, "contact")}`] : []),
  ];
  return el("ul", { class: "facts" }, ...parts.map((part) => el("li", {}, part)), item(lawMet(head)));
}
