import type { Ctx, Node } from "@fw/fw";
import { catalog } from "@fw/fw/i18n";
import * as ui from "@fw/fw/ui";

/** The labels of the fields. */
export const productLabels = catalog({
  en: {
    name: "Name",
    status: "Status",
    price: "Price",
    stock: "Stock",
    released: "Released",
  },
});

/** The values of the fields that offer some. */
export const productValues = catalog({
  en: {
    "status.draft": "Draft",
    "status.active": "Active",
    "status.archived": "Archived",
  },
});

const valueKeys = [
  "status.draft",
  "status.active",
  "status.archived",
] as const;

/** Returns a value in the language of the request; one without a message as it is stored. */
export function productValue(c: Ctx, field: string, value: string | null): string {
  const key = valueKeys.find((each) => each === `${field}.${value}`);
  return key === undefined ? value ?? "" : c.t(productValues, key);
}

/** The looks of values that say how far something is. */
export const productLooks: Readonly<Record<string, readonly Node[]>> = {
  "status.draft": [ui.warning, ui.hollow],
  "status.active": [ui.success, ui.dot],
  "status.archived": [ui.hollow],
};

/** Renders a value as a badge. */
export function productBadge(c: Ctx, field: string, value: string): Node {
  return ui.badge(...productLooks[`${field}.${value}`] ?? [], productValue(c, field, value));
}

/** The texts of the pages. */
export const productMessages = catalog({
  en: {
    title: "Products",
    row: "Product",
    new: "New product",
    search: "Search products",
    about: "All products, the newest first.",
    empty: "No products yet",
    begin: "The first one takes a minute.",
    count: { one: "1 product", other: "{count} products" },
    many: "More than {most} products",
    editTitle: "Edit product",
    basics: "Basics",
    basicsHelp: "How people find and recognise the product.",
    facts: "Facts",
    factsHelp: "Lists are filtered and sorted by these values.",
    deleteTitle: "Delete “{title}”?",
    import: "Import products",
    created: "The product was created.",
    changed: "The product was changed.",
    deleted: "The product was deleted.",
    inUse: "The product is still in use.",
  },
});
