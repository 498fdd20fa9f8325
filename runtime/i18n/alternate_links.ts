import * as h from "../../html/mod.ts";
import type { Node } from "../../html/node.ts";
import type { Ctx } from "../base/ctx/ctx.ts";

/**
 * Returns the `link` elements that name the page in its other languages (`hreflang`), for the `head` of a
 * layout. Search engines want whole URLs, which have the host of the request; `x-default` is the path
 * without a language.
 *
 * @param c The context of the request.
 * @returns The links; nothing without `config.languagePrefix`, and where no route matched.
 * @example
 * ```ts
 * import { assertStringIncludes } from "@std/assert";
 * import { App } from "@fw/fw";
 * import * as h from "@fw/fw/h";
 * import { alternateLinks } from "@fw/fw/i18n";
 * import { testRequest } from "@fw/fw/testing";
 *
 * const app = new App({
 *   env: "dev",
 *   languages: ["en", "pt-PT"],
 *   languagePrefix: true,
 *   logRequest: () => false,
 * });
 * app.route({ pattern: "/about", page: (c) => h.head(alternateLinks(c)) });
 * const { body } = await testRequest(app, "GET", "/en/about");
 * assertStringIncludes(body, 'hreflang="pt-PT" href="http://localhost/pt-PT/about"');
 * assertStringIncludes(body, 'hreflang="x-default" href="http://localhost/about"');
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
