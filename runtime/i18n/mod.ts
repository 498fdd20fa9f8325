/**
 * The messages of an application by language: typed catalogs with plurals, numbers and dates.
 *
 * `Config.languages` decides the language of a request, `c.language`; `c.t` writes a message in it.
 *
 * @example
 * ```ts
 * import { App } from "@fw/fw";
 * import { catalog } from "@fw/fw/i18n";
 * import { testRequest, withHeader } from "@fw/fw/testing";
 *
 * const messages = catalog({ en: { welcome: "Welcome" }, pt: { welcome: "Boas-vindas" } });
 * const app = new App({ languages: ["en", "pt-PT"], logRequest: () => false });
 * app.route({ pattern: "/", methods: { GET: (c) => c.text(200, c.t(messages, "welcome")) } });
 * await testRequest(app, "GET", "/", withHeader("accept-language", "pt"))
 *   .wantContains("Boas-vindas");
 * ```
 *
 * @module
 */

export { catalog } from "./catalog.ts";
export { formatOf } from "./format.ts";
export { alternateLinks, languageAttributes, switchLanguage } from "./switch.ts";
export type * from "../base/catalog.ts";
