/**
 * Builds the texts of a language from its tables. A text with `{holes}` becomes a function of their
 * values, in the order of the English text. A text with a line `Fix: …` becomes a message and its fix.
 * `{{` and `}}` are braces, and a line break with its indentation is a space.
 */
import type { ProblemText } from "../problem.ts";

/** The names of the holes of a text, each once, in their order. */
type Names<T extends string, Seen extends readonly string[] = []> = T extends
  `${string}{${infer Name}}${infer Rest}`
  ? Name extends `{${string}` | Seen[number] ? Names<Rest, Seen> : Names<Rest, [...Seen, Name]>
  : Seen;

type Filled<N extends readonly string[]> = { [I in keyof N]: string | number };
type Values<T extends string> = Filled<Names<T>>;

type BuiltText<T extends string> = string extends T ? string
  : T extends `${string}Fix: ${string}` ? (...values: Values<T>) => ProblemText
  : Names<T> extends [] ? string
  : (...values: Values<T>) => string;

type Written = (...values: never[]) => unknown;

/** What {@linkcode buildTexts} makes of a table. */
export type Built<T> = T extends string ? BuiltText<T>
  : T extends Written | readonly unknown[] ? T
  : { readonly [K in keyof T]: Built<T[K]> };

/** The keys that the table of another language has. */
export type Shape<T> = {
  readonly [K in keyof T]: T[K] extends string ? string : T[K] extends Written ? T[K] : Shape<T[K]>;
};

/** The keys whose texts have other holes in another language, or no fix. */
export type Differing<E, P> = {
  [K in keyof E & keyof P]: E[K] extends string
    ? P[K] extends string ? IsLike<E[K], P[K]> extends true ? never : K
    : K
    : E[K] extends Written ? never
    : Differing<E[K], P[K]>;
}[keyof E & keyof P];

type IsLike<E extends string, P extends string> = string extends E ? true
  : [Names<E>[number]] extends [Names<P>[number]]
    ? [Names<P>[number]] extends [Names<E>[number]]
      ? E extends `${string}Fix: ${string}` ? P extends `${string}Fix: ${string}` ? true : false
      : true
    : false
  : false;

/** Builds the texts of a table. */
export function buildTexts<E>(table: unknown, english: E): Built<E> {
  return build(table, english) as Built<E>;
}

function build(value: unknown, english: unknown): unknown {
  if (typeof value === "string" && typeof english === "string") return buildText(value, english);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const others = new Map(Object.entries(Object(english)));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      // Help is text as it stands.
      key === "help" ? inner : build(inner, others.get(key)),
    ]),
  );
}

const hole = /\{\{|\}\}|\{(\w+)\}/g;

function buildText(text: string, english: string): unknown {
  const names = [...new Set([...english.matchAll(hole)].flatMap(([, name]) => name ?? []))];
  const [message = "", fix] = text.split(/\s*\n\s*Fix: /)
    .map((part) => part.replaceAll(/\s*\n\s+/g, " "));
  const fill = (part: string, values: readonly (string | number)[]): string =>
    part.replaceAll(
      hole,
      (found, name) => name === undefined ? found.charAt(0) : String(values[names.indexOf(name)]),
    );
  if (fix !== undefined) {
    return (...values: (string | number)[]): ProblemText => ({
      message: fill(message, values),
      fix: fill(fix, values),
    });
  }
  if (names.length === 0) return fill(message, []);
  return (...values: (string | number)[]): string => fill(message, values);
}
