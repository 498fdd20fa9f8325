/** Texts of the form `place, name, from, to`: what differs, and how. */
export const diffEn = {
  kinds: {
    "added": "{place} is new",
    "added required": "{place} is new and required",
    "removed": "{place} was removed",
    "became required": "{place} became required",
    "became optional": "{place} became optional",
    "changed": "{place}: {name} changed from {from} to {to}",
    "not compared": "{place} is nested too deep to compare",
  },
  levels: { breaking: "breaking", compatible: "compatible", notice: "notice" },
  fix: {
    breaking: "Keep the older form beside the new one, or publish it under a new path or version.",
    notice: "Tell the authors of clients.",
  },
  none: "No difference from {against}.",
  summary: "Breaking: {breaking}. Notices: {notices}. Compatible: {compatible}.",
  unreadable:
    `Cannot compare with "{against}": there is no such file, and git finds no {file} there.
    Name a file, or a git ref such as main or v1.2.0.`,
  tooLarge: 'Cannot compare with "{against}": it is larger than {bytes} bytes.',
  notDocument: 'Cannot compare with "{against}": it is not a document that `fw openapi` wrote.',
} as const;
