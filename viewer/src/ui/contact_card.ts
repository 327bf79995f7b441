/** The contact under the pointer: who touches whom, what the law says there and how well it is met. */
import { CASE_COLOURS, CASE_NAMES, toCss } from "../colour/palettes";
import { forceOf } from "../data/derived";
import { Case, type Contacts } from "../data/frame";
import type { RunHead } from "../data/header";
import { el } from "./elements";
import { length, number } from "./format";

function partyName(names: string[], id: number, kind: string): string {
  return names[id - 1] || `${kind} ${id}`;
}

function fact(name: string, value: string): Node[] {
  return [el("dt", {}, name), el("dd", {}, value)];
}

/** Normal and tangential part of the impulse and of the relative velocity. */
function lawTable(r: [number, number], u: [number, number]): HTMLElement {
  const line = (name: string, unit: string, [normal, tangential]: [number, number]) =>
    el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, number(normal, 2)), el("td", {}, number(tangential, 2)), el("td", {}, unit));
  return el(
    "table",
    {},
    el("tr", {}, el("th"), el("th", { scope: "col" }, "normal"), el("th", { scope: "col" }, "tangential"), el("th")),
    line("r", "N s", r),
    line("u", "m/s", u),
  );
}

export class ContactCard {
  readonly element = el("div", { class: "contact card", hidden: true, role: "status", id: "contact" });

  hide(): void {
    this.element.hidden = true;
  }

  /** at: CSS pixels in the stage. dt: of the step that made the contact. side: keeps clear of the right if positive; aside: pixels
   * to keep clear on both sides. */
  show(head: RunHead, contacts: Contacts, i: number, dt: number, at: { x: number; y: number }, side: number, aside: number): void {
    const kind = contacts.kind[i]! as Case;
    const vector = (array: Float32Array) => [array[3 * i]!, array[3 * i + 1]!, array[3 * i + 2]!] as const;
    const n = vector(contacts.normal);
    const f = vector(contacts.force);
    const u = vector(contacts.u);
    const force = forceOf(contacts, i);
    const normal = f[0] * n[0] + f[1] * n[1] + f[2] * n[2];
    const tangential = Math.sqrt(Math.max(0, force * force - normal * normal));
    const mu = contacts.mu[i]!;
    const share = mu * normal > 0 ? tangential / (mu * normal) : 0;
    const other = contacts.bodyB[i] !== 0;
    const b = other ? partyName(head.bodies, contacts.bodyB[i]!, "body") : partyName(head.obstacles, contacts.obstacleB[i]!, "obstacle");
    const where = [contacts.sA[i]!, other ? contacts.sB[i]! : 0].filter((s) => s > 0).map((s) => `${number(s)} m`);
    this.element.replaceChildren(
      el("span", { class: "chip", style: `background:${toCss(CASE_COLOURS[kind] ?? CASE_COLOURS[Case.TakesOff])}` }, CASE_NAMES[kind] ?? "?"),
      el("h2", {}, `${partyName(head.bodies, contacts.bodyA[i]!, "body")} on ${b}`),
      where.length > 0 ? el("div", { class: "where" }, `at arc length ${where.join(" and ")}`) : "",
      lawTable([normal * dt, tangential * dt], [u[0], Math.hypot(u[1], u[2])]),
      el(
        "dl",
        {},
        ...fact("force", `${number(force)} N`),
        ...fact("gap", length(contacts.gap[i]!)),
        ...fact("μ", number(mu)),
        ...fact("residual", number(contacts.error[i]!, 2)),
      ),
      el("div", { class: "meter" }, el("span", {}, "share of the friction cone"), el("span", {}, mu > 0 ? `${Math.round(100 * share)} %` : "–")),
      el("div", { class: "bar" }, el("i", { style: `width:${Math.min(100, 100 * share)}%;background:${toCss(CASE_COLOURS[kind] ?? CASE_COLOURS[0])}` })),
    );
    this.element.hidden = false;
    const stage = this.element.parentElement!;
    const { offsetWidth: w, offsetHeight: h } = this.element;
    const gap = 20 + aside;
    const [before, behind] = [at.x - gap - w, at.x + gap];
    const fits = (x: number) => x >= 8 && x + w + 8 <= stage.clientWidth;
    const left = [side > 0 ? before : behind, side > 0 ? behind : before].find(fits) ?? Math.max(8, before);
    const top = Math.min(Math.max(8, at.y - 0.5 * h), Math.max(8, stage.clientHeight - h - 8));
    this.element.style.left = `${left}px`;
    this.element.style.top = `${top}px`;
  }
}
