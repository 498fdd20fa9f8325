/** The measured contenders: each renders two pages from the same data. */

import { account, catalogue } from "./data.ts";
import type { Account, Catalogue } from "./data.ts";

/** The names of the pages. */
export type PageName = "large" | "small";

/** A way of rendering the two pages. */
export interface Contender {
  readonly name: string;
  readonly kind: "own" | "jsx" | "template" | "other";
  readonly large: () => string | Promise<string>;
  readonly small: () => string | Promise<string>;
}

/** A module with the two pages. */
export interface Pages {
  readonly large: (data: Catalogue) => unknown;
  readonly small: (data: Account) => unknown;
}

/** Creates a contender from a module and its function that renders to a string. */
export function contender(
  about: Pick<Contender, "name" | "kind">,
  options: { readonly pages: Pages; readonly render: (page: unknown) => string | Promise<string> },
): Contender {
  const { pages, render } = options;
  return {
    ...about,
    large: () => render(pages.large(catalogue)),
    small: () => render(pages.small(account)),
  };
}
