/**
 * Looks at the routes and at what the application says of its health.
 *
 * @module
 */
import type { RouteEntry } from "../gen/generator.ts";
import type { PossibleValue } from "../project/settings/production.ts";
import { type Finding, fine, found } from "./finding.ts";
import type { ProjectFacts } from "./project_facts.ts";

const writeMethods: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** Looks whether the generated file is what the tree says. */
export function checkGenerated({ generated, messages }: ProjectFacts): readonly Finding[] {
  const { audit: texts } = messages;
  if (generated.ok) {
    if (!generated.changed) return [fine("generated", texts.generatedFresh)];
    return [found("generated", "critical", { text: texts.generatedStale() })];
  }
  const { problems } = generated;
  const [first] = problems;
  const text = texts.generatedBroken(problems.length, `${first?.code} ${first?.message}`);
  const places = problems.map(({ file, line, column }) => ({ file, line, column }));
  return [found("generated", "critical", { text, places })];
}

/** Looks for routes that write and that nobody said a kind of, beside pages. */
export function checkKinds({ generated, settings, messages }: ProjectFacts): readonly Finding[] {
  const { audit: texts } = messages;
  const routes = generated.ok ? generated.routes : [];
  const isChecked = settings.possible("csrfForApi").every(isTrue);
  const hasPages = routes.some(({ kind, kindSource }) =>
    kind === "page" && kindSource === undefined
  );
  const bare = isChecked || !hasPages ? [] : routes.filter(isBareWriter);
  if (bare.length === 0) return [fine("kinds", texts.kindsDeclared)];
  const places = bare.map(({ source }) => ({ file: source }));
  return [found("kinds", "warning", { text: texts.kindsMissing(), places })];
}

function isBareWriter(route: RouteEntry): boolean {
  const { kind, kindSource, csrf, methods } = route;
  return kind === "api" && kindSource === undefined && csrf === undefined &&
    methods.some((method) => writeMethods.has(method));
}

/** Lists the routes that check no CSRF token by their own will. */
export function checkCsrf({ generated, messages }: ProjectFacts): readonly Finding[] {
  const { audit: texts } = messages;
  const routes = generated.ok ? generated.routes : [];
  const places = routes.flatMap(({ csrf, source }) => csrf === false ? [{ file: source }] : []);
  if (places.length === 0) return [fine("csrf", texts.csrfOn)];
  return [found("csrf", "info", { text: texts.csrfOff(), places })];
}

/** Looks whether the application can say that it is not ready. */
export function checkHealth({ calls, settings, messages }: ProjectFacts): readonly Finding[] {
  const { audit: texts } = messages;
  const isOff = settings.possible("observability.health").every(({ kind }) => kind === "off");
  if (isOff) return [fine("health", texts.healthOff)];
  // `check` of a schema takes a function alone.
  const count = calls.filter((call) => call.name === "check" && call.argumentCount >= 2).length;
  if (count > 0) return [fine("health", texts.healthChecked(count))];
  return [found("health", "warning", { text: texts.healthUnchecked() })];
}

function isTrue(value: PossibleValue): boolean {
  return value.kind === "known" && value.value === true;
}
