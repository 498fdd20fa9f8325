import type { Shape } from "../texts.ts";
import type { languageEn } from "../en/language.ts";

export const languagePt = {
  tag: `Não se pode gerar a língua "{tag}": escreva a etiqueta de uma língua, e uma região quando
    importa, como fr ou pt-PT.`,
  already: "A aplicação já tem a língua {tag}; nada foi escrito.",
  next: "Corra `deno task check`: indica os catálogos a que falta a língua.",
} as const satisfies Shape<typeof languageEn>;
