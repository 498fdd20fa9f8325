import { type Ctx, use } from "@fw/fw";
import { catalog } from "@fw/fw/i18n";
import { navCount, type NavItem } from "@fw/fw/ui";
import { eventMessages } from "@/lib/event_messages.ts";
import { Events } from "@/lib/events.ts";
import { productMessages } from "@/lib/product_messages.ts";
import { Products } from "@/lib/products.ts";
import { loanMessages } from "@/lib/loan_messages.ts";
import { Loans } from "@/lib/loans.ts";

/** The texts of the navigation. */
const messages = catalog({
  en: {
    home: "Overview",
  },
});

/** The entries of the side bar; `generate` adds to them. */
export async function nav(c: Ctx): Promise<NavItem[]> {
  return [
    { label: c.t(messages, "home"), href: c.href("/"), icon: "home" },
    {
      label: c.t(eventMessages, "title"),
      href: c.href("/events"),
      icon: "box",
      count: await navCount(c, () => use(c, Events).cappedCount()),
    },
    {
      label: c.t(productMessages, "title"),
      href: c.href("/products"),
      icon: "box",
      count: await navCount(c, () => use(c, Products).cappedCount()),
    },
    {
      label: c.t(loanMessages, "title"),
      href: c.href("/loans"),
      icon: "box",
      count: await navCount(c, () => use(c, Loans).cappedCount()),
    },
  ];
}
