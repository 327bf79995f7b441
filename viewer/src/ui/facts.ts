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

export function factList(head: RunHead): HTMLElement {
  const times = head.times;
  const law = lawMet(head);
  const bodies = head.bodies.length;
  const parts = [
    `${number(times[times.length - 1]! - times[0]!)} s`,
    `${plural(head.summary.steps, "step")}`,
    plural(bodies, "body", "bodies"),
    head.summary.mostContacts > 0 ? `up to ${plural(head.summary.mostContacts, "contact")}` : "",
  ].filter((part) => part !== "");
  return el("ul", { class: "facts" }, ...parts.map((part) => el("li", {}, part)), el("li", { class: law.good ? "good" : "bad" }, law.text));
}
