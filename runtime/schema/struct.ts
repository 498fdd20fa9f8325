import { isJsonObject, type JsonObject } from "../base/values.ts";
import { Absent, Unconvertible } from "./convert.ts";
import type { FieldDef, ListDef, StructDef } from "./types.ts";
import {
  type FieldReader,
  type FieldSite,
  leafReader,
  planField,
  refuse,
  refusingRule,
  settle,
} from "./field.ts";
import { messageCell } from "./messages.ts";
import { appRule } from "./rules.ts";
import {
  Failed,
  type FormReader,
  indexOf,
  ownMember,
  type Run,
  runChecks,
  type StructPlace,
} from "./place.ts";

/** The output of a struct; the value of a failed field has no meaning. */
export type Output = Record<string, unknown>;

/** A compiled struct. It returns the output even if fields failed; the messages are in the pass. */
export interface StructReader {
  readonly members: readonly MemberNames[];
  readonly fromJson: (input: JsonObject, run: Run) => Output;
  readonly fromForm: (run: Run) => Output;
}

/** The number of messages after which further elements of a list are not read. */
const MAX_LIST_FAILURES = 100;

/** The number of members from which the output is filled field by field, not copied from the input. */
const manyMembers = 1_000;
const nothing: JsonObject = Object.freeze({});

export type MemberNames = { readonly key: string; readonly json: string; readonly form: string };

interface Member extends FieldReader, MemberNames {
  /** Whether every object inherits a property of this name. */
  readonly inherited: boolean;
}

interface Shape {
  readonly members: readonly Member[];
  /** Copied for each output, so that it has every property from the start, in the order of the fields. */
  readonly template: Output;
  /** Whether every JSON name is the property name. */
  readonly isSame: boolean;
  readonly ignoresUnknown: boolean;
  readonly place: StructPlace;
}

export function compileSchema(def: StructDef): StructReader {
  const index = indexOf(def);
  return structReader(def, { formPrefix: "", jsonPrefix: "", index, rootIndex: index });
}

function structReader(def: StructDef, place: StructPlace): StructReader {
  const members = [...def.fields].map(([key, field]): Member => {
    const { form = key, json = key } = field.names;
    const names = { formName: place.formPrefix + form, jsonName: place.jsonPrefix + json };
    const reader = fieldReader(field, { ...names, place });
    return { key, json, form, inherited: json in Object.prototype, ...reader };
  });
  const shape: Shape = {
    members,
    template: Object.fromEntries(members.map(({ key }) => [key, undefined])),
    isSame: members.every(({ key, json }) => key === json),
    ignoresUnknown: def.ignoresUnknown === true,
    place,
  };
  const isPartial = [...def.fields.values()].some(({ partial }) => partial === true);
  const finish = (output: Output, before: number, run: Run): Output => {
    if (def.checks.length > 0 && run.failures === before) {
      runChecks(def.checks, output, { place, field: undefined, run });
    }
    return isPartial ? withoutUndefined(output) : output;
  };
  return {
    members,
    fromForm: (run) => {
      const before = run.failures;
      const output = { ...shape.template };
      for (const member of members) output[member.key] = member.fromForm(run);
      return finish(output, before, run);
    },
    fromJson: (input, run) => {
      const before = run.failures;
      const outerScope = run.scope;
      run.scope = input;
      const output = readMembers(input, shape, run);
      run.scope = outerScope;
      return finish(output, before, run);
    },
  };
}

/** Removes absent members, so that `{ ...row, ...patch }` keeps them. */
function withoutUndefined(output: Output): Output {
  return Object.fromEntries(Object.entries(output).filter(([, value]) => value !== undefined));
}

/** Reads members. In field order, the output is a copy of the input with conversions (`bench/validate`). */
function readMembers(input: JsonObject, shape: Shape, run: Run): Output {
  const { members, template, isSame } = shape;
  // Copying thousands of unused members costs more than parsing them.
  const isCopy = isSame && run.members < manyMembers;
  const output: Output = isCopy ? { ...input } : { ...template };
  let next = 0;
  // deno-lint-ignore guard-for-in -- a name that is not the next field's ends the loop
  for (const name in input) {
    const member = members[next];
    if (member?.json !== name) return readAnyOrder(input, shape, { output, next, run });
    const raw = input[name];
    const value = member.fromJson(raw, run);
    if (value !== Failed && (!isCopy || !Object.is(value, raw))) output[member.key] = value;
    next++;
  }
  if (next < members.length) {
    for (const { key, fromJson } of members.slice(next)) output[key] = fromJson(undefined, run);
  }
  return output;
}

/** Reads the rest field by field: some are missing, in another order, or unknown. */
function readAnyOrder(
  input: JsonObject,
  shape: Shape,
  from: { readonly output: Output; readonly next: number; readonly run: Run },
): Output {
  const output = { ...shape.template };
  let seen = from.next;
  for (const [i, member] of shape.members.entries()) {
    if (i < from.next) {
      output[member.key] = from.output[member.key];
      continue;
    }
    const raw = member.inherited ? ownMember(input, member.json) : input[member.json];
    if (raw !== undefined) seen++;
    output[member.key] = member.fromJson(raw, from.run);
  }
  const names = Object.keys(input);
  if (names.length !== seen && !shape.ignoresUnknown) noteUnknown(names, shape, from.run);
  return output;
}

function noteUnknown(names: readonly string[], { members, place }: Shape, run: Run): void {
  const unknown = names.find((name) => !members.some(({ json }) => json === name));
  if (unknown !== undefined) run.unknownField ??= run.prefix + place.jsonPrefix + unknown;
}

type NamedPlace = Pick<FieldSite, "formName" | "jsonName" | "place">;

