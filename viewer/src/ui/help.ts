/** What the keys do and what one sees. */
import { el } from "./elements";

const KEYS: [string[], string][] = [
  [["space"], "play or pause"],
  [["←", "→"], "one frame back or on; with shift ten"],
  [["home", "end"], "first or last frame"],
  [["f"], "fit the picture (or double-click)"],
  [["c"], "next colouring"],
  [["a"], "force arrows on or off"],
  [["w"], "edges of triangles on or off"],
  [["l"], "loop"],
  [["i"], "move between saved frames, or not"],
  [["d"], "light or dark"],
  [["p"], "save the picture as PNG"],
  [["?"], "this list"],
];

const SPACE_KEYS: [string[], string][] = [[["x", "y", "z"], "look along this axis; with shift from the other side"]];

export function helpDialog(generator: string, space: boolean): HTMLDialogElement {
  const move = space ? "Drag to orbit, drag with the right button to pan, wheel to zoom." : "Drag to pan, wheel or pinch to zoom.";
  const all = space ? [...KEYS.slice(0, 4), ...SPACE_KEYS, ...KEYS.slice(4)] : KEYS;
  return el(
    "dialog",
    { "aria-label": "Help", id: "help" },
    el("h2", {}, "Keys"),
    el("table", {}, ...all.map(([keys, what]) => el("tr", {}, el("td", {}, ...keys.flatMap((key, k) => [k > 0 ? " " : "", el("kbd", {}, key)])), el("td", {}, what)))),
    el("p", {}, `${move} Point at a body for its name, at a contact to see its forces and its friction cone. The address of the page says which moment is shown, and may be passed on; click on a chart to go to that time.`),
    el("p", {}, space ? "The stripe along a fiber is a line of its material: it shows the twist." : ""),
    el("p", {}, "Bodies have their true radius, but are drawn at least two pixels wide; hair is finer. Between saved frames bodies move on straight lines; contacts and colours are those of the nearer frame."),
    el("p", {}, `Made by ${generator}.`),
    el("form", { method: "dialog" }, el("button", { autofocus: true }, "Close")),
  );
}
