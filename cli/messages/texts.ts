/**
 * Builds the texts of a language from its tables. A text with `{holes}` becomes a function of their
 * values, in the order of the English text. A text with a line `Fix: …` becomes a message and its
 * fix. `{count:one|many}` is a word for one or many, and `[[…]]` is omitted if a hole `{name?}` in
 * it has no value. `{{` and `}}` are braces, and a line break with its indentation is a space.
 */
import type { ProblemText } from "../problem.ts";

/** The name of a hole, without its words for one and many. */
type NameOf<T extends string> = T extends `${infer Name}:${string}` ? Name : T;

/** The names of the holes of a text, in order, without duplicates. */
type Names<T extends string, Seen extends readonly string[] = []> = T extends
  `${string}{${infer Name}}${infer Rest}` ? Name extends `{${string}` ? Names<Rest, Seen>
  : NameOf<Name> extends Seen[number] ? Names<Rest, Seen>
  : Names<Rest, [...Seen, NameOf<Name>]>
  : Seen;

type Value<Name> = Name extends `${string}?` ? string | number | undefined : string | number;
type Values<T extends string> = Filled<Names<T>>;
type Filled<N extends readonly string[]> = { [I in keyof N]: Value<N[I]> };

type BuiltText<T extends string> = string extends T ? string
  : T extends `${string}Fix: ${string}` ? (...values: Values<T>) => ProblemText
  : Names<T> extends [] ? string
  : (...values: Values<T>) => string;

type Written = (...values: never[]) => unknown;

/** The texts that {@linkcode buildTexts} builds from a table. */
export type Built<T> = T extends string ? BuiltText<T>
  : T extends Written | readonly unknown[] ? T
  : { readonly [K in keyof T]: Built<T[K]> };

/** The keys that the table of another language must have. */
export type Shape<T> = {
  readonly [K in keyof T]: T[K] extends string ? string : T[K] extends Written ? T[K] : Shape<T[K]>;
};

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
      // Help texts have no holes.
      key === "help" ? inner : build(inner, others.get(key)),
    ]),
  );
}

const hole = /\{\{|\}\}|\{(\w+)\??(?::([^{}|]*)\|([^{}]*))?\}/g;

function namesIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(hole)].flatMap(([, name]) => name ?? []))];
}

function buildText(text: string, english: string): unknown {
  const names = namesIn(english);
  const parts = text.split(/\s*\n\s*Fix: /).map((part) => part.replaceAll(/\s*\n\s+/g, " "));
  const fill = (part: string, values: readonly unknown[]): string => {
    const valueOf = (name: string): unknown => values[names.indexOf(name)];
    return part
      .replaceAll(/\[\[([^]*?)\]\]/g, (_, inner) => namesIn(inner).every(valueOf) ? inner : "")
      .replaceAll(hole, (found, name, one, many) => {
        if (name === undefined) return found.charAt(0);
        const value = valueOf(name);
        return one === undefined ? String(value) : Number(value) === 1 ? one : many;
      });
  };
  const [message = "", fix] = parts;
  if (fix !== undefined) {
    return (...values: unknown[]): ProblemText => {
      const filled = fill(fix, values);
      return {
        message: fill(message, values),
        fix: filled.charAt(0).toUpperCase() + filled.slice(1),
      };
    };
  }
  if (names.length === 0) return fill(message, []);
  return (...values: unknown[]): string => fill(message, values);
}
