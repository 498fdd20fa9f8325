/** Names of elements and attributes: the allowed ones, and the rule and type of each attribute's value. */

import type { Node } from "./node.ts";

export type AttributeRule =
  | ("text" | "url" | "urlList" | "class" | "boolean" | "enumerated")
  | ("event" | "srcdoc" | "dropped" | "nodes");

export interface AttributeName {
  /** The name as given: case matters in SVG. */
  readonly written: string;
  /** The name in lower case, for rules and duplicates. */
  readonly lower: string;
  /** Space, name, equals sign and quote, for example ` id="`. */
  readonly open: string;
  /** The same without the space. */
  readonly bare: string;
  readonly rule: AttributeRule;
}

/** The value of an attribute that is text; `undefined`, `null` and `false` leave it out. */
export type TextValue = string | number | URL | false | null | undefined;

/** The value of an attribute that is mostly a number; `undefined`, `null`, `false` leave it out. */
export type NumberValue = number | string | false | null | undefined;

/**
 * The value of an attribute that is a URL. One that would run code (`javascript:`, `vbscript:`,
 * `data:` other than a raster image, audio, video or font) becomes `about:invalid`, unless `raw`
 * made the value.
 */
export type UrlValue = string | URL | Node | false | null | undefined;

/** An attribute that is present or absent; without an argument it is present. */
export type BooleanAttribute = (condition?: unknown) => Node;

/** The value of an attribute that accepts `true` and `false` besides its keywords. */
export type SwitchValue = string | boolean | null;

/** An attribute whose value is text. */
export type TextAttribute = (value: TextValue) => Node;

/** An attribute whose value is mostly a number. */
export type NumberAttribute = (value: NumberValue) => Node;

/** An attribute whose value is a URL. */
export type UrlAttribute = (value: UrlValue) => Node;

/** An attribute that accepts `true` and `false` besides its keywords; without an argument it is `true`. */
export type SwitchAttribute = (value?: SwitchValue) => Node;

// Calls are marked as pure, so that a bundler drops the unused lists.
export const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(" "));

const urlNames: ReadonlySet<string> = /* @__PURE__ */ wordSet(
  "action archive background by cite classid codebase data dynsrc formaction from href icon " +
    "longdesc lowsrc manifest ping poster profile src to xlink:href xml:base",
);

const booleanNames: ReadonlySet<string> = /* @__PURE__ */ wordSet(
  "allowfullscreen alpha async autofocus autoplay checked controls default defer disabled " +
    "formnovalidate headingreset inert ismap itemscope loop multiple muted nomodule novalidate " +
    "open playsinline readonly required reversed selected shadowrootclonable " +
    "shadowrootcustomelementregistry shadowrootdelegatesfocus shadowrootserializable",
);

// For these, `true` and `false` are values and do not mean presence and absence.
const enumeratedNames: ReadonlySet<string> = /* @__PURE__ */ wordSet(
  "autocorrect contenteditable draggable spellcheck writingsuggestions",
);

// Names from other JSX libraries, which browsers ignore.
const realNames: ReadonlyMap<string, string> = /* @__PURE__ */ new Map(
  Object.entries({ className: "class", htmlFor: "for" }),
);

const voidNames: ReadonlySet<string> = /* @__PURE__ */ wordSet(
  "area base br col embed hr img input link meta param source track wbr",
);

// HTML's syntax excludes controls, space, quotes, `>`, `/` and `=`. `<` and the grave accent are
// excluded too: no real name has them, and old parsers misread them.
// deno-lint-ignore no-control-regex -- controls are what it refuses
const attributeName = /^[^\x00-\x20"'<>/=`\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]+$/;

const tagName = /^[A-Za-z][-.:_A-Za-z0-9\u00b7\u00c0-\ufdcf\ufdf0-\ufffd]*$/;

// Direct-mapped: a Map would intern every new name, which costs more than finding the rule.
const slots = 512;
const known: (AttributeName | undefined)[] = new Array(slots).fill(undefined);

/**
 * Returns the facts about an attribute's name, checked once and cached.
 *
 * @param findRule `ruleOf`, or `wordRule`.
 * @throws {TypeError} When the name could end the attribute or the tag, or is `className` or
 * `htmlFor`.
 */
export function attributeInfo(
  name: string,
  findRule: (name: string) => AttributeRule,
): AttributeName {
  const slot = slotOf(name);
  const found = known[slot];
  if (found !== undefined && found.written === name) return found;
  const info = readAttributeName(name, findRule);
  known[slot] = info;
  return info;
}

/** Returns the rule of `data-` and `aria-` names; needs no lists, so browser bundles omit them. */
export function wordRule(): AttributeRule {
  return "enumerated";
}

function slotOf(name: string): number {
  const length = name.length;
  return (length * 37 + name.charCodeAt(0) * 7 + name.charCodeAt(length - 1) * 3 +
    name.charCodeAt(length >> 1) * 11) & (slots - 1);
}

function readAttributeName(
  name: string,
  findRule: (name: string) => AttributeRule,
): AttributeName {
  if (typeof name !== "string" || !attributeName.test(name)) {
    throw new TypeError(
      `Cannot write the attribute ${JSON.stringify(name)}: a name has no space, quote, control ` +
        `character or any of < > / = \`; validate it first.`,
    );
  }
  const lower = name.toLowerCase();
  return { written: name, lower, open: ` ${name}="`, bare: `${name}="`, rule: findRule(name) };
}

export function ruleOf(name: string): AttributeRule {
  const real = realNames.get(name);
  if (real !== undefined) {
    throw new TypeError(
      `Cannot write the attribute "${name}": it is a property of the DOM; write "${real}".`,
    );
  }
  const lower = name.toLowerCase();
  if (lower === "class") return "class";
  if (urlNames.has(lower)) return "url";
  if (booleanNames.has(lower)) return "boolean";
  if (lower.startsWith("aria-") || lower.startsWith("data-") || enumeratedNames.has(lower)) {
    return "enumerated";
  }
  if (lower === "srcdoc") return "srcdoc";
  if (lower === "values") return "urlList";
  if (/^on[a-z]/.test(lower)) return "event";
  if (name === "attrs") return "nodes";
  return lower === "key" || lower === "ref" ? "dropped" : "text";
}

/**
 * Checks an element's name.
 *
 * @throws {TypeError} When it is not a tag name: a letter, then letters, digits, `-`, `.`, `:`, `_`.
 */
export function checkedTag(name: string): string {
  if (typeof name === "string" && tagName.test(name)) return name;
  throw new TypeError(
    `Cannot write the element ${JSON.stringify(name)}: a name is a letter, then letters, ` +
      `digits, "-", ".", ":" or "_"; validate it first.`,
  );
}

export function isVoid(lower: string): boolean {
  return voidNames.has(lower);
}

/** Reports whether parsers drop the first newline of an element (the HTML standard, section 13.2.6.4.7). */
export function dropsFirstNewline(lowerName: string): boolean {
  return lowerName === "pre" || lowerName === "textarea" || lowerName === "listing";
}
