/** The rows of a list in a form: their buttons, and the places of what was sent. */

import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";
import { rowButton } from "../../runtime/addon.ts";
import { submit } from "../button.ts";
import { swap } from "../fragment/fragments.ts";
import { row as flow } from "../frame.ts";
import { icon } from "../icon/icon.ts";
import { word } from "../labels.ts";
import { ghost, square } from "../variants.ts";
import { isSent } from "./values.ts";

const moves = [[".up", "moveUp", "arrow-up"], [".down", "moveDown", "arrow-down"]] as const;
const removal = ["", "removeRow", "trash"] as const;

/** Returns the number whose texts each row shows after a button of a row was pressed, and the button with the focus. */
export function moveRow(
  pressed: string | undefined,
  name: string,
  { sent, shown }: { readonly sent: readonly number[]; readonly shown: readonly number[] },
): {
  readonly from: readonly number[];
  readonly to?: number;
  /** The end of the button's value. */
  readonly end?: string;
} {
  const own = pressed?.startsWith(`${name}.`) === true ? pressed.slice(name.length + 1) : "";
  const [, number, end = ""] = /^(\d+)(\.up|\.down)?$/.exec(own) ?? [];
  const at = sent.indexOf(Number(number));
  if (end === "") return { from: [], to: Math.min(at, shown.length - 1), end };
  const to = at + (end === ".up" ? -1 : 1);
  const [moved, other] = [shown[at], shown[to]];
  if (moved === undefined || other === undefined) return { from: [] };
  // The first and the last row cannot go further.
  const isEdge = to === (end === ".up" ? 0 : shown.length - 1);
  return {
    from: shown.with(at, other).with(to, moved),
    to,
    end: isEdge ? (end === ".up" ? ".down" : ".up") : end,
  };
}

export function rowButtons({ value, swapped, at, last, focused, isMovable }: {
  /** The list and the number of the row. */
  readonly value: string;
  /** The id of the list. */
  readonly swapped: string;
  readonly at: number;
  readonly last: number;
  /** The end of the button that has the focus. @default none */
  readonly focused: string | undefined;
  readonly isMovable: boolean;
}): Node {
  const buttons = [...isMovable && last > 0 ? moves : [], removal];
  return flow(buttons.map(([end, label, sign]) =>
    rowSubmit(
      value + end,
      swap(swapped),
      h.aria("label", word(label).replace("{row}", String(at + 1))),
      h.disabled(at === (end === ".up" ? 0 : end === ".down" ? last : -1)),
      end === focused && h.autofocus(),
      ghost,
      square,
      icon(sign),
    )
  ));
}

/** Renders a button that sends the form to add, move or remove a row, whatever its fields contain. */
export function rowSubmit(value: string, ...children: readonly Child[]): Node {
  return submit(h.name(rowButton), h.value(value), h.formnovalidate(), ...children);
}

/**
 * Returns the index of each submitted row in the value that was read, which lacks the empty ones. The messages of an
 * accepted form, such as those of the database, name a row by it; others by the submitted number.
 */
export function filledRows(
  values: unknown,
  name: string,
  numbers: readonly number[],
): ReadonlyMap<number, number> {
  if (!isSent(values) || values.ok !== true) return new Map();
  const isFilled = (number: number): boolean =>
    [...values.names?.() ?? []].some((sent) =>
      sent.startsWith(`${name}.${number}.`) && values.texts(sent).some((text) => text !== "")
    );
  return new Map(numbers.filter(isFilled).map((number, index) => [number, index]));
}
