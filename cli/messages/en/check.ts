export const catalogTextsEn = {
  unused: `No source uses the message "{key}"
    Fix: Remove "{key}" from every language of this catalog, or use it.`,
  noLanguage: `The application speaks "{tag}", but this catalog does not: it answers in "{first}"
    Fix: Add "{tag}" to the catalog, or remove it from config.languages.`,
} as const;
