/**
 * The messages of an application by language: typed catalogs with plurals, numbers and dates.
 *
 * `Config.languages` decides the language of a request, `c.language`; `c.t` writes a message in it.
 *
 * @module
 */

export { catalog } from "./catalog.ts";
export { formatOf } from "./format.ts";
export { alternateLinks, switchLanguage } from "./switch.ts";
export type * from "../base/catalog.ts";
