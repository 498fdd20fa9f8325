/** The history of a row, in sentences. */

import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";
import type { Ctx } from "../../mod.ts";
import { cutText, type FormFieldFacts, readFormFields } from "../../runtime/addon.ts";
import { formatOf } from "../../runtime/i18n/mod.ts";
import { card, cardHeader } from "../display.ts";
import { word } from "../labels.ts";
import { amount, time } from "../time.ts";
import { destructive, info, success } from "../variants.ts";
import type { Labels } from "../words.ts";
import { timeline } from "./details.ts";
import { isPassword } from "../form/control.ts";
import type { ChoiceKey, FieldName, FieldTexts } from "../form/field_texts.ts";

/** A change of a row, as returned by `changes` of a `TableStore`. */
export interface RowChange {
  /** The time. */
  readonly at: Date;
  /** The author; `null` if unknown. */
  readonly by: string | null;
  /** The kind of change. */
  readonly act: "added" | "changed" | "deleted" | "restored";
  /** The fields that changed, with their values before and after. */
  readonly fields: readonly {
    readonly name: string;
    readonly from: string | null;
    readonly to: string | null;
  }[];
}

/** Options of {@linkcode history}. */
export interface HistoryOptions<T> extends FieldTexts<T> {
  /** The changes, newest first. */
  readonly changes: readonly RowChange[];
}

/** The labels of the kinds of changes, with an author and without one. */
const acts = {
  added: { by: "historyAdded", alone: "actAdded", icon: "plus", tone: info },
  changed: { by: "historyChanged", alone: "actChanged", icon: "edit", tone: undefined },
  deleted: { by: "historyDeleted", alone: "actDeleted", icon: "trash", tone: destructive },
  restored: { by: "historyRestored", alone: "actRestored", icon: "check", tone: success },
} as const;

/**
 * Renders a card with the history of a row: who changed which field, from which value to which, and when.
 *
 * @param c The request, for language and zone.
 * @param options The changes, and the labels of fields and values.
 * @returns A card, or nothing without changes.
 *
 * @example
 * ```ts
 * import type { Ctx, Node } from "@fw/fw";
 * import { struct, text } from "@fw/fw";
 * import * as ui from "@fw/fw/ui";
 *
 * const Product = struct({ name: text("required") });
 *
 * export function activity(c: Ctx, changes: readonly ui.RowChange[]): Node {
 *   return ui.history(c, { changes, schema: Product, label: () => "Name" });
 * }
 * ```
 */
export function history<T>(c: Ctx, options: HistoryOptions<T>): Node {
  const { changes, schema, label, value } = options;
  if (changes.length === 0) return h.fragment();
  const own = readFormFields(schema);
  const facts = new Map(
    [...own, ...own.flatMap((each) => each.fields)].map((each) => [each.path, each]),
  );
  const shown = (name: string, text: string | null): Node => {
    if (text === null || text === "") return h.fragment("–");
    const own = facts.get(name);
    if (own !== undefined && isPassword(own)) return h.fragment("••••");
    const isChosen = own?.oneOf.includes(text) === true && !name.includes(".");
    return h.fragment(
      isChosen && value ? value(`${name}.${text}` as ChoiceKey<T>) : written(c, own, text),
    );
  };
  const events = changes.map(({ at, by, act, fields }) => {
    const { by: sentence, alone, icon, tone } = acts[act];
    // A field removed from the form has no label.
    const known = fields.filter(({ name }) => facts.has(name));
    const labels = known.map(({ name }) => label(name as FieldName<T>));
    const phrases = known.map(({ name, from, to }, index) =>
      filled("historyField", {
        field: labels[index],
        from: shown(name, from),
        to: h.strong(shown(name, to)),
      })
    );
    // A sentence contains one short change; several are listed below it.
    const isShort = known.length === 1 &&
      known.every(({ from, to }) => `${from ?? ""}${to ?? ""}`.length <= maxSentenceChars);
    // Several child rows may have changed.
    const named = [...new Set(labels)];
    const what = isShort ? phrases : new Intl.ListFormat([c.language, "en"]).format(named);
    return {
      text: by === null
        ? unsigned(alone, known.length === 0 ? undefined : what)
        : filled(sentence, { who: h.strong(by), what }),
      at: time(c, at, { relative: true }),
      icon,
      tone,
      ...known.length > 0 && !isShort
        ? { more: h.map(phrases, (phrase) => h.div(h.class("ui-muted"), phrase)) }
        : {},
    };
  });
  return card(cardHeader(h.h2(word("history"))), timeline(events));
}

/** Returns who added a row and when it last changed, as far as its changes show. */
export function origin(c: Ctx, changes: readonly RowChange[]): readonly Node[] {
  const when = ({ at }: RowChange): Node => time(c, at, { relative: true });
  const first = changes.findLast(({ act }) => act === "added");
  const last = changes.find(({ act }) => act === "changed");
  const added = first?.by === null ? "addedAt" : "addedBy";
  return [
    ...first ? [filled(added, { who: first.by, when: when(first) })] : [],
    ...last ? [filled("lastChanged", { when: when(last) })] : [],
  ];
}

/** A change of a row with the name and the URL of its page. */
export interface Activity extends Pick<RowChange, "at" | "by" | "act"> {
  /** The name of the row. */
  readonly title: string;
  /** The URL of its page. */
  readonly href: string;
}

/** Renders a card with the history of rows of several tables, newest first. */
export function activityCard(c: Ctx, activity: readonly Activity[]): Node {
  const events = activity.map(({ at, by, act, title, href }) => {
    const { alone, icon, tone } = acts[act];
    const what = h.a(h.href(href), title);
    const text = by === null
      ? unsigned(alone, what)
      : filled(`${act}One`, { who: h.strong(by), what });
    return { text, at: time(c, at, { relative: true }), icon, tone };
  });
  return card(cardHeader(h.h2(word("history"))), timeline(events));
}

/** Returns the entry of a change whose author is unknown. */
function unsigned(alone: keyof Labels, what: Child): Node {
  return h.fragment(word(alone), what !== undefined && [": ", what]);
}

const maxValueChars = 80;

const maxSentenceChars = 40;

export function written(c: Ctx, facts: FormFieldFacts | undefined, text: string): Child {
  const { number, date } = formatOf(c.language);
  const kind = facts?.kind ?? "text";
  const value = /^da(?:y|te)$/.test(kind) ? Date.parse(text) : Number(text);
  // A reference is recorded as the name of its row, and the field may have had another type.
  if (Number.isNaN(value) && /^(?:money|int|float|day|date)$/.test(kind)) return text;
  switch (kind) {
    case "money":
      return amount(c, value, facts?.currency ?? "EUR");
    case "int":
    case "float":
      // Without grouping, as in lists, because they may be years.
      return number(value, { useGrouping: false, maximumFractionDigits: 20 });
    case "int64":
      return text;
    case "bool":
      return word(/^(?:true|1)$/.test(text) ? "yes" : "no");
    case "day":
      return date(new Date(value), { dateStyle: "medium", timeZone: "UTC" });
    case "date":
      return time(c, new Date(value), { clock: true });
    default:
      // Quotation marks delimit a user's text.
      return `“${cutText(text, maxValueChars)}”`;
  }
}

/** Puts nodes into the placeholders of a label. */
export function filled(name: keyof Labels, parts: Readonly<Record<string, Child>>): Node {
  return h.fragment(
    ...word(name).split(/(\{\w+\})/)
      .map((part) => part.startsWith("{") ? parts[part.slice(1, -1)] : part),
  );
}
