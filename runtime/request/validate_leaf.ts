import { Absent, leafReaders } from "./schema_convert.ts";
import type { LeafDef } from "./schema_types.ts";
import {
  type FieldPlan,
  type FieldSite,
  type FieldTest,
  planField,
  settle,
} from "./validate_field.ts";
import { limitOf } from "./validate_rules.ts";
import type { Run } from "./validate_run.ts";
import { countCharacters } from "./validate_text.ts";

/** Both ways to read a field; each gives its value, or `Failed` after adding a message. */
export interface FieldReader {
  /** Takes the JSON member, `undefined` when there is none. */
  readonly fromJson: (raw: unknown, run: Run) => unknown;
  readonly fromForm: (run: Run) => unknown;
}

/**
 * Compiles a leaf.
 *
 * @param def The field.
 * @param site Where it stands.
 * @returns Its readers.
 * @throws {TypeError} for a wrong rule.
 */
export function leafReader(def: LeafDef, site: FieldSite): FieldReader {
  const plan = planField(def, site);
  const reader = leafReaders[def.kind];
  const slow = (raw: unknown, run: Run): unknown =>
    settle(plan, raw === undefined || raw === null ? Absent : reader.fromJson(raw), run);
  return {
    fromForm: (run) => settle(plan, reader.fromForm(run.form?.all(site.formName) ?? []), run),
    fromJson: fastJson(def, plan, slow),
  };
}

/**
 * The accepted values of the commonest types take a short way: one test fused from all rules. What
 * it does not accept goes the long way, which finds the message. Bench: bench/validate.
 */
function fastJson(
  def: LeafDef,
  plan: FieldPlan,
  slow: FieldReader["fromJson"],
): FieldReader["fromJson"] {
  if (plan.checks.length > 0) return slow;
  switch (def.kind) {
    case "text": {
      const passes = fuseText(plan);
      return (raw, run) => typeof raw === "string" && passes(raw, run) ? raw : slow(raw, run);
    }
    case "int": {
      const passes = fuseNumber(plan);
      return (raw, run) => Number.isSafeInteger(raw) && passes(raw, run) ? raw : slow(raw, run);
    }
    case "float": {
      const passes = fuseNumber(plan);
      return (raw, run) => typeof raw === "number" && passes(raw, run) ? raw : slow(raw, run);
    }
    case "bool":
      return plan.rules.length > 0
        ? slow
        : (raw, run) => typeof raw === "boolean" ? raw : slow(raw, run);
    default:
      return slow;
  }
}

/** The strictest of the limits, whatever the order: order matters for the message alone. */
function bounds(plan: FieldPlan): { readonly min: number; readonly max: number } {
  let min = -Infinity;
  let max = Infinity;
  for (const { spec } of plan.rules) {
    if (spec.name !== "min" && spec.name !== "max" && spec.name !== "len") continue;
    const limit = Number(limitOf(spec, plan.rulePlace));
    if (spec.name !== "max") min = Math.max(min, limit);
    if (spec.name !== "min") max = Math.min(max, limit);
  }
  return { min, max };
}

/** The rules that are no bounds and not `required`, as one test. */
function remaining(plan: FieldPlan): FieldTest | undefined {
  const fused = new Set(["required", "min", "max", "len"]);
  const tests = plan.rules.filter((rule) => !fused.has(rule.spec.name)).map((rule) => rule.test);
  if (tests.length < 2) return tests[0];
  return (value, run) => tests.every((test) => test(value, run));
}

function fuseText(plan: FieldPlan): (value: string, run: Run) => boolean {
  const { required } = plan;
  const { min, max } = bounds(plan);
  const rest = remaining(plan);
  // A character takes one or two code units, so most lengths decide without counting.
  const sureMin = min > 1 ? min * 2 : min;
  return (value, run) => {
    const units = value.length;
    if (units === 0) return !required;
    if (units > max || units < sureMin) {
      if (units < min || units > max * 2) return false;
      const count = countCharacters(value);
      if (count < min || count > max) return false;
    }
    return (rest === undefined || rest(value, run)) && value.isWellFormed();
  };
}

function fuseNumber(plan: FieldPlan): FieldTest {
  const refusesZero = plan.required && !plan.optional;
  const { min, max } = bounds(plan);
  const rest = remaining(plan);
  return (value, run) => {
    const number = value as number;
    // Zero goes the long way, which also turns -0 into 0; so do NaN and Infinity.
    if (number === 0 ? refusesZero || Object.is(number, -0) : !Number.isFinite(number)) {
      return false;
    }
    return number >= min && number <= max && (rest === undefined || rest(number, run));
  };
}
