/** What every answer to a probe or a scraper carries: it is for nobody else, and for now. */
export const watchHeaders: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "x-robots-tag": "noindex",
  "x-content-type-options": "nosniff",
};
