/** What every JSON server sends. */
export const payload: { id: number; title: string; city: string; seats: number; tags: string[] } = {
  id: 42,
  title: "An evening of short talks",
  city: "Lisboa",
  seats: 120,
  tags: ["talks", "evening", "free"],
};

/** The port that the bench chose. */
export const port: number = Number(Deno.env.get("PORT"));
