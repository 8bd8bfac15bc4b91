/** The button that goes through the three themes. `public/theme.js` applies the stored one before the first paint. */
import { keepOnDevice, readDevice } from "./device";
import { element, fill } from "./shared";
import { icon } from "./icon";

const KEY = "mnemic-demo-theme";
const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

export function themeButton(): HTMLButtonElement {
  const button = element("button", { type: "button", class: "icon-button", "data-testid": "theme" });
  let theme = stored();
  const show = (): void => {
    document.documentElement.dataset["theme"] = theme;
    button.setAttribute("aria-label", `Theme: ${theme}`);
    button.title = `Theme: ${theme}`;
    fill(button, icon(theme));
  };
  button.addEventListener("click", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
    keepOnDevice(KEY, theme);
    show();
  });
  show();
  return button;
}

function stored(): Theme {
  const kept = readDevice(KEY);
  return THEMES.find((theme) => theme === kept) ?? "system";
}
