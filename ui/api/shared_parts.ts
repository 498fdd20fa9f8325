/** The responses and bodies that several operations have in common, which a page shows once. */

import { apiEntries, apiMember, type ApiOperation, apiText, follow } from "./document.ts";

/** A response or a body of more than one operation. */
export interface SharedPart {
  /** The id of the place that shows it. */
  readonly id: string;
  /** What links to it say. */
  readonly title: string;
  readonly value: unknown;
}

/** A response as it is found: under its status, perhaps by a reference. */
interface Found {
  readonly value: object;
  readonly title: string;
  /** Whether an equal value elsewhere is the same part. */
  readonly isByText: boolean;
  uses: number;
}

/** The most values of a part that is compared by its text, and the most characters of one of them. */
const maxCompared = { values: 200, chars: 2_000 };

/** The most characters of a title. */
const maxTitleChars = 120;

/**
 * Finds what operations share: what they refer to, and errors that are written alike. A success stays
 * with its operation, unless it is a reference.
 *
 * @param document What references lead into.
 * @param options The operations, and what the ids start with.
 * @returns The parts by their value; equal values have the same part.
 */
export function findSharedParts(
  document: unknown,
  { operations, id }: { readonly operations: readonly ApiOperation[]; readonly id: string },
): ReadonlyMap<unknown, SharedPart> {
  const found = new Map<object, Found>();
  for (const { source } of operations) {
    for (const [status, value] of apiEntries(apiMember(source, "responses"))) {
      note(found, follow(document, value), {
        name: refName(value) ?? status,
        isByText: !status.startsWith("2"),
      });
    }
    const body = apiMember(source, "requestBody");
    note(found, follow(document, body), { name: refName(body), isByText: false });
  }
  return partsOf(joinEqual(found), id);
}

interface Note {
  readonly name: string | undefined;
  readonly isByText: boolean;
}

function note(found: Map<object, Found>, value: unknown, { name, isByText }: Note): void {
  if (typeof value !== "object" || value === null || !isLong(value)) return;
  const known = found.get(value);
  if (known !== undefined) {
    known.uses++;
    return;
  }
  const title = (apiText(value, "description") ?? name ?? "").slice(0, maxTitleChars);
  found.set(value, { value, title, isByText, uses: 1 });
}

/** Reports whether a part is longer than the link to it. */
function isLong(value: object): boolean {
  return apiMember(value, "content") !== undefined || apiMember(value, "headers") !== undefined ||
    (apiText(value, "description")?.length ?? 0) > maxTitleChars;
}

/** Returns the groups of equal parts. */
function joinEqual(found: ReadonlyMap<object, Found>): readonly (readonly Found[])[] {
  const groups = new Map<unknown, Found[]>();
  for (const each of found.values()) {
    const key = (each.isByText ? shortJson(each.value) : undefined) ?? each.value;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each]);
    else group.push(each);
  }
  return [...groups.values()];
}

function partsOf(
  groups: readonly (readonly Found[])[],
  id: string,
): ReadonlyMap<unknown, SharedPart> {
  const parts = new Map<unknown, SharedPart>();
  let count = 0;
  for (const group of groups) {
    const [first] = group;
    const uses = group.reduce((sum, each) => sum + each.uses, 0);
    if (first === undefined || uses < 2) continue;
    const part = { id: `${id}-shared-${++count}`, title: first.title, value: first.value };
    for (const { value } of group) parts.set(value, part);
  }
  return parts;
}

/** Returns the JSON of a small value; `undefined` for a large one, and for what JSON cannot hold. */
function shortJson(value: object): string | undefined {
  let left = maxCompared.values;
  try {
    return JSON.stringify(value, (_name, each: unknown) => {
      if (left-- === 0) throw new RangeError("too many values");
      if (typeof each === "string" && each.length > maxCompared.chars) {
        throw new RangeError("too many characters");
      }
      return each;
    });
  } catch {
    // Also a value that holds itself.
    return undefined;
  }
}

function refName(value: unknown): string | undefined {
  return apiText(value, "$ref")?.split("/").at(-1);
}
