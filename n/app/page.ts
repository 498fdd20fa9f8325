import { type Ctx, type Node, use } from "@fw/fw";
import { catalog } from "@fw/fw/i18n";
import * as ui from "@fw/fw/ui";
import { eventMessages } from "@/lib/event_messages.ts";
import { Events } from "@/lib/events.ts";
import { eventColumns } from "@/views/event_columns.ts";
import {
  productLabels,
  productLooks,
  productMessages,
  productValue,
} from "@/lib/product_messages.ts";
import { Products } from "@/lib/products.ts";
import { productColumns } from "@/views/product_columns.ts";
import { loanLabels, loanLooks, loanMessages, loanValue } from "@/lib/loan_messages.ts";
import { Loans } from "@/lib/loans.ts";
import { loanColumns } from "@/views/loan_columns.ts";

/** The texts of the page. */
const messages = catalog({
  en: {
    title: "Overview",
  },
});

/** GET / */
export async function Page(c: Ctx): Promise<Node> {
  c.title = c.t(messages, "title");
  const found = await Promise.all(sources.map((source) => source(c)));
  const parts = found.filter((source) => source !== undefined);
  return ui.overviewPage(c, c.title, parts);
}

async function eventSource(c: Ctx): Promise<ui.OverviewPart | undefined> {
  const store = use(c, Events);
  const title = c.t(eventMessages, "title");
  return {
    title,
    href: c.href("/events"),
    create: [c.href("/events/new"), c.t(eventMessages, "new")],
    growth: await store.growth({}),
    newest: ui.newestRows(title, (await store.list({}, 5)).rows, eventColumns(c)),
  };
}

async function productSource(c: Ctx): Promise<ui.OverviewPart | undefined> {
  const store = use(c, Products);
  const title = c.t(productMessages, "title");
  return {
    title,
    href: c.href("/products"),
    create: [c.href("/products/new"), c.t(productMessages, "new")],
    growth: await store.growth({
      share: "status",
      sum: "price",
    }),
    newest: ui.newestRows(title, (await store.list({}, 5)).rows, productColumns(c)),
    share: {
      label: c.t(productLabels, "status"),
      parts: ["draft", "active", "archived"].map((value) => ({
        value,
        label: productValue(c, "status", value),
        tone: productLooks[`status.${value}`],
      })),
    },
    sum: { label: c.t(productLabels, "price"), currency: "EUR" },
  };
}

async function loanSource(c: Ctx): Promise<ui.OverviewPart | undefined> {
  const store = use(c, Loans);
  const title = c.t(loanMessages, "title");
  return {
    title,
    href: c.href("/loans"),
    create: [c.href("/loans/new"), c.t(loanMessages, "new")],
    growth: await store.growth({
      share: "status",
      sum: "price",
    }),
    newest: ui.newestRows(title, (await store.list({}, 5)).rows, loanColumns(c)),
    share: {
      label: c.t(loanLabels, "status"),
      parts: ["draft", "active", "archived"].map((value) => ({
        value,
        label: loanValue(c, "status", value),
        tone: loanLooks[`status.${value}`],
      })),
    },
    sum: { label: c.t(loanLabels, "price"), currency: "EUR" },
  };
}

/** What the page counts; `generate resource` adds to it. */
const sources: readonly ((c: Ctx) => Promise<ui.OverviewPart | undefined>)[] = [
  eventSource,
  productSource,
  loanSource,
];
