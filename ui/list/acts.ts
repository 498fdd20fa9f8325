/** Actions on the chosen rows of a list. */

import * as h from "../../html/mod.ts";
import type { Node } from "../../html/mod.ts";
import { bool, type Ctx, type Result, struct, text, texts } from "../../mod.ts";
import { help } from "../field.ts";
import { word } from "../labels.ts";
import { askPage, restoring } from "./ask.ts";
import { itemList, listItem } from "./details.ts";

/** Options of {@linkcode actOnRows}. */
export interface RowActs<Value extends string = never> {
  /** Formats a number of rows, such as "3 products". @default the number, in the question labels.selected */
  readonly rows?: (count: number) => string;
  /** Returns the names of existing rows for the question, or of `deleted` ones. @default they are counted */
  readonly names?: (
    ids: readonly number[],
    state: { readonly deleted: boolean },
  ) => Promise<readonly string[]>;
  /** Deletes rows; returns `undefined` if others depend on one of them, so that none was deleted. */
  readonly remove: (ids: readonly number[]) => Promise<number | undefined>;
  /** Sets the field whose values are views of the list. @default none is set */
  readonly set?: {
    /** The name of the filter. */
    readonly name: string;
    /** The values of the field. */
    readonly values: readonly Value[];
    /** Changes rows; returns how many. */
    readonly run: (ids: readonly number[], value: Value) => Promise<number>;
  };
  /** Undoes deletions; returns `undefined` if a unique value is taken. @default rows are deleted permanently */
  readonly restore?: (ids: readonly number[]) => Promise<number | undefined>;
  /** Permanently deletes rows deleted before, with results as of `remove`. @default none */
  readonly purge?: (ids: readonly number[]) => Promise<number | undefined>;
}

const Act = struct({ act: text("required,max=100"), id: texts("max=100"), sure: bool() });

/**
 * Handles the bar of {@linkcode listPage}: deletes the chosen rows after a question, undoes that, or sets their
 * field; then redirects to the list with a message.
 *
 * @param c The request, a post to the list.
 * @param acts The actions.
 * @returns The question, or a redirect.
 *
 * @example
 * ```ts
 * import type { Ctx, Result } from "@fw/fw";
 * import * as ui from "@fw/fw/ui";
 *
 * export async function POST(c: Ctx): Promise<Result> {
 *   return await ui.actOnRows(c, { remove: (ids) => Promise.resolve(ids.length) });
 * }
 * ```
 */
export async function actOnRows<const Value extends string = never>(
  c: Ctx,
  acts: RowActs<Value>,
): Promise<Result> {
  const { act, id, sure } = await c.bind(Act);
  const ids = id.map(Number).filter(Number.isSafeInteger);
  const { pathname, search } = c.url;
  if (ids.length === 0) return c.redirect(pathname + search);
  const { set, remove, restore, purge } = acts;
  if (!sure && (act === "delete" || act === "purge")) {
    const names = await acts.names?.(ids, { deleted: act === "purge" });
    const count = names?.length ?? ids.length;
    if (count === 0) return c.redirect(pathname + search);
    const rows = acts.rows?.(count) ?? say("selected", count);
    c.title = word("deleteMany").replace("{rows}", () => rows);
    const text = act === "delete" && restore !== undefined ? word("canRestore") : word("forGood");
    return askPage(c, {
      title: c.title,
      text,
      content: names && nameList(names),
      cancel: pathname + search,
      submit: act === "delete" ? `${word(act)} ${rows}` : word(act),
      fields: { act, id: ids, sure: "on" },
    });
  }
  const value = set?.values.find((each) => act === `${set.name}.${each}`);
  if (act === "delete" || act === "purge") {
    const gone = await (act === "delete" ? remove : purge)?.(ids);
    const undo = act === "delete" && restore !== undefined ? restoring(pathname, ids) : undefined;
    if (gone === undefined) c.flash("error", word("inUse"));
    else c.flash("success", say("deletedMany", gone, acts), undo);
  } else if (act === "restore" && restore !== undefined) {
    const back = await restore(ids);
    if (back === undefined) c.flash("error", word("taken"));
    else c.flash("success", say("restoredMany", back, acts));
  } else if (set !== undefined && value !== undefined) {
    c.flash("success", say("changedMany", await set.run(ids, value), acts));
  }
  return c.redirect(pathname + search);
}

const maxNames = 10;

function nameList(names: readonly string[]): Node {
  const left = names.length - maxNames;
  return itemList(
    names.slice(0, maxNames).map((name) => listItem(name, {})),
    left > 0 && h.li(help(say("andMore", left))),
  );
}

function say(
  name: "andMore" | "changedMany" | "deletedMany" | "restoredMany" | "selected",
  count: number,
  { rows = String }: { readonly rows?: (count: number) => string } = {},
): string {
  return word(name).replace("{count}", String(count)).replace("{rows}", () => rows(count));
}
