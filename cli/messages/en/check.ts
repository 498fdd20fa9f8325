import type { ProblemText } from "../../problem.ts";

/** What `check` says about catalogs of messages. */
export const catalogTextsEn = {
  unused: (key: string): ProblemText => ({
    message: `No source uses the message "${key}"`,
    fix: `Remove "${key}" from every language of this catalog, or use it.`,
  }),
  noLanguage: (tag: string, first: string): ProblemText => ({
    message: `The application speaks "${tag}", but this catalog does not: it answers in "${first}"`,
    fix: `Add "${tag}" to the catalog, or remove it from config.languages.`,
  }),
};
