/** Actions on the rows that were chosen in a list. */

import * as h from "../../html/mod.ts";
import type { Node } from "../../html/mod.ts";
import { bool, type Ctx, type Result, struct, text, texts } from "../../mod.ts";
import { help } from "../field.ts";
import { word } from "../labels.ts";
import { askPage, restoring } from "./ask.ts";
import { itemList, listItem } from "./details.ts";

/** Options of {@linkcode actOnRows}. */
export interface RowActs<Value extends string = never> {
  /** Writes a number of rows, such as "3 products". @default the number, in the question labels.selected */
  readonly rows?: (count: number) => string;
  /** Names the rows that exist, for the question; `deleted` ones where it is about those. @default they are counted */
  readonly names?: (
    ids: readonly number[],
    state: { readonly deleted: boolean },
  ) => Promise<readonly string[]>;
  /** Deletes rows; `undefined` where others need one of them, and none was deleted. */
  readonly remove: (ids: readonly number[]) => Promise<number | undefined>;
  /** Sets the choice whose values are views of the list. @default nothing is set */
  readonly set?: {
    /** The name of the filter. */
    readonly name: string;
    /** Its values. */
    readonly values: readonly Value[];
    /** Changes rows; returns how many. */
    readonly run: (ids: readonly number[], value: Value) => Promise<number>;
  };
  /** Takes deletions back; `undefined` where a unique value is taken. @default rows are deleted for good */
  readonly restore?: (ids: readonly number[]) => Promise<number | undefined>;
  /** Deletes rows for good that were deleted before, like `remove`. @default nothing */
  readonly purge?: (ids: readonly number[]) => Promise<number | undefined>;
}

const Act = struct({ act: text("required,max=100"), id: texts("max=100"), sure: bool() });

/**
 * Does what the bar of {@linkcode listPage} asks for: deletes the chosen rows after a question, takes that back, or
 * sets their choice; then goes back to the list with a message.
 *
 * @param c The request, a post to the list.
 * @param acts What is done.
 * @returns The question, or a redirection.
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
      cancel: pathname,
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

/** The most names that a question lists. */
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
