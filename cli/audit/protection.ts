import type { Place } from "../problem.ts";
import { type Operation, reachOperations } from "../facts/operations.ts";
import { isShared, protectionOf, signsIn } from "../facts/protection.ts";
import type { AuditFacts } from "./facts.ts";
import { found, type Verdict } from "./verdict.ts";

/** Finds operations that check a password or start a session, and that no rate limit covers. */
export async function checkSignInLimits(facts: AuditFacts): Promise<Verdict> {
  const { project, generated, settings, messages: { audit: texts } } = facts;
  if (!generated.ok) return texts.signInLimited;
  const operations = await reachOperations(project);
  const isLimited = settings.possible("rateLimit.rate").every(({ source }) =>
    source.kind !== "default"
  );
  const places = isLimited
    ? []
    : operations.list.filter((operation) =>
      operation.isWrite && signsIn(operation, operations) &&
      protectionOf(operation, operations).limits.length === 0
    ).map(placeOf);
  if (places.length === 0) return texts.signInLimited;
  return [found("warning", texts.signInUnlimited(), { places })];
}

/** Finds operations with a guard whose code lets shared caches keep the answer. */
export async function checkSharedCache(facts: AuditFacts): Promise<Verdict> {
  const { project, generated, messages: { audit: texts } } = facts;
  if (!generated.ok) return texts.sharedNone;
  const operations = await reachOperations(project);
  const places = operations.list.filter((operation) => {
    const { guards, cache } = protectionOf(operation, operations);
    return guards.length > 0 && isShared(cache.join("+"));
  }).map(placeOf);
  if (places.length === 0) return texts.sharedNone;
  return [found("warning", texts.sharedGuarded(), { places })];
}

function placeOf({ route, handler }: Operation): Place {
  if (handler === undefined) return { file: route.file.path };
  const tree = handler.node.getSourceFile();
  const { line } = tree.getLineAndCharacterOfPosition(handler.node.getStart(tree));
  return { file: handler.file, line: line + 1 };
}
