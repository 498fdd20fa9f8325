import type { catalogTextsEn } from "../en/check.ts";

/** What `check` says about catalogs of messages. */
export const catalogTextsPt: typeof catalogTextsEn = {
  unused: (key) => ({
    message: `Nenhum ficheiro usa a mensagem "${key}"`,
    fix: `Retire "${key}" de todas as línguas deste catálogo, ou use a mensagem.`,
  }),
  noLanguage: (tag, first) => ({
    message: `A aplicação fala "${tag}", mas este catálogo não: ele responde em "${first}"`,
    fix: `Acrescente "${tag}" ao catálogo, ou retire-o de config.languages.`,
  }),
};
