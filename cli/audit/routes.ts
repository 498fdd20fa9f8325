import type { Place } from "../problem.ts";
import { isWriteMethod } from "../project/routes/convention_file.ts";
import type { Route } from "../project/routes/table.ts";
import { isSetTrue } from "../project/settings/production.ts";
import { type AuditFacts, type Findings, found, foundAt } from "./facts.ts";

export function checkGeneratedFile({ generated, texts }: AuditFacts): Findings {
  if (generated.ok) {
    if (!generated.changed) return [];
    if (generated.isOtherVersion) return [found("warning", texts.generatedByOther())];
    return [found("critical", texts.generatedStale())];
  }
  const { problems } = generated;
  const [first] = problems;
  const text = texts.generatedBroken(problems.length, `${first?.code} ${first?.message}`);
  const places = problems.flatMap(({ place }) => place ?? []);
  return [found("critical", text, places)];
}

/** Finds routes that write and have no `Kind`, in an application that also has pages. */
export function checkKinds({ generated, settings, texts }: AuditFacts): Findings {
  const routes = generated.ok ? generated.routes : [];
  const isChecked = settings.possible("csrfForApi").every(isSetTrue);
  const hasPages = routes.some(({ file }) => file.base === "page");
  const bare = isChecked || !hasPages ? [] : routes.filter(isBareWriter);
  return foundAt("warning", texts.kindsMissing(), bare.map(placeOfWriter));
}

function placeOfWriter({ file: { path, names } }: Route): Place {
  const [first] = [...names.values()].filter(({ name }) => isWriteMethod(name))
    .sort((one, other) => one.line - other.line);
  return first === undefined ? { file: path } : { file: path, line: first.line };
}

function isBareWriter(route: Route): boolean {
  const { kind, kindFile, checksCsrf, methods } = route;
  return kind === "api" && kindFile === undefined && checksCsrf &&
    methods.some(isWriteMethod);
}

export function checkCsrf({ generated, texts }: AuditFacts): Findings {
  const routes = generated.ok ? generated.routes : [];
  const places = routes.flatMap(({ checksCsrf, file: { path } }) =>
    checksCsrf ? [] : [{ file: path }]
  );
  return foundAt("info", texts.csrfOff(), places);
}

export function checkHealth({ calls, settings, texts }: AuditFacts): Findings {
  const isOff = settings.possible("observability.health").every(({ kind }) => kind === "off");
  if (isOff) return [];
  // `check` of a schema takes only a function.
  if (calls.some((call) => call.name === "check" && call.argumentCount >= 2)) return [];
  return [found("warning", texts.healthUnchecked())];
}
