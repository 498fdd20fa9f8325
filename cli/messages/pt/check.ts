import type { Shape } from "../texts.ts";
import type { catalogTextsEn } from "../en/check.ts";

export const catalogTextsPt = {
  unused: `Nenhum ficheiro usa a mensagem "{key}"
    Fix: Retire "{key}" de todas as línguas deste catálogo, ou use a mensagem.`,
  noLanguage: `A aplicação fala "{tag}", mas este catálogo não: ele responde em "{first}"
    Fix: Acrescente "{tag}" ao catálogo, ou retire-o de config.languages.`,
} as const satisfies Shape<typeof catalogTextsEn>;
