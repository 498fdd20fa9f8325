import { ClockChange } from "../base/local_time.ts";
import {
  Absent,
  type Converted,
  isCleanText,
  readerOf,
  TooLarge,
  TooSmall,
  Unconvertible,
} from "./convert.ts";
import { messageCell, validationMessage } from "./messages.ts";
import { Failed, findSite, type Run, runChecks, sentText, type StructPlace } from "./place.ts";
import {
  appRule,
  countCharacters,
  groupOf,
  limitOf,
  parseRules,
  ruleError,
  type RuleFunction,
  type RulePlace,
  type RuleSpec,
  valueTest,
} from "./rules.ts";
import type { LeafDef, ListDef } from "./types.ts";

export type FieldTest = (value: unknown, run: Run) => boolean;
type FromJson = (raw: unknown, run: Run) => unknown;

type Message = () => string;

/** A compiled rule. Only the test of `required` receives empty values. */
export interface FieldRule {
  readonly spec: RuleSpec;
  readonly message: Message;
  readonly test: FieldTest;
}

/** Everything about a field except its conversion. */
export interface FieldPlan extends FieldSite {
  readonly required: boolean;
  readonly absent: Message;
  readonly invalid: Message;
  readonly tooLarge: Message;
  readonly tooSmall: Message;
  readonly rules: readonly FieldRule[];
  readonly zero: () => unknown;
}

export interface FieldSite extends RulePlace {
  readonly formName: string;
  readonly jsonName: string;
  readonly place: StructPlace;
}

export function planField(site: FieldSite): FieldPlan {
  const { def } = site;
  const wording = /^int(?:64)?$/.test(def.kind) ? "int" : groupOf(site);
  const message = (key: string, param = ""): Message => messageCell(key, { param, wording });
  const specs = parseRules(def.rules, site);
  return {
    ...site,
    required: specs.some((spec) => spec.name === "required"),
    absent: message("required"),
    invalid: message("bindInvalid"),
    tooLarge: message("tooLarge"),
    tooSmall: message("tooSmall"),
    rules: specs.map((spec) => ({
      spec,
      test: testOf(spec, site),
      message: message(spec.name, paramText(spec)),
    })),
    zero: def.partial === true ? () => null : def.kind === "list" ? () => [] : readerOf(def).zero,
  };
}

function paramText(spec: RuleSpec): string {
  const param = spec.param ?? "";
  return spec.name === "oneof" ? param.split(" ").join(", ") : param.replace("T", " ");
}

function testOf(spec: RuleSpec, site: FieldSite): FieldTest {
  if (spec.name === "required") return requiredTest(site.def);
  if (spec.name === "eqfield") return equalTest(spec, site);
  const own = appRule(spec.name);
  return own === undefined ? valueTest(spec, site) : appTest(own, spec, site);
}

/** Returns the first rule that fails. All but `required` skip an empty string and list; 0 is not empty. */
export function refusingRule(
  rules: readonly FieldRule[],
  value: unknown,
  run: Run,
): FieldRule | undefined {
  const skipped = isEmpty(value);
  for (const rule of rules) {
    if (skipped && rule.spec.name !== "required") continue;
    if (!rule.test(value, run)) return rule;
  }
  return undefined;
}

function isEmpty(value: unknown): boolean {
  return value === "" || (Array.isArray(value) && value.length === 0);
}

/** Tests `required`. With `optional`, absence is distinct, so zero and `false` count as given. */
function requiredTest(def: LeafDef | ListDef): FieldTest {
  if (def.kind === "texts") {
    return (value) => (value as readonly string[]).some((text) => text !== "");
  }
  if (def.optional) return (value) => !isEmpty(value);
  return (value) => !isEmpty(value) && value !== 0 && value !== 0n && value !== false;
}

/** Tests `eqfield`. It converts the other field again, which may not have been read yet. */
function equalTest(spec: RuleSpec, site: FieldSite): FieldTest {
  const other = findSite(site.place, spec.param ?? "");
  const written = `eqfield=${spec.param}`;
  if (other === undefined) {
    throw ruleError(written, site, "the schema has no such field; give its form name.");
  }
  const { kind } = site.def;
  if (other.def.kind !== kind) {
    throw ruleError(written, site, `the other field must be of the type ${kind}.`);
  }
  const reader = readerOf(site.def as LeafDef);
  return (value, run) => {
    if (run.form !== undefined) {
      return isSame(value, reader.fromForm(run.form.all(other.form), run.form.zone));
    }
    const sent = other.json(run);
    return sent !== undefined && sent !== null && isSame(value, reader.fromJson(sent));
  };
}

function isSame(a: unknown, b: unknown): boolean {
  return a instanceof Date && b instanceof Date ? a.getTime() === b.getTime() : a === b;
}

function appTest(own: RuleFunction, { param = "" }: RuleSpec, site: FieldSite): FieldTest {
  const { formName, jsonName, place } = site;
  return (value, run) => {
    const other = (name: string): string | undefined => {
      const found = findSite(place, name);
      return found === undefined ? undefined : sentText(found, run);
    };
    const { form } = run;
    const text = form === undefined ? String(value) : form.all(formName)[0] ?? "";
    const name = form === undefined ? run.prefix + jsonName : form.sentName?.(formName) ?? formName;
    return own({ name, param, text, value, other });
  };
}

