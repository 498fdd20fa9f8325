import { AiError } from "../errors.ts";
import { isJsonObject } from "../json.ts";

type Json = Readonly<Record<string, unknown>>;

/** Maximum nesting of members: they are written again with every later request. */
const maxDepth = 32;

/** Maximum number of last items of a list that a piece may continue. */
const maxOpenItems = 16;

/** Minimum length of a string that a server repeats as a whole, and not as the next piece. */
const minRepeatedChars = 32;

/** Texts that name something: a later piece repeats them and adds nothing. */
const namingMembers: ReadonlySet<string> = new Set(["type", "format", "id", "index", "role"]);

/**
 * Adds the members of the next piece that this client does not know, such as signatures: texts are joined,
 * objects merged, and items of lists joined by their `index`. Changes what it was given.
 *
 * @returns The members, `extra` itself where there is one.
 * @throws {AiError} `ai_bad_response` for members that nest too deep to be sent back.
 */
export function addExtra(
  extra: Json | undefined,
  piece: Json,
  known: ReadonlySet<string>,
): Json | undefined {
  let merged = extra;
  for (const [name, value] of Object.entries(piece)) {
    if (known.has(name) || value === null) continue;
    merged ??= {};
    setMember(merged, name, merge(own(merged, name), value, { name, depth: 0 }));
  }
  return merged;
}

/** `__proto__` is a name like any other. In place: a copy for each piece would cost all members before it. */
function setMember(members: Json, name: string, value: unknown): void {
  Object.defineProperty(members, name, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

function own(value: Json | undefined, name: string): unknown {
  return value !== undefined && Object.hasOwn(value, name) ? value[name] : undefined;
}

interface Place {
  readonly name: string;
  readonly depth: number;
}

function merge(before: unknown, piece: unknown, { name, depth }: Place): unknown {
  if (depth >= maxDepth) {
    throw new AiError("ai_bad_response", `The member "${name.slice(0, 80)}" nests too deep.`);
  }
  const inner = depth + 1;
  if (Array.isArray(piece)) {
    const items: unknown[] = Array.isArray(before) ? before : [];
    for (const item of piece) addItem(items, item, { name, depth: inner });
    return items;
  }
  if (isJsonObject(piece)) {
    const parts = isJsonObject(before) ? before : {};
    for (const [key, value] of Object.entries(piece)) {
      const next = value === null
        ? value
        : merge(own(parts, key), value, { name: key, depth: inner });
      setMember(parts, key, next);
    }
    return parts;
  }
  if (typeof before !== "string" || typeof piece !== "string") return piece;
  const isRepeated = before === piece && piece.length >= minRepeatedChars;
  return namingMembers.has(name) || isRepeated ? piece : before + piece;
}

function addItem(items: unknown[], item: unknown, place: Place): void {
  const index = isJsonObject(item) ? item.index : undefined;
  const from = Math.max(0, items.length - maxOpenItems);
  for (let at = items.length - 1; index !== undefined && at >= from; at--) {
    const open = items[at];
    if (!isJsonObject(open) || open.index !== index || !isSameKind(open, item)) continue;
    items[at] = merge(open, item, place);
    return;
  }
  items.push(merge(undefined, item, place));
}

/** A part of another kind, or with an id of its own, is another part, whatever its number. */
function isSameKind(open: Json, item: unknown): boolean {
  const { type = open.type, id = open.id } = item as Json;
  return type === open.type && (open.id === undefined || id === open.id);
}
