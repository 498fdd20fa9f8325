/** The kinds of events, in the order in which they are shown. */
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

/** The id of a category, as it stands in URLs and in the database. */
export type Category = (typeof categories)[number]["id"];

/** Whether a text names a category. */
export function isCategory(text: string): text is Category {
  return categories.some(({ id }) => id === text);
}

/** The name of a category for people. */
export function labelOf(category: Category): string {
  return categories.find(({ id }) => id === category)?.label ?? category;
}
