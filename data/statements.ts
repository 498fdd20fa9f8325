import type { EngineName } from "./values.ts";

export interface Statement {
  /** The text, without leading comments and the semicolon. */
  readonly sql: string;
  /** The line of its first character, from 1. */
  readonly line: number;
  readonly verb: string;
}

// One token: blanks, a comment (the start of one between stars), a quoted text or name (ended or not), a word, or
// one character. Postgres has strings with escapes (`e'\''`) and strings between dollars, such as a function's body;
// its brackets contain the elements of an array, and SQLite's a name.
const [sqliteToken, postgresToken] = ["`(?:[^`]|``)*(?:`|$)|\\[[^\\]]*(?:\\]|$)|", ""].map((
  names,
) =>
  new RegExp(
    String.raw`[\s\uFEFF]+|--[^\n]*|\/\*|\$(\w*)\$[^]*?\$\1\$|[eE]'(?:[^'\\]|\\[^]|'')*(?:'|$)|` +
      String.raw`'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|${names}[\p{L}_][\p{L}\p{N}_$]*|[^]`,
    "uy",
  )
);

function* readTokens(text: string, engine: EngineName): Generator<string> {
  const token = engine === "postgres" ? postgresToken : sqliteToken;
  for (let at = 0; token !== undefined && at < text.length;) {
    token.lastIndex = at;
    const [part = ""] = token.exec(text) ?? [];
    const end = part === "/*" ? commentEnd(text, at, engine) : at + part.length;
    yield text.slice(at, end);
    at = end;
  }
}

/** Returns the end of a comment. Those of Postgres nest. */
function commentEnd(text: string, start: number, engine: EngineName): number {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = start;
  let depth = 0;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    if (found[0] === "*/") depth--;
    else if (depth === 0 || engine === "postgres") depth++;
    if (depth === 0) return mark.lastIndex;
  }
  return text.length;
}

/**
 * Splits SQL into its statements. A trigger with a body is one statement: it ends at `; end ;`, as in SQLite's
 * shell. A Postgres trigger calls a function and has no body; a function may have one, `begin atomic`.
 */
export function splitStatements(text: string, engine: EngineName): Statement[] {
  const statements: Statement[] = [];
  let start = -1;
  let words: string[] = [];
  let isTrigger = false;
  let hasBody = false;
  const close = (end: number): void => {
    if (start >= 0) {
      const [verb = ""] = words;
      statements.push({ sql: text.slice(start, end).trimEnd(), line: lineAt(text, start), verb });
    }
    start = -1;
    words = [];
    isTrigger = false;
    hasBody = false;
  };
  let end = 0;
  for (const part of readTokens(text, engine)) {
    const at = end;
    end += part.length;
    if (/^(?:[\s\uFEFF]|--|\/\*)/.test(part)) continue;
    const word = part.toLowerCase();
    const last = words.at(-1);
    if (part === ";" && (!hasBody || (last === "end" && words.at(-2) === ";"))) {
      close(at);
      continue;
    }
    if (start < 0) start = at;
    words.push(word);
    isTrigger ||= words.length < 4 &&
      /^create (?:(?:temp|temporary) )?trigger\b/.test(words.join(" "));
    hasBody ||= (isTrigger && word === "begin") || (last === "begin" && word === "atomic");
  }
  close(text.length);
  return statements;
}

/** Words that would end the open transaction or begin another. */
export const transactionVerbs: ReadonlySet<string> = new Set(
  "begin start commit end rollback abort savepoint release".split(" "),
);

export function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < index; at = text.indexOf("\n", at + 1)) {
    line++;
  }
  return line;
}

/** Returns the kind of change of a statement and its table, ignoring strings and comments. */
export function changedTable(
  text: string,
  engine: EngineName,
): { readonly verb: "insert" | "update" | "delete"; readonly table: string } | undefined {
  const found =
    /\b(?:(insert|replace)(?:\s+or\s+\w+)?\s+into|(update)(?:\s+or\s+\w+)?|delete\s+from)\s+(?:only\s+)?/i
      .exec(blankStrings(text, engine));
  if (found === null) return undefined;
  const rest = text.slice(found.index + found[0].length);
  const [, quoted, word = ""] =
    /^(?:(?:"(?:[^"]|"")*"|\w+)\s*\.\s*)?(?:"((?:[^"]|"")*)"|(\w+))/.exec(rest) ?? [];
  const [, insert, update] = found;
  const verb = insert !== undefined ? "insert" : update !== undefined ? "update" : "delete";
  return { verb, table: quoted?.replaceAll('""', '"') ?? word };
}

/** Replaces strings and comments with blanks of the same length; a quoted name stays one word. */
export function blankStrings(text: string, engine: EngineName): string {
  return Array.from(readTokens(text, engine), (part) => {
    if (part.startsWith('"')) return part.replace(/[^"]/g, "_");
    return /^(?:--|\/\*|[eE]?'|\$\w*\$)/.test(part) ? " ".repeat(part.length) : part;
  }).join("");
}

const beforeCondition = /\b(?:where|and|or|on|having)(?:\s+not)?[\s(]*$/i;
const beforeKey =
  /\b(?:order|group)\s+by(?:\b(?:(?!\b(?:limit|offset|returning|select)\b)[^])*,)?$/i;
const afterCondition =
  /^[\s)]*(?:$|;|(?:and|or|order|group|having|limit|returning|union|except|intersect|window|for)\b)/i;
const afterKey = /^\s*(?:$|[);,]|(?:asc|desc|nulls|having|limit|window|for)\b)/i;
const between = /\bbetween\b(?:(?!\b(?:and|or)\b)[^])*\band[\s(]*$/i;

const places: WeakMap<readonly string[], readonly (boolean | "unless compared")[]> = new WeakMap();

/** For each value of a template, whether it stands for a whole condition or sort key; a part behind it may compare it. */
export function findPlaces(
  strings: readonly string[],
  engine: EngineName,
): readonly (boolean | "unless compared")[] {
  const known = places.get(strings);
  if (known !== undefined) return known;
  const text = blankStrings(strings.join("?"), engine);
  let end = -1;
  const found = strings.map((own, index) => {
    end += own.length + 1;
    const before = text.slice(0, end);
    const after = text.slice(end + 1, end + 1 + (strings[index + 1]?.length ?? 0));
    // A sort key stands in the list, not in the arguments of a function.
    const isKey =
      beforeKey.test(withoutGroups(before.replace(/[\s(]*$/, "")).replace(/^[^]*\(/, "")) &&
      afterKey.test(after);
    if (!isKey && !(beforeCondition.test(before) && afterCondition.test(after))) return false;
    if (between.test(before)) return false;
    return after.trim() === "" && index + 2 < strings.length ? "unless compared" : true;
  });
  places.set(strings, found);
  return found;
}

function withoutGroups(text: string): string {
  const shorter = text.replace(/\([^()]*\)/g, "");
  return shorter === text ? text : withoutGroups(shorter);
}
