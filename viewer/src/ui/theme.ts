/** Light or dark: as the system has it, or as the reader has chosen. */
import type { Theme } from "../colour/palettes";
import type { ThemeColours } from "../view/run_view";

const KEY = "capstan-theme";

function stored(): Theme | null {
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : null;
  } catch {
    return null; // pages from disk may have no storage
  }
}

export class ThemeChoice {
  current: Theme;

  constructor(private readonly changed: () => void) {
    const system = window.matchMedia("(prefers-color-scheme: dark)");
    this.current = stored() ?? (system.matches ? "dark" : "light");
    system.addEventListener("change", () => {
      if (!stored()) this.set(system.matches ? "dark" : "light");
    });
    document.documentElement.dataset.theme = this.current;
  }

  toggle(): void {
    this.set(this.current === "dark" ? "light" : "dark");
    try {
      localStorage.setItem(KEY, this.current);
    } catch {
      // it then lasts as long as the page
    }
  }

  private set(theme: Theme): void {
    this.current = theme;
    document.documentElement.dataset.theme = theme;
    this.changed();
  }

  colour(name: string): string {
    return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  }

  picture(): ThemeColours {
    return { paper: this.colour("paper"), ink: this.colour("ink"), matter: this.colour("matter"), rigid: this.colour("rigid") };
  }
}