function nameOf(plan: FieldPlan, run: Run): string {
  return run.form === undefined ? run.prefix + plan.jsonName : plan.formName;
}

/** Validates a converted value: rules in order, then checks. */
export function settle(plan: FieldPlan, value: Converted, run: Run): unknown {
  if (value === Unconvertible) return refuse(plan, plan.invalid, run);
  if (value instanceof ClockChange) {
    const param = value.readings.join(" / ").replaceAll("T", " ");
    return refuse(plan, () => validationMessage(value.kind, { param }), run);
  }
  if (value === TooLarge) return refuse(plan, plan.tooLarge, run);
  if (value === TooSmall) return refuse(plan, plan.tooSmall, run);
  let settled = value;
  if (value === Absent) {
    if (plan.required) return refuse(plan, plan.absent, run);
    settled = plan.def.optional ? null : plan.zero();
  } else {
    const rule = refusingRule(plan.rules, value, run);
    if (rule !== undefined) return refuse(plan, rule.message, run);
  }
  const { checks } = plan.def;
  if (checks.length === 0 || settled === null) return settled;
  const before = run.failures;
  runChecks(checks, settled, { place: plan.place, field: nameOf(plan, run), run });
  return run.failures === before ? settled : Failed;
}

export function refuse(plan: FieldPlan, message: Message, run: Run): typeof Failed {
  run.fail(nameOf(plan, run), message());
  return Failed;
}

/** Both ways to read a field; each returns its value, or `Failed` after adding a message. */
export interface FieldReader {
  /** Reads the JSON member; `undefined` if it is absent. */
  readonly fromJson: FromJson;
  readonly fromForm: (run: Run) => unknown;
}

export function leafReader(def: LeafDef, site: FieldSite): FieldReader {
  const plan = planField(site);
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

/** Fuses the rules of the most common types; other cases take the general path (`bench/validate`). */
function fastJson(def: LeafDef, plan: FieldPlan, slow: FromJson): FromJson {
  const fused = def.checks.length === 0 ? fuse(plan) : undefined;
  if (fused === undefined) return slow;
  switch (def.kind) {
    case "text":
      if (plan.rules.some(({ spec }) => spec.name === "password")) return slow;
      return textFromJson(plan, fused, slow);
    case "texts":
      return textsFromJson(plan, fused, slow);
    case "int":
    case "float":
      return numberFromJson(plan, fused, slow);
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

/** Fuses rules in the usual order only, because the first rule that fails determines the message. */
function fuse(plan: FieldPlan): Fused | undefined {
  const rest = [...plan.rules];
  const take = (...names: readonly string[]): FieldRule | undefined =>
    names.includes(rest[0]?.spec.name ?? "") ? rest.shift() : undefined;
  const required = take("required");
  const first = take("min", "max", "len");
  const second = first?.spec.name === "min" ? take("max") : undefined;
  const [other] = rest;
  if (rest.length > 1 || /^(?:required|min|max|len)$/.test(other?.spec.name ?? "")) {
    return undefined;
  }
  const minRule = first?.spec.name === "max" ? undefined : first;
  const maxRule = first?.spec.name === "min" ? second : first;
  const limit = (rule: FieldRule | undefined, none: number): number =>
    rule === undefined ? none : Number(limitOf(rule.spec, plan));
  return {
    required,
    min: limit(minRule, -Infinity),
    max: limit(maxRule, Infinity),
    minRule,
    maxRule,
    other,
  };
}

function textFromJson(plan: FieldPlan, fused: Fused, slow: FromJson): FromJson {
  const { required, min, max, minRule, maxRule, other } = fused;
  const test = other?.test;
  // A character has one or two code units, so most lengths decide without counting.
  const sureMin = min > 1 ? min * 2 : min;
  return (raw, run) => {
    if (typeof raw !== "string") return slow(raw, run);
    const units = raw.length;
    if (units === 0) return required === undefined ? raw : refuse(plan, required.message, run);
    if (!run.isPlainText && !isCleanText(raw)) return refuse(plan, plan.invalid, run);
    if (units > max || units < sureMin) {
      const count = units < min || units > max * 2 ? units : countCharacters(raw);
      const rule = count < min ? minRule : count > max ? maxRule : undefined;
      if (rule !== undefined) return refuse(plan, rule.message, run);
    }
    if (test === undefined || other === undefined || test(raw, run)) return raw;
    return refuse(plan, other.message, run);
  };
}

function textsFromJson(plan: FieldPlan, fused: Fused, slow: FromJson): FromJson {
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
    return rule === undefined ? raw : refuse(plan, rule.message, run);
  };
}

function numberFromJson(plan: FieldPlan, fused: Fused, slow: FromJson): FromJson {
  const { min, max, minRule, maxRule, other } = fused;
  const accepts = plan.def.kind === "int" ? Number.isSafeInteger : Number.isFinite;
  return (raw, run) => {
    // Zero takes the general path, because `required` decides about it.
    if (raw === 0 || !accepts(raw)) return slow(raw, run);
    const value = raw as number;
    let rule: FieldRule | undefined;
    if (value < min) rule = minRule;
    else if (value > max) rule = maxRule;
    else if (other !== undefined && !other.test(value, run)) rule = other;
    return rule === undefined ? value : refuse(plan, rule.message, run);
  };
}
