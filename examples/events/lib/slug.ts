import { text } from "@fw/fw";

/** The slug of an event in a URL: the result of {@linkcode slugOf}, with a number if it is taken. */
export const Slug = text("max=200").check((slug) =>
  /^[a-z0-9-]+$/.test(slug) ? undefined : "is not a slug"
);

/** Converts a title to a part of a URL: `Repair Café: Lamps` becomes `repair-cafe-lamps`. */
export function slugOf(title: string): string {
  return title
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
