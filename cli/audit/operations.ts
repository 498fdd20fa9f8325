import { placeOf } from "../project/sources/syntax.ts";
import { appFolder } from "@fw/fw/conventions";
import { basename, dirname } from "@std/path";
import type { Operation, Operations } from "../facts/operations.ts";
import { isShared, protectionOf, signsIn } from "../facts/protection.ts";
import type { Place } from "../problem.ts";
import type { Route } from "../project/routes/table.ts";
import { type AuditFacts, type Findings, found, foundAt } from "./facts.ts";
import { isWriteMethod } from "../project/routes/convention_file.ts";
import { isSetTrue } from "../project/settings/production.ts";

/** Finds operations that check a password or start a session, and that no rate limit covers. */
export function checkSignInLimits(facts: AuditFacts): Findings {
  const { operations, generated, settings, texts } = facts;
  const isLimited = settings.possible("rateLimit.rate").every(({ source }) =>
    source.kind !== "default"
  );
  if (!generated.ok || isLimited) return [];
  const places = operations.list.filter((operation) =>
    operation.isWrite && signsIn(operation, operations) &&
    protectionOf(operation, operations).limits.length === 0
  ).map(handlerPlace);
  return foundAt("warning", texts.signInUnlimited(), places);
}

/** Finds operations with a guard whose code lets shared caches keep the answer. */
export function checkSharedCache(facts: AuditFacts): Findings {
  const { operations, generated, texts } = facts;
  const places = !generated.ok ? [] : operations.list.filter((operation) => {
    const { guards, cache } = protectionOf(operation, operations);
    return guards.length > 0 && isShared(cache.join("+"));
  }).map(handlerPlace);
  return foundAt("warning", texts.sharedGuarded(), places);
}

function handlerPlace({ route, handler }: Operation): Place {
  if (handler === undefined) return { file: route.file.path };
  return { file: handler.file, line: placeOf(handler.node).line };
}

/** Checks that each route that upgrades knows its client: by a guard, in its middleware or its handler. */
export function checkSockets(facts: AuditFacts): Findings {
  const { operations, generated, calls, texts } = facts;
  const files = new Set(
    calls.filter(({ name, isOnContext }) => name === "upgradeWebSocket" || isOnContext)
      .filter(({ name }) => name.startsWith("upgrade")).map(({ file }) => file),
  );
  if (files.size === 0) return [];
  // Only a GET can be upgraded, and a page that imports such a file rarely does so for the upgrade.
  const upgrades = ({ file, methods }: Route): boolean =>
    files.has(file.path) || (file.base === "route" && methods.includes("GET") &&
      operations.names.someSource(file.path, ({ path }) => files.has(path)));
  const places = (generated.ok ? operations.list : [])
    .filter(({ route, method }) => method === "GET" && upgrades(route))
    .filter((operation) => operations.guards.list(operation).length === 0)
    .map(({ route: { file: { path } } }) => ({ file: path }));
  return foundAt("warning", texts.socketsOpen(), places);
}

/**
 * Looks for routes without a guard beside a folder that has one: a guard covers its folder alone. Code of a
 * route or its middleware that makes a 401 or 403 counts as a guard. Directly in
 * the root of the routes stands the public part of the application: there only routes that write count, and
 * none that has to do with the sign-in itself. A guard in a group, such as `members-`, was put around some
 * routes and not around those beside it: of them, those that only read are worth a look and no warning.
 */
export function checkGuards(facts: AuditFacts): Findings {
  const { operations, generated, texts } = facts;
  if (!generated.ok) return [];
  const { names } = operations;
  const places = names.floatingGuards();
  if (places.length > 0) return [found("critical", texts.guardsFloating(), places)];
  const folders = guardedFolders(operations);
  if (folders.length === 0) return [];
  const groups: Record<"inner" | "readable" | "outer", Set<string>> = {
    inner: new Set(),
    readable: new Set(),
    outer: new Set(),
  };
  for (const { route: { file, middleware }, isWrite } of bareOperations(operations)) {
    // A guard of one method, such as `MiddlewareDELETE`, leaves the others of its folder open.
    const beside = folders.filter(({ folder, parent }) =>
      (parent !== appFolder && file.path.startsWith(`${parent}/`)) ||
      (isWrite && file.path.startsWith(`${folder}/`))
    );
    const knows = [file, ...middleware].some(({ path }) => names.knows(path));
    if (beside.length > 0) {
      const isInner = isWrite || beside.some(({ isGroup }) => !isGroup);
      groups[isInner ? "inner" : "readable"].add(file.path);
    } else if (isWrite && !knows && folders.some(({ parent }) => parent === appFolder)) {
      groups.outer.add(file.path);
    }
  }
  const findings = [
    { severity: "warning", text: texts.guardsMissing(), files: [...groups.inner] },
    {
      severity: "info",
      text: texts.guardsBeside(),
      files: [...groups.readable].filter((file) => !groups.inner.has(file)),
    },
    { severity: "info", text: texts.guardsWriting(), files: [...groups.outer] },
  ] as const;
  return findings.flatMap(({ severity, text, files }) =>
    foundAt(severity, text, files.map((file) => ({ file })))
  );
}

function bareOperations(operations: Operations): readonly Operation[] {
  return operations.list.filter((each) => operations.guards.list(each).length === 0);
}

function guardedFolders(operations: Operations): readonly {
  readonly folder: string;
  readonly parent: string;
  readonly isGroup: boolean;
}[] {
  const files = operations.list.flatMap((operation) =>
    operation.route.middleware.map(({ path }) => path).filter((path) => {
      const middleware = operation.middleware.filter(({ file }) => file === path);
      const own = { ...operation, handler: undefined, middleware };
      return operations.guards.list(own).length > 0;
    })
  );
  return [...new Set(files.map((path) => dirname(path)))].map((folder) => ({
    folder,
    parent: dirname(folder),
    isGroup: basename(folder).endsWith("-"),
  }));
}

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
