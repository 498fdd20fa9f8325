/** The categories of events, in display order. */
export const categories = [
  { id: "music", label: "Music" },
  { id: "stage", label: "Stage" },
  { id: "film", label: "Film" },
  { id: "art", label: "Art" },
  { id: "talks", label: "Talks" },
  { id: "food", label: "Food" },
  { id: "outdoors", label: "Outdoors" },
  { id: "workshops", label: "Workshops" },
] as const;

/** The id of a category in URLs and in the database. */
export type Category = (typeof categories)[number]["id"];

/** Returns whether a text is the id of a category. */
export function isCategory(text: string): text is Category {
  return categories.some(({ id }) => id === text);
}

/** Returns the display name of a category. */
export function labelOf(category: Category): string {
  return categories.find(({ id }) => id === category)?.label ?? category;
}
