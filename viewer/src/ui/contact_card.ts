/** The contact under the pointer: who touches whom, what the law says there and how well it is met. */
import { CASE_COLOURS, CASE_NAMES, toCss } from "../colour/palettes";
import { forceOf } from "../data/derived";
import { Case, type Contacts } from "../data/frame";
import type { RunHead } from "../data/header";
import { el } from "./elements";
import { number } from "./format";

function partyName(names: string[], id: number, kind: string): string {
  return names[id - 1] || `${kind} ${id}`;
}

function row(letter: string, index: string, value: number, unit: string): Node[] {
  return [el("dt", {}, letter, index ? el("sub", {}, index) : null), el("dd", {}, number(value) + (unit ? ` ${unit}` : ""))];
}

export class ContactCard {
  readonly element = el("div", { class: "contact card", hidden: true, role: "status", id: "contact" });

  hide(): void {
    this.element.hidden = true;
  }

  /** x, y: CSS pixels in the stage. dt: of the step that made the contact. */
  show(head: RunHead, contacts: Contacts, i: number, dt: number, x: number, y: number): void {
    const kind = contacts.kind[i]! as Case;
    const at = (array: Float32Array) => [array[3 * i]!, array[3 * i + 1]!, array[3 * i + 2]!] as const;
    const n = at(contacts.normal);
    const f = at(contacts.force);
    const u = at(contacts.u);
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
      el(
        "dl",
        {},
        ...row("r", "N", normal * dt, "N s"),
        ...row("u", "N", u[0], "m/s"),
        ...row("r", "T", tangential * dt, "N s"),
        ...row("u", "T", Math.hypot(u[1], u[2]), "m/s"),
        ...row("μ", "", mu, ""),
        ...row("E", "", contacts.error[i]!, ""),
        ...row("force", "", force, "N"),
        ...row("gap", "", contacts.gap[i]! * 1000, "mm"),
      ),
      el("div", { class: "meter" }, el("span", {}, "share of the friction cone"), el("span", {}, mu > 0 ? `${Math.round(100 * share)} %` : "–")),
      el("div", { class: "bar" }, el("i", { style: `width:${Math.min(100, 100 * share)}%;background:${toCss(CASE_COLOURS[kind] ?? CASE_COLOURS[0])}` })),
    );
    this.element.hidden = false;
    const stage = this.element.parentElement!;
    const { offsetWidth: w, offsetHeight: h } = this.element;
    const left = x + 18 + w < stage.clientWidth ? x + 18 : Math.max(8, x - 18 - w);
    const top = Math.min(Math.max(8, y - 0.5 * h), Math.max(8, stage.clientHeight - h - 8));
    this.element.style.left = `${left}px`;
    this.element.style.top = `${top}px`;
  }
}
