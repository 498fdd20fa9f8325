import { key } from "@fw/fw";

/** The description for search engines, set by a page and read by the root layout. */
export const Description = key<string>("description");
