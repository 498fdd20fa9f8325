import { key } from "@fw/fw";

/** What search engines show below the title of a page: a page sets it, the root layout reads it. */
export const Description = key<string>("description");
