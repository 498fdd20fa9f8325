/** Attributes and fields that change how a form is sent. */
import * as h from "../../html/mod.ts";
import type { Node } from "../../html/mod.ts";

/** The methods that {@linkcode method} sends. */
export type FormMethod = "PUT" | "PATCH" | "DELETE";

const formMethods: ReadonlySet<string> = new Set<FormMethod>(["PUT", "PATCH", "DELETE"]);

/**
 * Makes a form with {@linkcode swap}, or one of its buttons, use another method. HTML does not support it,
 * so without the script the form is posted: use the same handler for both.
 *
 * @param name The method.
 * @returns An attribute of a `form` with `h.method("post")`, or of one of its buttons.
 * @throws {TypeError} for any other method.
 *
 * @example
 * ```ts
 * import type { Ctx, Result } from "@fw/fw";
 * import { csrfInput } from "@fw/fw";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * export const Page = (c: Ctx) =>
 *   h.div(
 *     h.id("talk"),
 *     h.form(
 *       h.method("post"),
 *       ui.method("DELETE"),
 *       ui.swap("talk"),
 *       csrfInput(c),
 *       ui.submit("Delete"),
 *     ),
 *   );
 *
 * export function DELETE(c: Ctx): Result {
 *   return c.redirect(c.href("/talks"));
 * }
 *
 * export const POST = DELETE;
 * ```
 */
export function method(name: FormMethod): Node {
  if (formMethods.has(name)) return h.data("ui-method", name);
  throw new TypeError(`Cannot write ui.method("${name}"): use ${[...formMethods].join(", ")}.`);
}

/**
 * Renders hidden fields, which a form sends in addition to its visible ones.
 *
 * @param values The fields by name; an array renders one field per value, `undefined` none.
 * @returns `input` elements for a form.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * assertEquals(
 *   h.render(h.form(ui.values({ day: ["mon", "tue"] }))),
 *   '<form><input type="hidden" name="day" value="mon"><input type="hidden" name="day" value="tue"></form>',
 * );
 * ```
 */
export function values(
  values: Readonly<Record<string, FieldValue | readonly FieldValue[] | undefined>>,
): Node {
  return h.fragment(
    Object.entries(values).flatMap(([name, value]) =>
      [value].flat().filter((each) => each !== undefined).map((each) =>
        h.input(h.type("hidden"), h.name(name), h.value(String(each)))
      )
    ),
  );
}

/** A value of {@linkcode values}. */
export type FieldValue = string | number | boolean;

/** Options of {@linkcode submitOn}. */
export interface SubmitOnOptions {
  /** Time without a change before the form is sent, in milliseconds. @default 250 for `input`, 0 for `change` */
  readonly delayMs?: number;
}

/**
 * Submits a form when the user types in a field (`input`) or has changed it (`change`), for example
 * for a search while typing or a select that filters a list. It is for `get` forms, usually with
 * {@linkcode swap} and {@linkcode replaceUrl}; an invalid form is not sent. Without a script the
 * form's own button sends it.
 *
 * @param event The event of the fields that sends the form.
 * @returns An attribute of the form, of one of its controls, or of an element around some of them.
 * @throws {TypeError} for any other event, and for an invalid delay.
 *
 * @example
 * ```ts
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * const form = h.form(
 *   h.action("/events"),
 *   ui.swap("list"),
 *   ui.replaceUrl(),
 *   ui.submitOn("input"),
 *   ui.field("q", "Search", ui.input(h.name("q"), h.type("search"))),
 *   ui.submit("Find"),
 * );
 * h.render(form);
 * ```
 */
export function submitOn(event: "input" | "change", options: SubmitOnOptions = {}): Node {
  if (event !== "input" && event !== "change") {
    throw new TypeError(`Cannot write ui.submitOn("${event}"): use "input" or "change".`);
  }
  const { delayMs = event === "input" ? 250 : 0 } = options;
  if (!Number.isFinite(delayMs) || delayMs < 0) {
    throw new TypeError(
      `Cannot write ui.submitOn with delayMs ${delayMs}: use milliseconds from 0.`,
    );
  }
  return h.data("ui-submit-on", `${event} ${delayMs}`);
}
