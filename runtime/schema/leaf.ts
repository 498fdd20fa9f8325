import { Absent, isCleanText, readerOf } from "./convert.ts";
import type { LeafDef } from "./types.ts";
import {
  type FieldPlan,
  type FieldRule,
  type FieldSite,
  planField,
  refuse,
  settle,
} from "./field.ts";
import { countCharacters, limitOf } from "./rules.ts";
import type { Run } from "./place.ts";

/** Both ways to read a field; each gives its value, or `Failed` after adding a message. */
export interface FieldReader {
  /** Reads the JSON member; `undefined` if it is absent. */
  readonly fromJson: (raw: unknown, run: Run) => unknown;
  readonly fromForm: (run: Run) => unknown;
}

export function leafReader(def: LeafDef, site: FieldSite): FieldReader {
  const plan = planField(def, site);
  const reader = readerOf(def);
  const isPartial = def.partial === true;
  const slow = (raw: unknown, run: Run): unknown => {
    if (isPartial && raw === undefined) return undefined;
    return settle(plan, raw === undefined || raw === null ? Absent : reader.fromJson(raw), run);
  };
  return {
    fromForm: (run) => {
      const values = run.form?.all(site.formName) ?? [];
      if (isPartial && values.length === 0) return undefined;
      return settle(plan, reader.fromForm(values, run.form?.zone), run);
    },
    fromJson: fastJson(def, plan, slow),
  };
}

/** The commonest types fuse their rules; in doubt the long way decides. Bench: bench/validate. */
function fastJson(
  def: LeafDef,
  plan: FieldPlan,
  slow: FieldReader["fromJson"],
): FieldReader["fromJson"] {
  const fused = plan.checks.length === 0 ? fuse(plan) : undefined;
  if (fused === undefined) return slow;
  switch (def.kind) {
    case "text":
      if (plan.rules.some(({ spec }) => spec.name === "password")) return slow;
      return textFromJson(plan, fused, slow);
    case "texts":
      return textsFromJson(plan, fused, slow);
    case "int":
      return numberFromJson(plan, fused, { slow, accepts: Number.isSafeInteger });
    case "float":
      return numberFromJson(plan, fused, { slow, accepts: Number.isFinite });
    case "bool":
      return plan.rules.length > 0
        ? slow
        : (raw, run) => typeof raw === "boolean" ? raw : slow(raw, run);
    default:
      return slow;
  }
}

/** Rules in the usual order: `required`, then a lower, then an upper bound, then one other. */
interface Fused {
  readonly required: FieldRule | undefined;
  readonly min: number;
  readonly max: number;
  readonly minRule: FieldRule | undefined;
  readonly maxRule: FieldRule | undefined;
  readonly other: FieldRule | undefined;
}

/** Rules in another order, or more of them, are not fused, since the first one that fails gives the message. */
function fuse(plan: FieldPlan): Fused | undefined {
  const rest = [...plan.rules];
  const take = (...names: readonly string[]): FieldRule | undefined =>
    names.includes(rest[0]?.spec.name ?? "") ? rest.shift() : undefined;
  const required = take("required");
  const first = take("min", "max", "len");
  const second = first?.spec.name === "min" ? take("max") : undefined;
  const names = rest.map((rule) => rule.spec.name);
  if (names.some((name) => ["required", "min", "max", "len"].includes(name))) return undefined;
  if (rest.length > 1) return undefined;
  const minRule = first?.spec.name === "max" ? undefined : first;
  const maxRule = first?.spec.name === "min" ? second : first;
  const limit = (rule: FieldRule | undefined, none: number): number =>
    rule === undefined ? none : Number(limitOf(rule.spec, plan.rulePlace));
  return {
    required,
    min: limit(minRule, -Infinity),
    max: limit(maxRule, Infinity),
    minRule,
    maxRule,
    other: rest[0],
  };
}

function textFromJson(
  plan: FieldPlan,
  fused: Fused,
  slow: FieldReader["fromJson"],
): FieldReader["fromJson"] {
  const { required, min, max, minRule, maxRule, other } = fused;
  const test = other?.test;
  // A character takes one or two code units, so most lengths decide without counting.
  const sureMin = min > 1 ? min * 2 : min;
  return (raw, run) => {
    if (typeof raw !== "string") return slow(raw, run);
    const units = raw.length;
    if (units === 0) return required === undefined ? raw : refuse(plan, required, run);
    if (!run.isPlainText && !isCleanText(raw)) return refuse(plan, plan.invalid, run);
    if (units > max || units < sureMin) {
      const count = units < min || units > max * 2 ? units : countCharacters(raw);
      const rule = count < min ? minRule : count > max ? maxRule : undefined;
      if (rule !== undefined) return refuse(plan, rule, run);
    }
    if (test === undefined || other === undefined || test(raw, run)) return raw;
    return refuse(plan, other, run);
  };
}

function textsFromJson(
  plan: FieldPlan,
  fused: Fused,
  slow: FieldReader["fromJson"],
): FieldReader["fromJson"] {
  const { required, min, max, minRule, maxRule, other } = fused;
  return (raw, run) => {
    if (!Array.isArray(raw)) return slow(raw, run);
    for (const item of raw) {
      if (typeof item !== "string" || !(run.isPlainText || isCleanText(item))) {
        return refuse(plan, plan.invalid, run);
      }
    }
    const count = raw.length;
    let rule: FieldRule | undefined;
    if (required !== undefined && !required.test(raw, run)) rule = required;
    else if (count === 0) rule = undefined;
    else if (count < min) rule = minRule;
    else if (count > max) rule = maxRule;
    else if (other !== undefined && !other.test(raw, run)) rule = other;
    return rule === undefined ? raw : refuse(plan, rule, run);
  };
}

interface NumberWay {
  readonly slow: FieldReader["fromJson"];
  readonly accepts: (value: unknown) => boolean;
}

function numberFromJson(plan: FieldPlan, fused: Fused, way: NumberWay): FieldReader["fromJson"] {
  const { min, max, minRule, maxRule, other } = fused;
  const { slow, accepts } = way;
  return (raw, run) => {
    // Zero goes the long way, since `required` decides about it.
    if (raw === 0 || !accepts(raw)) return slow(raw, run);
    const value = raw as number;
    let rule: FieldRule | undefined;
    if (value < min) rule = minRule;
    else if (value > max) rule = maxRule;
    else if (other !== undefined && !other.test(value, run)) rule = other;
    return rule === undefined ? value : refuse(plan, rule, run);
  };
}
