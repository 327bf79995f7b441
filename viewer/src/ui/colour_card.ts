/** The card over the picture: what colours and marks mean, and which to show. */
import type { ColourMode, Legend } from "../colour/modes";
import { CASE_COLOURS, CASE_NAMES, toCss, type Theme } from "../colour/palettes";
import { Case } from "../data/frame";
import { el } from "./elements";
import { number } from "./format";

export interface ColourCardOptions {
  contacts: boolean;
  /** There are so many that their marks would hide the picture: they are off at first. */
  manyContacts: boolean;
  mode(id: string): void;
  dots(on: boolean): void;
  arrows(on: boolean): void;
  wireframe(on: boolean): void;
}

export class ColourCard {
  readonly element: HTMLElement;
  private readonly select: HTMLSelectElement;
  private readonly legend = el("div", { class: "legend" });
  private readonly dotBox = el("input", { type: "checkbox" });
  private readonly arrowBox = el("input", { type: "checkbox" });
  private readonly arrowKey = el("span", { class: "arrow-key" });
  private readonly wireBox = el("input", { type: "checkbox" });
  private readonly wireLabel = el("label", { class: "toggle", hidden: true }, this.wireBox, "edges of triangles");

  constructor(
    private readonly modes: ColourMode[],
    private readonly options: ColourCardOptions,
  ) {
    this.select = el("select", { id: "colour-by", "aria-label": "Colour by" }, ...modes.map((mode) => el("option", { value: mode.id }, mode.title)));
    this.select.addEventListener("change", () => options.mode(this.select.value));
    this.dotBox.checked = this.arrowBox.checked = !options.manyContacts;
    this.dotBox.addEventListener("change", () => options.dots(this.dotBox.checked));
    this.arrowBox.addEventListener("change", () => this.arrowsChanged());
    this.wireBox.addEventListener("change", () => options.wireframe(this.wireBox.checked));
    const kinds = [Case.Sticks, Case.Slides];
    this.element = el(
      "div",
      { class: "colour card" },
      el("label", { class: "by" }, el("span", {}, "Colour by"), this.select),
      this.legend,
      options.contacts
        ? el(
            "ul",
            { class: "names contacts", "aria-label": "Contacts" },
            el("li", {}, "contact"),
            ...kinds.map((kind) => named(CASE_NAMES[kind], toCss(CASE_COLOURS[kind]))),
          )
        : null,
      options.contacts ? el("label", { class: "toggle" }, this.dotBox, "contacts as dots") : null,
      options.contacts ? el("label", { class: "toggle" }, this.arrowBox, "forces as arrows") : null,
      options.contacts ? this.arrowKey : null,
      this.wireLabel,
    );
  }

  get mode(): string {
    return this.select.value;
  }

  set mode(id: string) {
    this.select.value = id;
    this.options.mode(id);
  }

  nextMode(): void {
    const at = this.modes.findIndex((mode) => mode.id === this.mode);
    this.mode = this.modes[(at + 1) % this.modes.length]!.id;
  }

  toggleArrows(): void {
    this.arrowBox.checked = !this.arrowBox.checked;
    this.arrowsChanged();
  }

  private arrowsChanged(): void {
    this.arrowKey.hidden = !this.arrowBox.checked;
    this.options.arrows(this.arrowBox.checked);
  }

  /** What is on at first. */
  start(): void {
    this.options.dots(this.dotBox.checked);
    this.arrowsChanged();
  }

  /** An arrow of so many pixels is so many newtons. */
  showArrowKey(pixels: number, newtons: number): void {
    this.arrowKey.hidden = !this.arrowBox.checked || !(newtons > 0);
    this.arrowKey.replaceChildren(el("i", { style: `width:${pixels.toFixed(1)}px` }), `${number(newtons)} N`);
  }

  /** There are triangles. */
  offerWireframe(): void {
    this.wireLabel.hidden = false;
  }

  toggleWireframe(): void {
    this.wireBox.checked = !this.wireBox.checked;
    this.options.wireframe(this.wireBox.checked);
  }

  showLegend(theme: Theme): void {
    const mode = this.modes.find((each) => each.id === this.mode)!;
    this.legend.replaceChildren(...legendParts(mode.legend(theme)));
  }
}

function named(name: string, colour: string): HTMLElement {
  return el("li", {}, el("span", { class: "swatch", style: `background:${colour}` }), name);
}

function legendParts(legend: Legend): Node[] {
  if (legend.kind === "names")
    return legend.names.length > 0 ? [el("ul", { class: "names" }, ...legend.names.map((each) => named(each.name, toCss(each.colour))))] : [];
  const stops = Array.from({ length: 13 }, (_, k) => toCss(legend.colour(k / 12))).join(", ");
  const unit = legend.unit ? ` ${legend.unit.replace("1/m", "m⁻¹")}` : "";
  return [
    el("div", { class: "ramp", role: "img", "aria-label": `${legend.title} from ${number(legend.low)} to ${number(legend.high)}${unit}`, style: `background:linear-gradient(90deg, ${stops})` }),
    el(
      "div",
      { class: "ends" },
      el("span", {}, (legend.clipped && legend.low < 0 ? "≤ " : "") + number(legend.low)),
      legend.low < 0 ? el("span", {}, "0") : null,
      el("span", {}, (legend.clipped ? "≥ " : "") + number(legend.high) + unit),
    ),
  ];
}
