/** The axes of the world as the camera sees them, in a corner. */
import { Vector3, type Camera } from "three";

const SVG = "http://www.w3.org/2000/svg";
const AXES = [
  { name: "x", colour: "#c8443a", along: new Vector3(1, 0, 0) },
  { name: "y", colour: "#3f8f3a", along: new Vector3(0, 1, 0) },
  { name: "z", colour: "#2f6fc4", along: new Vector3(0, 0, 1) },
];

export class AxesMark {
  readonly element = document.createElementNS(SVG, "svg");
  private readonly parts = AXES.map(({ name, colour }) => {
    const group = document.createElementNS(SVG, "g");
    const line = document.createElementNS(SVG, "line");
    const text = document.createElementNS(SVG, "text");
    line.setAttribute("stroke", colour);
    text.textContent = name;
    group.append(line, text);
    return { group, line, text };
  });

  constructor() {
    this.element.setAttribute("class", "axes");
    this.element.setAttribute("viewBox", "-28 -28 56 56");
    this.element.setAttribute("aria-hidden", "true");
  }

  show(camera: Camera): void {
    const seen = AXES.map(({ along }, k) => ({ k, at: along.clone().transformDirection(camera.matrixWorldInverse) }));
    seen.sort((a, b) => a.at.z - b.at.z); // the nearest is drawn last
    for (const { k, at } of seen) {
      const { group, line, text } = this.parts[k]!;
      line.setAttribute("x2", (18 * at.x).toFixed(1));
      line.setAttribute("y2", (-18 * at.y).toFixed(1));
      text.setAttribute("x", (24 * at.x).toFixed(1));
      text.setAttribute("y", (-24 * at.y).toFixed(1));
      // What points at the eye has no direction, and its name would lie on the others'.
      text.setAttribute("visibility", Math.hypot(at.x, at.y) < 0.25 ? "hidden" : "visible");
      this.element.append(group);
    }
  }
}
