import * as h from "../../html/mod.ts";
import type { Node } from "../../html/node.ts";
import type { Ctx } from "../base/ctx/ctx.ts";
import { pageQuery } from "../base/url/href.ts";
import { joinBase, stripBase } from "../base/url/path.ts";
import { isRightToLeft } from "./languages.ts";

/**
 * Handles the form that switches the language, as the `POST` of a `route.ts` with `Kind = "page"`: stores the
 * field `language` in the cookie `fw_lang`, and redirects to the path in the field `next`, else to the page
 * that sent the form. A path that starts with a language then starts with the chosen one. An address outside
 * the application leads to its start page instead.
 *
 * @returns {Response} 303 to the page in the chosen language.
 * @throws {HttpError} 400 for a language that `config.languages` does not list.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { App } from "@fw/fw";
 * import { switchLanguage } from "@fw/fw/i18n";
 * import { testRequest, withForm } from "@fw/fw/testing";
 *
 * const app = new App({ env: "dev", languages: ["en", "pt-PT"], logRequest: () => false });
 * app.route({ pattern: "/language", kind: "page", methods: { POST: switchLanguage } });
 * const form = withForm({ language: "pt-PT", next: "/events?page=2" });
 * const response = await testRequest(app, "POST", "/language", form);
 * assertEquals([response.status, response.header("location")], [303, "/events?page=2"]);
 * assertEquals(response.header("set-cookie")?.startsWith("fw_lang=pt-PT;"), true);
 * ```
 */
export async function switchLanguage(c: Ctx): Promise<Response> {
  c.setLanguage(await c.form("language") ?? "");
  const next = await c.form("next") ?? c.request.headers.get("referer") ?? "";
  return c.redirect(returnPath(c, next));
}

/** Returns the same page in the chosen language; the scheme may differ, behind an untrusted proxy. */
function returnPath(c: Ctx, next: string): string {
  const home = joinBase(c.base, "/");
  // Resolved as browsers do: "//host" and "/\host" lead to another origin.
  const url = URL.parse(next, c.url.origin + home);
  if (url === null || url.host !== c.url.host) return home;
  const path = stripBase(c.base, url.pathname);
  if (path === undefined) return home;
  return joinBase(c.base, inLanguage(c, path)) + pageQuery(url.search);
}

/** Replaces the language at the start of a path, if there is one. */
function inLanguage({ app, language }: Ctx, path: string): string {
  const { languages, languagePrefix } = app.config;
  if (!languagePrefix) return path;
  const [, first = ""] = path.split("/", 2);
  const isPrefixed = languages.some((tag) => tag.toLowerCase() === first.toLowerCase());
  return isPrefixed ? `/${language}${path.slice(first.length + 1) || "/"}` : path;
}

/**
 * Returns the `link` elements (`hreflang`) of the page's other languages, with the host of the request, for
 * the `head` of a layout; `x-default` is the path without a language. Empty without `config.languagePrefix`,
 * and if no route matched.
 *
 * @example
 * ```ts
 * import { assertStringIncludes } from "@std/assert";
 * import { App } from "@fw/fw";
 * import * as h from "@fw/fw/h";
 * import { alternateLinks } from "@fw/fw/i18n";
 * import { testRequest } from "@fw/fw/testing";
 *
 * const app = new App({ languages: ["en", "pt-PT"], languagePrefix: true, logRequest: () => false });
 * app.route({ pattern: "/about", page: (c) => h.head(alternateLinks(c)) });
 * const { body } = await testRequest(app, "GET", "/en/about");
 * assertStringIncludes(body, 'hreflang="pt-PT" href="http://localhost/pt-PT/about"');
 * ```
 */
export function alternateLinks(c: Ctx): Node {
  const alternates = c.alternates();
  if (alternates.length === 0) return h.fragment();
  const { origin } = c.url;
  // Finished HTML takes a third of the time of elements and attributes (`bench/i18n`).
  let html = "";
  for (const { language, path } of alternates) {
    html += `<link rel="alternate" hreflang="${h.escape(language)}" href="${
      h.escape(origin + path)
    }">`;
  }
  return h.raw(html);
}

/**
 * Returns the attributes of text in a language: `lang`, and `dir="rtl"` if it is written from right to left.
 * A layout passes them to `h.html`.
 *
 * @throws {RangeError} for a malformed tag.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as h from "@fw/fw/h";
 * import { languageAttributes } from "@fw/fw/i18n";
 *
 * const link = h.render(h.a(languageAttributes("he"), "עברית"));
 * assertEquals(link, '<a lang="he" dir="rtl">עברית</a>');
 * ```
 */
export function languageAttributes(language: string): Node {
  return h.attrs(h.lang(language), isRightToLeft(language) && h.dir("rtl"));
}
