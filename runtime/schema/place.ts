import { FieldErrors } from "../base/errors/field_errors.ts";
import type { JsonObject } from "../base/values.ts";
import type { AnyCheck, FieldDef, StructDef } from "./types.ts";

/** Reads the fields of a form, independent of how they are stored. */
export interface FormReader {
  /** Returns all values of a field, in order; none if it was not sent. */
  all(name: string): readonly string[];
  /** Returns the name of every field that was sent; a name may repeat. */
  names(): Iterable<string>;
  /** Returns the time zone of local times. @default UTC */
  readonly zone?: (() => string) | undefined;
  /** Returns the submitted name; in a list element, `items.0.sku` for `items.sku`. */
  readonly sentName?: (name: string) => string;
}

export const Failed: unique symbol = Symbol("failed");

/** One pass over an input. Messages are in an array, because an `Error` costs more than validating. */
export class Run {
  /** The form, or `undefined` for a JSON body. */
  form: FormReader | undefined;
  readonly root: JsonObject;
  /** Whether the source proves that every string of the JSON body is plain (`bench/validate`). */
  readonly isPlainText: boolean;
  /** Number of members of all objects of the JSON body together; 0 if unknown. */
  members = 0;
  scope: JsonObject;
  /** Prefix of JSON names inside a list: `items.0.` */
  prefix = "";
  unknownField: string | undefined = undefined;
  failures = 0;
  #found: string[] | undefined = undefined;

  constructor(form: FormReader | undefined, root: JsonObject, isPlainText: boolean) {
    this.form = form;
    this.root = root;
    this.scope = root;
    this.isPlainText = isPlainText;
  }

  fail(field: string, message: string): void {
    this.failures++;
    const name = this.form?.sentName?.(field) ?? field;
    if (this.#found === undefined) this.#found = [name, message];
    else this.#found.push(name, message);
  }

  errors(): FieldErrors {
    const errors = new FieldErrors();
    const found = this.#found ?? [];
    for (let i = 0; i < found.length; i += 2) errors.add(found[i] ?? "", found[i + 1] ?? "");
    return errors;
  }
}

/** Reads an own member, so that a name such as `constructor` finds no inherited one. */
export function ownMember(input: JsonObject, name: string): unknown {
  return Object.hasOwn(input, name) ? input[name] : undefined;
}

export function scalarText(value: unknown): string {
  const first = Array.isArray(value) ? value[0] : value;
  if (typeof first === "string") return first;
  const isScalar = typeof first === "number" || typeof first === "boolean";
  return isScalar ? String(first) : "";
}

export function memberAt(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (const name of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = ownMember(value as JsonObject, name);
  }
  return value;
}

/** A field as seen from a struct that encloses it, directly or not. */
export interface Site {
  readonly def: FieldDef;
  /** Dotted form name, relative to that struct. */
  readonly form: string;
  readonly json: readonly string[];
}

/** Finds a field by its form name or by its property path. */
export type SiteIndex = ReadonlyMap<string, Site>;

export interface StructPlace {
  /** Prefix of the form names of its fields: `home.` */
  readonly formPrefix: string;
  /** Prefix of the JSON names of its fields, relative to the enclosing list element. */
  readonly jsonPrefix: string;
  readonly index: SiteIndex;
  readonly rootIndex: SiteIndex;
}

/** Lists the fields of a struct and its nested structs, without list elements. */
export function indexOf(def: StructDef): SiteIndex {
  const byForm = new Map<string, Site>();
  const byProperty = new Map<string, Site>();
  collect(def, { form: "", json: [], property: "" }, { byForm, byProperty });
  return new Map([...byProperty, ...byForm]);
}

function collect(
  def: StructDef,
  prefixes: Pick<Site, "form" | "json"> & { readonly property: string },
  into: Readonly<Record<"byForm" | "byProperty", Map<string, Site>>>,
): void {
  const jsonNames = new Set<string>();
  for (const [key, field] of def.fields) {
    const json = field.names.json ?? key;
    const site: Site = {
      def: field,
      form: prefixes.form + (field.names.form ?? key),
      json: [...prefixes.json, json],
    };
    if (jsonNames.has(json)) throw duplicateName("JSON", site.json.join("."));
    jsonNames.add(json);
    if (into.byForm.has(site.form)) throw duplicateName("form", site.form);
    into.byForm.set(site.form, site);
    into.byProperty.set(prefixes.property + key, site);
    if (field.kind === "struct") {
      const property = `${prefixes.property}${key}.`;
      collect(field, { form: `${site.form}.`, json: site.json, property }, into);
    }
  }
}

function duplicateName(kind: string, name: string): TypeError {
  return new TypeError(
    `Cannot use the ${kind} name "${name}" for two fields of a schema: rename one of them.`,
  );
}

interface FoundSite {
  readonly def: FieldDef;
  readonly form: string;
  readonly json: (run: Run) => unknown;
}

/** Finds a field by name: first in the struct itself, then in the whole schema. */
export function findSite(place: StructPlace, name: string): FoundSite | undefined {
  const own = place.index.get(name);
  const site = own ?? place.rootIndex.get(name);
  if (site === undefined) return undefined;
  const form = (own === undefined ? "" : place.formPrefix) + site.form;
  const json = (run: Run): unknown => memberAt(own === undefined ? run.root : run.scope, site.json);
  return { def: site.def, form, json };
}

export function sentText(site: FoundSite, run: Run): string | undefined {
  if (run.form !== undefined) return run.form.all(site.form)[0];
  const value = site.json(run);
  return value === undefined || value === null ? undefined : scalarText(value);
}

/** Runs the checks of a field, or of a struct (without `field`), in order, until one fails. */
export function runChecks(
  checks: readonly AnyCheck[],
  value: unknown,
  { place, field, run }: {
    readonly place: StructPlace;
    readonly field: string | undefined;
    readonly run: Run;
  },
): void {
  const before = run.failures;
  for (const check of checks) {
    const result: unknown = check(value);
    if (result === undefined || result === null) continue;
    if (typeof result === "string" && field !== undefined) {
      run.fail(field, result);
    } else if (result instanceof FieldErrors) {
      for (const [name, message] of result) run.fail(nameIn(place, name, run), message);
    } else {
      throw new TypeError(
        `Cannot use the result of the check of "${field ?? "struct"}": it must be nothing or ` +
          "FieldErrors (a field's may be a message), and never a promise; " +
          "check against data after bind.",
      );
    }
    if (run.failures > before) return;
  }
}

function nameIn(place: StructPlace, field: string, run: Run): string {
  const site = place.index.get(field);
  if (run.form !== undefined) return place.formPrefix + (site?.form ?? field);
  return run.prefix + place.jsonPrefix + (site?.json.join(".") ?? field);
}
