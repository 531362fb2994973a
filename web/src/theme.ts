import { el } from "./dom";

/** Light or dark: the system's choice until the reader presses the button. */
export function themeButton(): HTMLElement {
    const dark = () => {
        const chosen = document.documentElement.dataset.theme;
        return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    };
    return el(
        "button",
        { type: "button", id: "theme", class: "theme", title: "light or dark", "aria-label": "switch between light and dark", click: () => (document.documentElement.dataset.theme = dark() ? "light" : "dark") },
        "◐",
    );
}
