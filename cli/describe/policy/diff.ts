import { isShared } from "../../facts/protection.ts";
import { none, type PolicyField, policyFields, type PolicyLine } from "./lines.ts";

/** Lets more through, less, or cannot be told. */
export type Direction = "weaker" | "stronger" | "changed";

export type PolicyChange =
  & { readonly name: string; readonly direction: Direction }
  & (
    | { readonly kind: "added" | "removed"; readonly line: PolicyLine }
    /** A member of a list came or went. */
    | {
      readonly kind: "member-added" | "member-removed";
      readonly field: PolicyField;
      readonly value: string;
    }
    | {
      readonly kind: "value";
      readonly field: PolicyField;
      readonly before: string;
      readonly after: string;
    }
  );

/** Compares the committed policy with that of the code. */
export function diffPolicies(
  before: readonly PolicyLine[],
  after: readonly PolicyLine[],
): PolicyChange[] {
  const old = new Map(before.map((line) => [line.name, line]));
  const now = new Set(after.map(({ name }) => name));
  return [
    ...after.flatMap((line): PolicyChange[] => {
      const was = old.get(line.name);
      return was === undefined
        ? [{ kind: "added", name: line.name, direction: directionOfNew(line), line }]
        : diffLines(was, line);
    }),
    ...before.filter(({ name }) => !now.has(name)).map((line): PolicyChange => ({
      kind: "removed",
      name: line.name,
      direction: "stronger",
      line,
    })),
  ];
}

/** A new operation that writes without a check of its origin lets more through. */
function directionOfNew({ fields }: PolicyLine): Direction {
  return fields.csrf === "off" ? "weaker" : "changed";
}

const lists: Readonly<Partial<Record<PolicyField, Direction>>> = {
  guards: "stronger",
  rate: "stronger",
  cors: "weaker",
  middleware: "changed",
};

function diffLines(was: PolicyLine, is: PolicyLine): PolicyChange[] {
  const { name } = is;
  return policyFields.flatMap((field): PolicyChange[] => {
    const [before, after] = [was.fields[field], is.fields[field]];
    if (before === after) return [];
    const gain = lists[field];
    if (gain === undefined) {
      const direction = directionOf(field, { before, after });
      return [{ kind: "value", name, field, before, after, direction }];
    }
    const [old, now] = [membersOf(field, before), membersOf(field, after)];
    const added = now.filter((value) => !old.includes(value));
    const removed = old.filter((value) => !now.includes(value));
    if (added.length + removed.length === 0) {
      return [{ kind: "value", name, field, before, after, direction: "changed" }];
    }
    const loss: Direction = gain === "stronger"
      ? "weaker"
      : gain === "weaker"
      ? "stronger"
      : "changed";
    return [
      ...removed.map((value): PolicyChange => ({
        kind: "member-removed",
        name,
        field,
        value,
        direction: loss,
      })),
      ...added.map((value): PolicyChange => ({
        kind: "member-added",
        name,
        field,
        value,
        direction: gain,
      })),
    ];
  });
}

function membersOf(field: PolicyField, text: string): string[] {
  if (text === none) return [];
  return field === "cors" ? text.replace(/^route:/, "").split(",") : text.split("+");
}

const csrfRanks: readonly string[] = ["off", "site", "site?", "token"];

function directionOf(
  field: PolicyField,
  { before, after }: { readonly before: string; readonly after: string },
): Direction {
  const compared = (was: number, is: number): Direction =>
    Number.isNaN(was - is) || was === is ? "changed" : is > was ? "weaker" : "stronger";
  switch (field) {
    case "csrf":
      return csrfRanks.includes(before) && csrfRanks.includes(after)
        ? compared(-csrfRanks.indexOf(before), -csrfRanks.indexOf(after))
        : "changed";
    case "body":
      return compared(bytesOf(before), bytesOf(after));
    case "read":
    case "write":
      return compared(msOf(before), msOf(after));
    case "cache":
      return isShared(after) && !isShared(before) ? "weaker" : "changed";
    default:
      return "changed";
  }
}

const units: Readonly<Record<string, number>> = { B: 1, KiB: 1_024, MiB: 1_048_576 };

function bytesOf(text: string): number {
  if (text === "off") return Infinity;
  const [, amount, unit = ""] = /^(\d+)(B|KiB|MiB)$/.exec(text) ?? [];
  return Number(amount) * (units[unit] ?? NaN);
}

function msOf(text: string): number {
  if (text === "off") return Infinity;
  const [, amount, unit] = /^(\d+)(ms|s)$/.exec(text) ?? [];
  return Number(amount) * (unit === "s" ? 1_000 : 1);
}
