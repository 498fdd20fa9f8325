import { type Ctx, use } from "@fw/fw";
import { catalog } from "@fw/fw/i18n";
import { navCount, type NavItem } from "@fw/fw/ui";
import { bookLoanMessages } from "../lib/book_loan_messages.ts";
import { BookLoans } from "../lib/book_loans.ts";
import { sessions } from "../lib/sessions.ts";

/** The texts of the navigation. */
const messages = catalog({
  en: {
    home: "Overview",
  },
  pt: {
    home: "Resumo",
  },
});

/** The entries of the side bar; `generate` adds to them. */
export async function nav(c: Ctx): Promise<NavItem[]> {
  return [
    { label: c.t(messages, "home"), href: c.href("/"), icon: "home" },
    // insert entry
    {
      label: c.t(bookLoanMessages, "title"),
      href: c.href("/reset"),
      icon: "book",
      // if count:
      count: await navCount(c, () => use(c, BookLoans).cappedCount()),
    },
    // end
    // insert held
    ...!c.isExport && (await sessions.user(c).catch(() => undefined))?.roles.includes("clerk")
      ? [{
        label: c.t(bookLoanMessages, "title"),
        href: c.href("/book-loans"),
        icon: "book" as const,
        // if count:
        count: await navCount(c, () => use(c, BookLoans).cappedCount()),
      }]
      : [],
    // end
  ];
}
