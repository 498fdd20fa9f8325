/** The data of the pages, the same for every contender. */

/** One row of the large page. */
export interface Product {
  readonly id: number;
  readonly sku: string;
  readonly name: string;
  readonly note: string;
  readonly price: string;
  readonly href: string;
  readonly row: string;
  readonly badge: string;
  readonly state: string;
  readonly picked: boolean;
}

/** The large page: a table. */
export interface Catalogue {
  readonly title: string;
  readonly links: readonly Link[];
  readonly products: readonly Product[];
}

/** A link of the navigation. */
export interface Link {
  readonly href: string;
  readonly label: string;
}

/** The small page: a form and a short list. */
export interface Account {
  readonly title: string;
  readonly links: readonly Link[];
  readonly user: string;
  readonly email: string;
  readonly bio: string;
  readonly isPublic: boolean;
  readonly events: readonly string[];
}

const links: readonly Link[] = ["Home", "Events", "People & places", "About"].map((label, i) => ({
  href: `/section/${i}?from=nav&n=${i}`,
  label,
}));

const notes = [
  "Ships within two days from the nearest warehouse",
  'Rated "excellent" by 9 < 10 buyers & reviewers',
  "A plain description of a plain thing, long enough to be read",
];

function product(_: unknown, i: number): Product {
  const isThere = i % 3 !== 0;
  return {
    id: i,
    sku: `SKU-${1000 + i}`,
    name: i % 5 === 0 ? `Nuts & bolts no. ${i}` : `Product number ${i}`,
    note: notes[i % notes.length] ?? "",
    price: (i * 1.25 + 4).toFixed(2),
    href: `/products/${i}?ref=list&page=2`,
    row: i % 2 === 0 ? "row row-even" : "row row-odd",
    badge: isThere ? "badge badge-ok" : "badge badge-out",
    state: isThere ? "in stock" : "sold out",
    picked: i % 4 === 0,
  };
}

/** Returns the data of the large page. */
export const catalogue: Catalogue = {
  title: "Catalogue: nuts & bolts",
  links,
  products: Array.from({ length: 222 }, product),
};

/** Returns the data of the small page. */
export const account: Account = {
  title: "Your account",
  links,
  user: "Ana <the first> Souza",
  email: "ana@example.com",
  bio: 'Writes "tests" & reads them',
  isPublic: true,
  events: [
    "Signed in",
    "Changed the name",
    "Joined R&D",
    "Left the list",
    "Read a page",
    "Wrote a note",
    "Signed out",
  ],
};
