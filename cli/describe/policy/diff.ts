import type { Messages } from "../../messages/catalog.ts";
import { isShared } from "../../facts/protection.ts";
import { none, type PolicyField, policyFields, type PolicyLine } from "./lines.ts";

/** Lets more through, less, or cannot be told. */
export type Direction = "weaker" | "stronger" | "changed";

type ChangeKind = "added" | "removed" | "member-added" | "member-removed" | "value";

export interface PolicyChange {
  readonly name: string;
  readonly kind: ChangeKind;
  readonly direction: Direction;
  /** As a reviewer reads it: `weaker: POST /x: guard requireRole(editor) removed`. */
  readonly text: string;
}

type Texts = Messages["describe"]["policy"];

export function diffPolicies(
  before: readonly PolicyLine[],
  after: readonly PolicyLine[],
  texts: Texts,
): PolicyChange[] {
  const old = new Map(before.map((line) => [line.name, line]));
  const now = new Set(after.map(({ name }) => name));
  const gone = before.filter(({ name }) => !now.has(name));
  const found = [
    ...after.flatMap((line) => {
      const was = old.get(line.name);
      const changes = was === undefined ? [addedLine(line, texts)] : diffLines(was, line, texts);
      return changes.map((change) => ({ name: line.name, ...change }));
    }),
    ...gone.map(({ name }) => ({ name, ...changeOf("removed", "stronger", texts.removed) })),
  ];
  return found.map(({ name, kind, direction, what }) => ({
    name,
    kind,
    direction,
    text: `${texts.directions[direction]}: ${name}: ${what}`,
  }));
}

type Change = Pick<PolicyChange, "kind" | "direction"> & { readonly what: string };

function changeOf(kind: ChangeKind, direction: Direction, what: string): Change {
  return { kind, direction, what };
}

/** A new operation that writes without a check of its origin lets more through. */
function addedLine({ fields: { csrf, guards } }: PolicyLine, texts: Texts): Change {
  const what = guards === none ? texts.added : texts.addedGuarded(guards);
  return changeOf("added", csrf === "off" ? "weaker" : "changed", what);
}

/** The direction of a list that gains a member, and of one that loses one. */
const lists: Readonly<Partial<Record<PolicyField, readonly [gain: Direction, loss: Direction]>>> = {
  guards: ["stronger", "weaker"],
  rate: ["stronger", "weaker"],
  cors: ["weaker", "stronger"],
  middleware: ["changed", "changed"],
};

function diffLines(was: PolicyLine, { fields }: PolicyLine, texts: Texts): Change[] {
  return policyFields.flatMap((field): Change[] => {
    const [before, after] = [was.fields[field], fields[field]];
    if (before === after) return [];
    const label = texts.fields[field];
    const whole = `${label} ${before} → ${after}`;
    const [gain, loss] = lists[field] ?? [];
    if (gain === undefined || loss === undefined) {
      return [changeOf("value", directionOf(field, before, after), whole)];
    }
    const [old, now] = [membersOf(field, before), membersOf(field, after)];
    const members = [
      ...old.filter((value) => !now.includes(value))
        .map((value) => changeOf("member-removed", loss, texts.memberRemoved(label, value))),
      ...now.filter((value) => !old.includes(value))
        .map((value) => changeOf("member-added", gain, texts.memberAdded(label, value))),
    ];
    return members.length > 0 ? members : [changeOf("value", "changed", whole)];
  });
}

function membersOf(field: PolicyField, text: string): string[] {
  if (text === none) return [];
  return field === "cors" ? text.replace(/^route:/, "").split(",") : text.split("+");
}

const csrfRanks: readonly string[] = ["off", "site", "site?", "token"];

function directionOf(field: PolicyField, before: string, after: string): Direction {
  const compared = (was: number, is: number): Direction =>
    Number.isNaN(was - is) || was === is ? "changed" : is > was ? "weaker" : "stronger";
  switch (field) {
    case "csrf":
      return csrfRanks.includes(before) && csrfRanks.includes(after)
        ? compared(-csrfRanks.indexOf(before), -csrfRanks.indexOf(after))
        : "changed";
    case "body":
    case "read":
    case "write":
      return compared(amountOf(before), amountOf(after));
    case "cache":
      return isShared(after) && !isShared(before) ? "weaker" : "changed";
    default:
      return "changed";
  }
}

const units: Readonly<Record<string, number>> = {
  B: 1,
  KiB: 1_024,
  MiB: 1_048_576,
  ms: 1,
  s: 1_000,
};

/** Returns a size in bytes or a time in milliseconds; `NaN` for what only running code knows. */
function amountOf(text: string): number {
  if (text === "off") return Infinity;
  const [, amount, unit = ""] = /^(\d+)([A-Za-z]+)$/.exec(text) ?? [];
  return Number(amount) * (units[unit] ?? NaN);
}
