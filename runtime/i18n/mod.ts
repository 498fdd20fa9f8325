/**
 * The messages of an application by language: typed catalogs with plurals, numbers and dates.
 *
 * `Config.languages` decides the language of a request, `c.language`; `c.t` writes a message in it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { App } from "@fw/fw";
 * import { catalog } from "@fw/fw/i18n";
 *
 * const messages = catalog({
 *   en: { welcome: "Welcome, {name}" },
 *   pt: { welcome: "Boas-vindas, {name}" },
 * });
 * const app = new App({ languages: ["en", "pt-PT"], logRequest: () => false });
 * app.route({
 *   pattern: "/",
 *   methods: { GET: (c) => c.text(200, c.t(messages, "welcome", { name: "Rui" })) },
 * });
 * const headers = { "accept-language": "pt-PT,pt;q=0.9,en;q=0.8" };
 * const response = await app.fetch(new Request("http://localhost/", { headers }));
 * assertEquals(await response.text(), "Boas-vindas, Rui");
 * assertEquals(response.headers.get("content-language"), "pt-PT");
 * ```
 *
 * @module
 */

export { catalog } from "./catalog.ts";
export { formatOf } from "./format.ts";
export { alternateLinks, switchLanguage } from "./switch.ts";
export type * from "../base/catalog.ts";
