/** Finds the data in the document. */
import { PageFault } from "./fault";
import { readHeader, type Header } from "./header";

export function findHeader(document: Document): Header {
  const element = document.getElementById("capstan-header");
  if (!element)
    throw new PageFault(
      document.querySelector('script[type="application/octet-stream"]')
        ? "the file was cut short: its end is missing"
        : "this page holds no run; capstan view DIR makes one that does",
    );
  return readHeader(element.textContent ?? "");
}

export function dataText(document: Document, run: number, what: "frames" | "table", number: number): string {
  const element = document.getElementById(`run${run}-${what}${number}`);
  if (!element) throw new PageFault(`a part of the page's data is missing (run${run}-${what}${number})`);
  return element.textContent ?? "";
}
