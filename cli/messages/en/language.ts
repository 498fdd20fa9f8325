export const languageEn = {
  tag: `Cannot generate the language "{tag}": write a tag of a language, and a region where it
    matters, such as fr or pt-PT.`,
  already: "The application has the language {tag} already; nothing was written.",
  next: "Run `deno task check`: it names the catalogs that lack the language.",
} as const;
