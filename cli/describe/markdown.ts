/**
 * Escapes a project's texts for Markdown, so that none starts a line, ends a code span or contains
 * invisible characters.
 */
import { escapeLines } from "@fw/fw/addon";

/** Writes a string on one line; control characters and invisible ones are escaped. */
export function lineText(text: string): string {
  return escapeLines(text.replaceAll(/\s+/g, " ").trim());
}

/** Writes a code span (CommonMark, section 6.1) with a longer fence than any in the text. */
export function codeSpan(text: string): string {
  const line = lineText(text);
  const runs = line.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(0, ...runs.map(({ length }) => length)) + 1);
  const pad = runs.length > 0 || line === "" ? " " : "";
  return fence + pad + line + pad + fence;
}

export function sentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

export function cellText(markdown: string): string {
  return markdown.replaceAll("|", "\\|");
}
