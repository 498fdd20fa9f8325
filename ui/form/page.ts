/** The page of a form: its heading, and a foot that stays visible. */

import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";
import type { Ctx, StructSchema } from "../../mod.ts";
import { readFormFields } from "../../runtime/addon.ts";
import { buttonLink, submit } from "../button.ts";
import { alert } from "../display.ts";
import { pageHeader } from "../frame.ts";
import { word } from "../labels.ts";
import { filled, type RowChange } from "../list/history.ts";
import { hrefWith } from "../list/query.ts";
import { noteStep } from "../shell.ts";
import { time } from "../time.ts";
import { outline, warning } from "../variants.ts";
import { type AnyOptions, fieldLabel } from "./fields.ts";
import { form } from "./form.ts";
import type { FormOptions } from "./options.ts";
import { formFooter } from "./section.ts";
import { isSent, pressedRow } from "./values.ts";

/** Options of {@linkcode formPage}. */
export interface FormPageOptions<T, File extends string = never>
  extends Omit<FormOptions<T, File>, "submit"> {
  /** The heading. */
  readonly title: string;
  /** The sentence below it. @default labels.needed */
  readonly text?: Child;
  /** Content above the form. @default none */
  readonly before?: Child;
  /** The URL of the Cancel link. */
  readonly cancel: string;
  /** The name of the edited row, whose page is `cancel`; becomes a step of the breadcrumb. @default none */
  readonly of?: string | undefined;
  /**
   * The version of the edited row, as returned by `rowTag` of `@fw/fw/data`. It is sent in the form's `action`: pass no
   * other one. @default no check
   */
  readonly tag?: string | undefined;
  /** The row's changes, newest first, to name the author of a conflicting change. @default no author is named */
  readonly changes?: readonly RowChange[] | undefined;
  /** The text of the button. @default labels.save */
  readonly submit?: string;
  /** Buttons between Cancel and the save button. @default none */
  readonly more?: Child;
}

/**
 * Renders the page of a form with Cancel and the save button in a foot that stays visible. With submitted `values`
 * it responds with 422. With a `tag` the form sends the version that it shows, for {@linkcode isShown}: after a
 * conflicting change it reports this with a 409, and its button overwrites that change. If a form that was shown
 * with a `tag` comes back without one, its row was deleted: it also gets a 409, and its `action` should add a row.
 *
 * @param c The request.
 * @param schema The `struct` that `bind` reads the form with.
 * @param options Heading, URL of the list or row, and the options of {@linkcode form}.
 * @param children Attributes of the form, such as {@linkcode swap}.
 * @returns The content of the page.
 *
 * @example
 * ```ts
 * import { type Ctx, struct, text } from "@fw/fw";
 * import { testPage } from "@fw/fw/testing";
 * import * as ui from "@fw/fw/ui";
 *
 * const NewEvent = struct({ title: text("required,max=80") });
 * const page = (c: Ctx) => ui.formPage(c, NewEvent, { title: "New event", cancel: "/events" });
 * await testPage({ page }, "/events/new").wantContains("Cancel</a>");
 * ```
 */
export function formPage<T, File extends string = never>(
  c: Ctx,
  schema: StructSchema<T>,
  options: FormPageOptions<T, File>,
  ...children: Child[]
): Node {
  const { title, text = word("needed"), before, cancel, of, more, tag, ...rest } = options;
  const { submit: save = word("save") } = options;
  // Texts of the query fill a new form.
  const isBack = isSent(options.values) && !/^(?:GET|HEAD)$/.test(c.method);
  const isRow = pressedRow(options.values) !== undefined;
  const isStale = isBack && !isRow && tag !== undefined && !isShown(c, tag);
  const isGone = isBack && tag === undefined && c.query("shown") !== undefined;
  if (isBack) c.status(isStale || isGone ? 409 : 422);
  // A form that comes back for a row still shows the version that it was made of.
  const shown = isRow ? c.query("shown") ?? tag : tag;
  if (of !== undefined) noteStep(c, { text: of, href: cancel });
  return h.fragment(
    pageHeader(title, h.p(text)),
    before,
    isStale && newerVersion(c, schema, options),
    isGone && alert(word("gone"), warning, h.role("alert"), h.p(word("goneKept"))),
    form(
      c,
      schema,
      { ...rest, submit: false },
      formFooter(buttonLink(cancel, outline, word("cancel")), more, submit(save)),
      tag !== undefined && h.action(hrefWith(c, { shown, at: c.query("at") }, "")),
      ...children,
    ),
  );
}

/**
 * Reports whether a form was sent from the current version of its row, to prevent lost updates. Call it while no
 * other request can change the row, in `locked` of a `TableStore`.
 *
 * @param c The request.
 * @param tag The current version, as returned by `rowTag` of `@fw/fw/data`.
 * @returns `false` if the form showed another version; `true` if the request names no version.
 * @example
 * ```ts
 * import type { Ctx } from "@fw/fw";
 * import { testPage } from "@fw/fw/testing";
 * import * as ui from "@fw/fw/ui";
 *
 * const page = (c: Ctx) => ui.alert(ui.isShown(c, "v2") ? "Saved" : "Changed in the meantime");
 * await testPage({ page }, "/events/1/edit?shown=v1").wantContains("Changed");
 * ```
 */
export function isShown(c: Ctx, tag: string): boolean {
  const shown = c.query("shown");
  return shown === undefined || shown === tag;
}

/** Renders the alert of a form with an outdated version of its row: who changed it, and when. */
function newerVersion<T>(
  c: Ctx,
  schema: StructSchema<T>,
  options: Pick<FormPageOptions<T>, "cancel" | "changes" | "labels" | "texts">,
): Node {
  const { cancel, changes } = options;
  const last = changes?.find(({ act }) => act === "changed");
  const known = new Set<string>(readFormFields(schema).map(({ path }) => path));
  const names = new Set(last?.fields.map(({ name }) => name.replace(/\..*/, "")));
  const labels = [...names].filter((name) => known.has(name))
    .map((name) => fieldLabel(name, options as unknown as AnyOptions));
  return alert(
    word("stale"),
    warning,
    h.role("alert"),
    last && last.by !== null && labels.length > 0 && h.p(filled("staleBy", {
      who: h.strong(last.by),
      what: new Intl.ListFormat([c.language, "en"]).format(labels),
      when: time(c, last.at, { relative: true }),
    })),
    h.p(word("staleKept")),
    h.p(h.a(h.href(cancel), h.target("_blank"), word("staleShow"))),
  );
}
