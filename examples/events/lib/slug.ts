import { text } from "@fw/fw";

/** The slug of an event in a URL: what {@linkcode slugOf} makes, and a number where two are alike. */
export const Slug = text("max=200").check((slug) =>
  /^[a-z0-9-]+$/.test(slug) ? undefined : "is not a slug"
);

/** The part of a URL that stands for a title: `Repair Café: Lamps` becomes `repair-cafe-lamps`. */
export function slugOf(title: string): string {
  return title
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
