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
 * assertEquals(messages.text("pt-PT", "welcome", { name: "Rui" }), "Boas-vindas, Rui");
 * ```
 *
 * @module
 */

export { catalog } from "./catalog.ts";
export { formatOf } from "./format.ts";
export type {
  Catalog,
  CatalogSource,
  CheckedCatalog,
  Format,
  Message,
  MessageKey,
  MessageParams,
  MessageValue,
  PluralForms,
} from "../base/catalog.ts";
