/**
 * The texts of `generate language` in Portuguese.
 *
 * @module
 */
import type { languageEn } from "../en/language.ts";

export const languagePt: typeof languageEn = {
  argument: "uma etiqueta de língua, como pt-PT",
  tag: (tag) =>
    `Não se pode gerar a língua "${tag}": escreva a etiqueta de uma língua, e uma região quando importa, ` +
    "como fr ou pt-PT.",
  already: (tag) => `A aplicação já tem a língua ${tag}; nada foi escrito.`,
  next: "Corra `deno task check`: indica os catálogos a que falta a língua.",
};
