/** Whether dear tests try all of their rows, which `deno task soak` does: other runs try a part of them. */
export const isThorough = Deno.env.get("TEST_KIND") === "soak";
