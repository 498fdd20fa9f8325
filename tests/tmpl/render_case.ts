/** Renders a case of the corpus with this package. */
import {
  node,
  parse,
  TemplateError,
  text,
  trustAttr,
  trustCss,
  trustHtml,
  trustJs,
  trustJsText,
  trustSrcset,
  trustUrl,
} from "../../tmpl/mod.ts";
import type { Case } from "./corpus.ts";
import type { Outcome } from "./go_program.ts";

const makers: Readonly<Record<string, (text: string) => unknown>> = {
  html: trustHtml,
  url: trustUrl,
  js: trustJs,
  jsText: trustJsText,
  css: trustCss,
  attribute: trustAttr,
  srcset: trustSrcset,
};

/** Returns the data of a case with safe texts in place of `$safe`. */
export function convert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert);
  if (typeof value !== "object" || value === null) return value;
  if ("$safe" in value && "text" in value) return makers[String(value.$safe)]?.(String(value.text));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, convert(item)]));
}

const funcs = {
  upper: (value: string) => value.toUpperCase(),
  add: (a: number, b: number) => a + b,
  fail: () => {
    throw new Error("failed");
  },
  list: (...values: unknown[]) => values,
  safe: (kind: string, value: string) => makers[kind]?.(value),
} as const;

export function renderCase({ template, data, text: isText }: Case): Outcome {
  try {
    const set = parse(template, { name: "main", funcs });
    const value = convert(data);
    return { out: isText ? text(set, "main", value) : node(set, "main", value).render() };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const { code, description, line } = error;
    return { code, description, line };
  }
}
