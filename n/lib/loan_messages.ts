import type { Ctx, Node } from "@fw/fw";
import { catalog } from "@fw/fw/i18n";
import * as ui from "@fw/fw/ui";

/** The labels of the fields. */
export const loanLabels = catalog({
  en: {
    name: "Name",
    status: "Status",
    price: "Price",
    stock: "Stock",
    released: "Released",
    eventId: "Event",
    notes: "Notes",
    photo: "Photo",
  },
});

/** The values of the fields that offer some. */
export const loanValues = catalog({
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
export function loanValue(c: Ctx, field: string, value: string | null): string {
  const key = valueKeys.find((each) => each === `${field}.${value}`);
  return key === undefined ? value ?? "" : c.t(loanValues, key);
}

/** The looks of values that say how far something is. */
export const loanLooks: Readonly<Record<string, readonly Node[]>> = {
  "status.draft": [ui.warning, ui.hollow],
  "status.active": [ui.success, ui.dot],
  "status.archived": [ui.hollow],
};

/** Renders a value as a badge. */
export function loanBadge(c: Ctx, field: string, value: string): Node {
  return ui.badge(...loanLooks[`${field}.${value}`] ?? [], loanValue(c, field, value));
}

/** The texts of the pages. */
export const loanMessages = catalog({
  en: {
    title: "Loans",
    row: "Loan",
    new: "New loan",
    search: "Search loans",
    about: "All loans, the newest first.",
    empty: "No loans yet",
    begin: "The first one takes a minute.",
    count: { one: "1 loan", other: "{count} loans" },
    many: "More than {most} loans",
    editTitle: "Edit loan",
    basics: "Basics",
    basicsHelp: "How people find and recognise the loan.",
    facts: "Facts",
    factsHelp: "Lists are filtered and sorted by these values.",
    files: "Files",
    filesHelp: "Pictures and documents of the loan.",
    deleteTitle: "Delete “{title}”?",
    import: "Import loans",
    created: "The loan was created.",
    changed: "The loan was changed.",
    deleted: "The loan was deleted.",
    inUse: "The loan is still in use.",
  },
});