function fieldReader(def: FieldDef, at: NamedPlace): FieldReader {
  if (def.kind === "struct") return nestedReader(def, at);
  const field = at.formName || at.jsonName;
  return def.kind === "list"
    ? listReader(def, { ...at, field, def })
    : leafReader(def, { ...at, field, def });
}

/** Reads a struct; an absent one is read as empty, so that its required fields are reported. */
function nestedReader(def: StructDef, site: NamedPlace): FieldReader {
  const index = indexOf(def);
  const place: StructPlace = {
    formPrefix: `${site.formName}.`,
    jsonPrefix: `${site.jsonName}.`,
    index,
    rootIndex: site.place.rootIndex,
  };
  const inner = structReader(def, place);
  const formNames = [...index.values()].map(({ form }) => place.formPrefix + form);
  const invalid = messageCell("bindInvalid", { param: "", wording: "text" });
  return {
    fromForm: (run) => {
      const form = run.form;
      // A browser sends every input of a group; one without any text counts as absent.
      const isSent = form !== undefined &&
        formNames.some((name) => form.all(name).some((text) => text !== ""));
      if (!isSent && def.partial === true) return undefined;
      if (def.optional && !isSent) return null;
      return whole(run, () => inner.fromForm(run));
    },
    fromJson: (raw, run) => {
      if (raw === undefined && def.partial === true) return undefined;
      if (raw === undefined || raw === null) {
        return def.optional ? null : whole(run, () => inner.fromJson(nothing, run));
      }
      if (isJsonObject(raw)) return whole(run, () => inner.fromJson(raw, run));
      run.fail(run.prefix + site.jsonName, invalid());
      return Failed;
    },
  };
}

function whole(run: Run, read: () => Output): Output | typeof Failed {
  const before = run.failures;
  const output = read();
  return run.failures === before ? output : Failed;
}

function listReader(def: ListDef, site: FieldSite): FieldReader {
  const plan = planField(site);
  // An element has no name: the pass tracks its index.
  const item = fieldReader(def.item, { ...site, jsonName: "" });
  // A member may be absent, an element may not.
  const { kind, optional } = def.item;
  const mayBeNull = optional || kind === "date" || kind === "day";
  const invalid = messageCell("bindInvalid", { param: "", wording: "text" });
  // The built-in rules count the elements; a rule of the application receives converted ones.
  const rules = plan.rules.filter(({ spec }) => appRule(spec.name) === undefined);
  const readAll = <E>(
    elements: readonly E[],
    read: (element: E, at: number) => unknown,
    run: Run,
  ) => {
    const rule = refusingRule(rules, elements, run);
    if (rule !== undefined) return refuse(plan, rule.message, run);
    const before = run.failures;
    const values: unknown[] = [];
    for (const element of elements) {
      if (run.failures >= MAX_LIST_FAILURES) break;
      values.push(read(element, values.length));
    }
    return run.failures === before ? settle(plan, values, run) : Failed;
  };
  return {
    fromForm: (run) => {
      const { form } = run;
      const elements = form &&
        (splitElements(form, site.formName) ??
          (kind === "struct" ? undefined : splitValues(form, site.formName)));
      if (elements === undefined || elements.length === 0) {
        if (def.partial === true) return undefined;
        // Rows that were all emptied are not absent.
        return settle(plan, elements !== undefined && def.optional ? [] : Absent, run);
      }
      return readAll(elements, (element) => {
        run.form = element;
        const value = item.fromForm(run);
        run.form = form;
        return value;
      }, run);
    },
    fromJson: (raw, run) => {
      if (raw === undefined && def.partial === true) return undefined;
      if (raw === undefined || raw === null) return settle(plan, Absent, run);
      if (!Array.isArray(raw)) return settle(plan, Unconvertible, run);
      const outerPrefix = run.prefix;
      return readAll(raw, (element, at) => {
        run.prefix = `${outerPrefix}${site.jsonName}.${at}`;
        const isMissing = element === null && !mayBeNull;
        if (isMissing) run.fail(run.prefix, invalid());
        const value = isMissing ? Failed : item.fromJson(element, run);
        run.prefix = outerPrefix;
        return value;
      }, run);
    },
  };
}

/** Returns the elements of a list that are values of one field, such as checkboxes. */
function splitValues(form: FormReader, list: string): FormReader[] | undefined {
  const values = form.all(list).filter((value) => value !== "");
  if (values.length === 0) return undefined;
  return values.map((value, at) => ({
    ...form,
    sentName: (name) => `${form.sentName?.(name) ?? name}.${at}`,
    all: (name) => name === list ? [value] : form.all(name),
  }));
}

/**
 * Returns the elements of a list in the order of their numbers; one without any text is omitted. Without any field
 * of the list, it returns `undefined`.
 */
function splitElements(form: FormReader, list: string): FormReader[] | undefined {
  const outerName = form.sentName ?? ((name: string) => name);
  const start = `${outerName(list)}.`;
  const numbers = new Set<number>();
  let isSent = false;
  for (const name of form.names()) {
    if (!name.startsWith(start)) continue;
    isSent = true;
    const rest = name.slice(start.length);
    const number = /^(?:0|[1-9]\d{0,14})(?=\.|$)/.exec(rest)?.[0];
    if (number === undefined) continue;
    if (form.all(`${list}.${rest}`).some((text) => text !== "")) numbers.add(Number(number));
  }
  if (!isSent) return undefined;
  return [...numbers].toSorted((a, b) => a - b).map((number) => {
    const numbered = (name: string): string =>
      name === list || name.startsWith(`${list}.`)
        ? `${list}.${number}${name.slice(list.length)}`
        : name;
    const sentName = (name: string): string => outerName(numbered(name));
    return { ...form, sentName, all: (name) => form.all(numbered(name)) };
  });
}
