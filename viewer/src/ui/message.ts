/** What to say when something is wrong. */
import { el } from "./elements";

/** Instead of the page. */
export function showFatal(app: HTMLElement, text: string): void {
  app.className = "";
  app.replaceChildren(
    el(
      "section",
      { class: "fatal card", role: "alert", id: "message" },
      el("h1", {}, "This run cannot be shown"),
      el("p", {}, sentence(text)),
      el("p", {}, "Write the page again with: capstan view DIR"),
    ),
  );
}

/** Over the picture; what can still be shown is. */
export function showBanner(stage: HTMLElement, text: string): void {
  const known = stage.querySelector<HTMLElement>(".banner");
  if (known) return;
  stage.append(
    el(
      "div",
      { class: "banner card", role: "alert", id: "message" },
      el("strong", {}, "A part of this run cannot be shown"),
      sentence(text),
    ),
  );
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");
}
