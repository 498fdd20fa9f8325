/** The user's choice between the light, dark and system theme, in a cookie. */

import * as h from "../../html/mod.ts";
import type { Node } from "../../html/mod.ts";
import { csrfInput, type Ctx } from "../../mod.ts";
import { markPrivate, varyByCookie } from "../../runtime/addon.ts";
import { submit } from "../button.ts";
import { radio } from "../choices.ts";
import { word } from "../labels.ts";
import { small } from "../variants.ts";

const cookie = "fw_theme";

const themes = ["system", "light", "dark"] as const;
type Theme = typeof themes[number];

function isTheme(text: string | undefined): text is Theme {
  return themes.some((theme) => theme === text);
}

function chosenTheme(c: Ctx): Theme {
  const text = c.cookie(cookie);
  if (!isTheme(text)) return "system";
  // Without the cookie the page follows the system theme, and caches may share it.
  markPrivate(c);
  varyByCookie(c);
  return text;
}

/**
 * Sets the theme that the user chose, for `h.html` of a layout, so that the choice also works without a script.
 *
 * @param c The request, for its cookie `fw_theme`.
 * @returns A class attribute, `dark` or `light`; nothing if the system's setting applies.
 *
 * @example
 * ```ts
 * import type { Ctx, Node } from "@fw/fw";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * export function Layout(c: Ctx, children: Node): Node {
 *   return h.html(h.lang("en"), ui.theme(c), h.head(ui.head(c)), h.body(ui.body(), children));
 * }
 * ```
 */
export function theme(c: Ctx): Node {
  const chosen = c.isExport ? "system" : chosenTheme(c);
  return chosen === "system" ? h.fragment() : h.class(chosen);
}

/**
 * Renders the choice between the system, light and dark theme, each with a picture. It takes effect at once;
 * without a script it has a button, and {@linkcode saveTheme} handles it.
 *
 * @param c The request, for its cookie and the CSRF token.
 * @returns A `form` that posts `theme` to the page.
 */
export function themeForm(c: Ctx): Node {
  const chosen = chosenTheme(c);
  return h.form(
    h.method("post"),
    csrfInput(c),
    h.fieldset(
      h.legend(h.class("ui-sr-only"), word("themes")),
      h.div(
        h.class("ui-choices"),
        themes.map((value) =>
          radio({ value, label: word(`${value}Theme`) }, {
            name: "theme",
            id: `theme-${value}`,
            isChecked: value === chosen,
            image: h.svg(
              h.viewBox("0 0 120 72"),
              h.aria("hidden", "true"),
              value !== "dark" && page("light", "0"),
              value !== "light" && page("dark", value === "dark" ? "0" : "60"),
            ),
            attributes: h.bool("data-ui-theme"),
          })
        ),
      ),
    ),
    h.noscript(submit(small, word("save"))),
  );
}

const colors = { light: ["#e8e8ec", "#fff", "#55565e"], dark: ["#101116", "#26272d", "#c9cad1"] };

/** Draws a page, omitting the area left of `from`. */
function page(theme: keyof typeof colors, from: string): Node {
  const [canvas = "", sheet = "", ink = ""] = colors[theme];
  const path = (fill: string, d: string): Node => h.path(h.fill(fill), h.d(d));
  return h.svg(
    h.x(from),
    h.viewBox(`${from} 0 120 72`),
    h.width("120"),
    h.height("72"),
    path(canvas, "M0 0h120v72H0z"),
    path(sheet, "M10 10h24v52H10zM42 10h68v52H42z"),
    path(ink, "M48 17h30v5H48zM48 28h54v3H48zM48 37h44v3H48z"),
    path("var(--primary)", "M48 48h20v8H48z"),
  );
}

/**
 * Saves the choice of {@linkcode themeForm} in a cookie.
 *
 * @param c The request that posted the form.
 * @returns Whether it was that form; otherwise it does nothing.
 *
 * @example
 * ```ts
 * import type { Ctx, Node, Result } from "@fw/fw";
 * import * as ui from "@fw/fw/ui";
 *
 * export const Page = (c: Ctx): Node => ui.card(ui.themeForm(c));
 *
 * export async function POST(c: Ctx): Promise<Result> {
 *   await ui.saveTheme(c);
 *   return c.redirect(c.href("/settings"));
 * }
 * ```
 */
export async function saveTheme(c: Ctx): Promise<boolean> {
  const theme = await c.form("theme");
  if (!isTheme(theme)) return false;
  // The script reads and writes it for the whole host, and another path would create a second cookie.
  c.setCookie({
    name: cookie,
    value: theme,
    path: "/",
    maxAgeSeconds: 31_536_000,
    httpOnly: false,
  });
  return true;
}
