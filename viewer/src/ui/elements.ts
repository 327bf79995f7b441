/** Making elements, in short. Text goes in as text: names come from scenes and may hold anything. */
type Child = Node | string | null;
type Attributes = Record<string, string | boolean | null>;

export function el<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) continue;
    element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child): child is Node | string => child !== null));
  return element;
}

const ICONS = {
  play: '<path d="M6 3.5v13l10.5-6.5z"/>',
  pause: '<path d="M5 3.5h3.6v13H5zM11.4 3.5H15v13h-3.6z"/>',
  back: '<path d="M12.5 4.5 7 10l5.5 5.5"/>',
  forth: '<path d="M7.5 4.5 13 10l-5.5 5.5"/>',
  loop: '<path d="M4 10a6 6 0 0 1 10.3-4.2L16 7.5M16 3.5v4h-4M16 10a6 6 0 0 1-10.3 4.2L4 12.5M4 16.5v-4h4"/>',
  fit: '<path d="M3.5 7V3.5H7M13 3.5h3.5V7M16.5 13v3.5H13M7 16.5H3.5V13"/>',
  theme: '<path d="M15.8 12.2A6.6 6.6 0 0 1 7.8 4.2a6.6 6.6 0 1 0 8 8z"/>',
  picture: '<rect x="2.8" y="5" width="14.4" height="11" rx="2"/><circle cx="10" cy="10.5" r="3"/><path d="M7 5l1.2-2h3.6L13 5"/>',
  help: '<circle cx="10" cy="10" r="7.2"/><path d="M7.9 7.8a2.1 2.1 0 1 1 3 1.9c-.7.4-.9.8-.9 1.6M10 13.9v.1"/>',
} as const;

export function icon(name: keyof typeof ICONS): SVGElement {
  const holder = document.createElement("template");
  holder.innerHTML = `<svg viewBox="0 0 20 20" aria-hidden="true">${ICONS[name]}</svg>`;
  return holder.content.firstElementChild as SVGElement;
}

export function iconButton(name: keyof typeof ICONS, label: string, press: () => void): HTMLButtonElement {
  const button = el("button", { class: "icon", type: "button", title: label, "aria-label": label }, icon(name));
  button.addEventListener("click", press);
  return button;
}
