import { appFolder } from "@fw/fw/conventions";
import { basename, dirname } from "@std/path";
import type { Operation, Operations } from "../facts/operations.ts";
import { isShared, protectionOf, signsIn } from "../facts/protection.ts";
import type { Place } from "../problem.ts";
import { isWriteMethod } from "../project/routes/convention_file.ts";
import type { Route } from "../project/routes/table.ts";
import { isSetTrue } from "../project/settings/settings.ts";
import { isOnContext } from "../project/sources/calls.ts";
import { nodePlace } from "../project/sources/syntax.ts";
import { type AuditFacts, type Checks, type Findings, found, foundAt } from "./facts.ts";

export const operationChecks = {
  /** Finds operations without a rate limit that check a password or start a session. */
  "sign-in-limits": ({ operations, settings, texts }) => {
    const isLimited = settings.possible("rateLimit.rate").every(({ source }) =>
      source.kind !== "default"
    );
    const places = isLimited
      ? []
      : operations.list.filter((operation) =>
        operation.isWrite && signsIn(operation, operations) &&
        protectionOf(operation, operations).limits.length === 0
      ).map(handlerPlace);
    return foundAt("warning", texts.signInUnlimited(), places);
  },

  /** Finds guarded operations whose response shared caches may store. */
  "shared-cache": ({ operations, texts }) => {
    const places = operations.list.filter((operation) => {
      const { guards, cache } = protectionOf(operation, operations);
      return guards.length > 0 && isShared(cache.join("+"));
    }).map(handlerPlace);
    return foundAt("warning", texts.sharedGuarded(), places);
  },

  /** Checks that each WebSocket route has a guard or identifies its client itself. */
  sockets: ({ operations: { reach, guards, list }, texts }) => {
    const places = list.filter((operation) => {
      const { handler, method } = operation;
      // Only a GET can be upgraded.
      return method === "GET" && handler !== undefined &&
        reach.from(handler).calls.some(({ name, node }) =>
          name === "upgradeWebSocket" || (name === "upgrade" && isOnContext(node))
        ) && guards.list(operation).length === 0;
    }).map(({ route: { file: { path } } }) => ({ file: path }));
    return foundAt("warning", texts.socketsOpen(), places);
  },

  guards: ({ operations, generated, texts }) => {
    if (!generated.ok) return [];
    const places = operations.names.floatingGuards();
    return places.length > 0
      ? [found("critical", texts.guardsFloating(), places)]
      : findBareRoutes(operations, texts);
  },

  generated: ({ generated, texts }) => {
    if (generated.ok) {
      return generated.changed ? [found("critical", texts.generatedStale())] : [];
    }
    const { problems } = generated;
    const [first] = problems;
    const text = texts.generatedBroken(problems.length, `${first?.code} ${first?.message}`);
    return [found("critical", text, problems.flatMap(({ place }) => place ?? []))];
  },

  /** Finds routes that write and have no `Kind`, in an application that also has pages. */
  kinds: ({ generated, settings, texts }) => {
    const { routes } = generated;
    const isChecked = settings.possible("csrfForApi").every(isSetTrue);
    const hasPages = routes.some(({ file }) => file.base === "page");
    const bare = isChecked || !hasPages
      ? []
      : routes.filter((route) =>
        route.kind === "api" && route.kindFile === undefined && route.checksCsrf &&
        route.methods.some(isWriteMethod)
      );
    return foundAt("warning", texts.kindsMissing(), bare.map(placeOfWriter));
  },

  csrf: ({ generated, texts }) => {
    const open = generated.routes.filter(({ checksCsrf }) => !checksCsrf);
    return foundAt("info", texts.csrfOff(), open.map(({ file: { path } }) => ({ file: path })));
  },

  health: ({ calls, settings, texts }) => {
    const isOff = settings.possible("observability.health").every(({ kind }) => kind === "off");
    // `check` of a schema takes only a function.
    const isChecked = calls.some(({ name, node }) =>
      name === "check" && node.arguments.length >= 2
    );
    return isOff || isChecked ? [] : [found("warning", texts.healthUnchecked())];
  },
} satisfies Checks;

function handlerPlace({ route, handler }: Operation): Place {
  if (handler === undefined) return { file: route.file.path };
  return { file: handler.file, line: nodePlace(handler.node).line };
}

function placeOfWriter({ file: { path, names } }: Route): Place {
  const [first] = [...names.values()].filter(({ name }) => isWriteMethod(name))
    .sort((one, other) => one.line - other.line);
  return first === undefined ? { file: path } : { file: path, line: first.line };
}

/**
 * Finds routes without a guard beside a guarded folder: a guard covers only its own folder. Code of
 * a route or its middleware that creates a 401 or 403 counts as a guard. Routes directly in the
 * root are taken as public: there only routes that write are reported, except those of the sign-in
 * itself. Beside a group with a guard, such as `members-`, routes that only read are taken as
 * public too.
 */
function findBareRoutes(operations: Operations, texts: AuditFacts["texts"]): Findings {
  const { names } = operations;
  const folders = guardedFolders(operations);
  if (folders.length === 0) return [];
  const [inner, outer] = [new Set<string>(), new Set<string>()];
  const bare = operations.list.filter((each) => operations.guards.list(each).length === 0);
  for (const { route: { file, middleware }, isWrite } of bare) {
    // A guard of one method, such as `MiddlewareDELETE`, leaves the folder's other methods open.
    // Without a guard of reads, those are taken as public.
    const beside = folders.filter(({ folder, parent, guardsReads }) =>
      (isWrite || guardsReads) && parent !== appFolder && file.path.startsWith(`${parent}/`) ||
      (isWrite && file.path.startsWith(`${folder}/`))
    );
    const knows = [file, ...middleware].some(({ path }) => names.knows(path));
    if (beside.length > 0) {
      if (isWrite || beside.some(({ isGroup }) => !isGroup)) inner.add(file.path);
    } else if (isWrite && !knows && folders.some(({ parent }) => parent === appFolder)) {
      outer.add(file.path);
    }
  }
  const placesIn = (files: Iterable<string>): Place[] => [...files].map((file) => ({ file }));
  return [
    ...foundAt("warning", texts.guardsMissing(), placesIn(inner)),
    ...foundAt("info", texts.guardsWriting(), placesIn(outer)),
  ];
}

function guardedFolders(operations: Operations): readonly {
  readonly folder: string;
  readonly parent: string;
  readonly isGroup: boolean;
  readonly guardsReads: boolean;
}[] {
  const guardsReads = new Map<string, boolean>();
  for (const operation of operations.list) {
    for (const { path, names } of operation.route.middleware) {
      const middleware = operation.middleware.filter(({ file }) => file === path);
      const own = { ...operation, handler: undefined, middleware };
      if (operations.guards.list(own).length === 0) continue;
      const folder = dirname(path);
      const isOfReads = !operation.isWrite || names.has("Middleware");
      guardsReads.set(folder, isOfReads || guardsReads.get(folder) === true);
    }
  }
  return [...guardsReads].map(([folder, guardsReads]) => ({
    folder,
    parent: dirname(folder),
    isGroup: basename(folder).endsWith("-"),
    guardsReads,
  }));
}
