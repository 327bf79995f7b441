/** Starts when the document has been read to its end: the data come after this script. */
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { App } from "./app";
import { faultText } from "./data/fault";
import { findHeader } from "./data/page_data";
import { showFatal } from "./ui/message";

declare global {
  interface Window {
    /** For tests and for the curious. */
    capstan?: App;
  }
}

function start(): void {
  const root = document.getElementById("app")!;
  try {
    window.capstan = new App(root, findHeader(document));
  } catch (thrown) {
    const text = faultText(thrown);
    showFatal(root, /webgl/i.test(text) ? "this browser offers no WebGL 2, which the picture needs" : text);
  }
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
