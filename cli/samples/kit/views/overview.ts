import { type Ctx, type Node, use } from "@fw/fw";
import * as h from "@fw/fw/h";
import { catalog } from "@fw/fw/i18n";
import * as ui from "@fw/fw/ui";
import { bookLoanFields, bookLoanLabels, bookLoanMessages } from "../lib/book_loan_messages.ts";
import { BookLoans, bookLoanTitle } from "../lib/book_loans.ts";
import { sessions } from "../lib/sessions.ts";
import { bookLoanColumns } from "../views/book_loan_columns.ts";

/** The texts of the page. */
const messages = catalog({
  en: {
    title: "Overview",
    // if guard
    nothing: "Sign in to see the overview",
    // if accounts:
    signIn: "Sign in",
    // end
    // if role:
    denied: "Nothing here is for your role",
  },
  pt: {
    title: "Resumo",
    // if guard
    nothing: "Entre para ver o resumo",
    // if accounts:
    signIn: "Entrar",
    // end
    // if role:
    denied: "Nada aqui é para o seu papel",
  },
});

/** GET / */
export async function Page(c: Ctx): Promise<Node> {
  c.title = c.t(messages, "title");
  const found = await Promise.all(sources.map((source) => source(c)));
  const parts = found.filter((source) => source !== undefined);
  // if guard
  const user = c.isExport ? undefined : await sessions.user(c);
  if (parts.length === 0) {
    return h.fragment(
      ui.pageHeader(c.title),
      ui.emptyState(
        c.t(messages, /* if role */ user ? "denied" : /* end */ "nothing"),
        ui.icon("user"),
        // if accounts:
        !user && !c.isExport && ui.buttonLink(c.href("/login"), c.t(messages, "signIn")),
      ),
    );
  }
  // end
  return ui.overviewPage(
    c,
    /* if guard */ user ? ui.greeting(c, user.name) : /* end */ c.title,
    parts,
  );
}

async function bookLoanSource(c: Ctx): Promise<ui.OverviewPart | undefined> {
  // if signed:
  const user = c.isExport ? undefined : await sessions.user(c);
  // if guard
  // Others see none of these rows.
  if (!user /* if role */?.roles.includes("clerk") /* end */) return undefined;
  // end
  // if writer:
  const isWriter = user?.roles.includes("librarian") === true;
  const store = use(c, BookLoans);
  const title = c.t(bookLoanMessages, "title");
  // if audit:
  const changes = /* if hidden */ !isWriter ? [] : /* end */ await store.newestChanges(5);
  return {
    title,
    href: c.href("/book-loans"),
    // if writer:
    isReadOnly: !isWriter,
    create: [c.href("/book-loans/new"), c.t(bookLoanMessages, "new")],
    growth: await store.growth({
      // each view
      share: "genre",
      // end
      // each sum
      sum: "fee",
      // end
    }),
    // if audit
    activity: changes.map(({ row, ...change }) => ({
      ...change,
      title: bookLoanTitle(row),
      href: c.href("/book-loans/{id}", { id: row.id }),
    })),
    // end
    newest: ui.newestRows(title, (await store.list({}, 5)).rows, bookLoanColumns(c)),
    // each view
    share: {
      label: c.t(bookLoanLabels, "genre"),
      parts: ui.fieldFilter(bookLoanFields(c), "genre").choices,
    },
    // end
    // each sum
    sum: { label: c.t(bookLoanLabels, "fee"), currency: "EUR" },
    // end
  };
}

/** The sources of the page; `generate resource` adds to them. */
const sources: readonly ((c: Ctx) => Promise<ui.OverviewPart | undefined>)[] = [
  bookLoanSource,
];
