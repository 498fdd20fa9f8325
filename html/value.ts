/** Converts values of any type to the text of an attribute. */

import { escape, safeUrl, safeUrlList } from "./escape.ts";
import { type Built, type Child, childHtml, describe, isBuilt, rawName } from "./node.ts";
import type { AttributeName } from "./names.ts";

/**
 * An attribute's value. `null`, `undefined` and `false` leave the attribute out, `true` writes its
 * name alone; `aria-*`, `data-*` and the enumerated attributes (`draggable`, `contenteditable`, …)
 * write `true` and `false` as words. A node made by `raw` is trusted: its text is escaped for the
 * quotes, but its URL is not checked, and it is accepted as an event handler.
 */
export type AttributeValue = string | number | bigint | boolean | URL | Child;

/** A class list: empty and ignored values are skipped. */
export type ClassValue = string | false | null | undefined | readonly ClassValue[];

/**
 * Returns the text of one attribute with its leading space; empty if the value omits it.
 *
 * @throws {TypeError} When the value has no text form, or is code not made by `raw`.
 */
export function attributeHtml(info: AttributeName, value: unknown): string {
  switch (info.rule) {
    case "text":
    case "enumerated":
      if (typeof value === "number") return info.open + value + '"';
      return typeof value === "string" ? info.open + escape(value) + '"' : otherHtml(info, value);
    case "url":
      return typeof value === "string"
        ? info.open + escape(safeUrl(value)) + '"'
        : otherHtml(info, value);
    case "class": {
      const classes = escape(classText(value));
      return classes === "" ? "" : info.open + classes + '"';
    }
    case "boolean":
      return value ? " " + info.written : "";
    default:
      return otherHtml(info, value);
  }
}

function otherHtml(info: AttributeName, value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") {
    if (info.rule === "enumerated") return info.open + value + '"';
    if (value && info.rule !== "event" && info.rule !== "srcdoc") return " " + info.written;
    if (!value) return "";
  }
  if (info.rule === "srcdoc") return info.open + escape(childHtml(value)) + '"';
  if (isRaw(value)) return info.open + escape(value.html) + '"';
  if (info.rule === "event") throw notVouchedFor(info);
  return info.open + escape(checkedText(info, valueText(info, value))) + '"';
}

function checkedText(info: AttributeName, text: string): string {
  if (info.rule === "url") return safeUrl(text);
  return info.rule === "urlList" ? safeUrlList(text) : text;
}

function valueText(info: AttributeName, value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  if (value instanceof URL) return value.href;
  throw new TypeError(
    `Cannot write the attribute "${info.written}": its value is of type ${describe(value)}; ` +
      "pass a string, a number, a boolean, a URL or undefined.",
  );
}

/** Reports whether a value was made by `raw` and is therefore trusted. */
export function isRaw(value: unknown): value is Built {
  return typeof value === "object" && value !== null && isBuilt(value) && value.name === rawName;
}

function notVouchedFor(info: AttributeName): TypeError {
  return new TypeError(
    `Cannot write the attribute "${info.written}": its value is JavaScript; add the listener in a ` +
      "script file, or pass h.raw(code) when no part of the code comes from data.",
  );
}

/**
 * Returns the class list as text.
 *
 * @throws {TypeError} When a value is not text, an ignored value or an array of these.
 */
export function classText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined || value === false) return "";
  if (!Array.isArray(value)) {
    throw new TypeError(
      `Cannot write the attribute "class": a value is of type ${describe(value)}; ` +
        "pass strings, or false and undefined for none.",
    );
  }
  let classes = "";
  for (const item of value) {
    const text = classText(item);
    if (text !== "") classes += classes === "" ? text : " " + text;
  }
  return classes;
}
