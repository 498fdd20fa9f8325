import { AsyncLocalStorage } from "node:async_hooks";
import type { Call, Result, Transaction } from "./engine.ts";
import type { Limit } from "./limit.ts";

export interface Scope {
  readonly db: object;
  readonly transaction: Transaction;
  /** The scope of the code that began it, of this or another database. */
  readonly outer: Scope | undefined;
  /** Whether each change has a savepoint, so that one that fails does not end the transaction. */
  readonly savesChanges: boolean;
  /** Ends with those of the scopes around it. */
  readonly limit: Limit;
  /** Why no statement may run any more. */
  ended: Error | undefined;
  /** Settles when the statements so far have ended. */
  tail: Promise<unknown>;
}

export const scopes: AsyncLocalStorage<Scope | undefined> = new AsyncLocalStorage();

/** Runs work of a scope after what it runs already: a child holds back the statements of its parent. */
export function inSerial<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
  const run = (): Promise<T> => {
    if (scope.ended !== undefined) throw scope.ended;
    return work();
  };
  const result = scope.tail.then(run, run);
  scope.tail = result.catch(() => {});
  return result;
}

export function runScoped(scope: Scope, call: Call): Promise<Result> {
  if (scope.ended !== undefined) return Promise.reject(scope.ended);
  return inSerial(scope, async () => {
    if (!scope.savesChanges || call.plan.isRead) return await scope.transaction.run(call);
    const savepoint = await scope.transaction.save();
    try {
      const result = await scope.transaction.run(call);
      await savepoint.release();
      return result;
    } catch (error) {
      await savepoint.undo();
      throw error;
    }
  });
}

export function holdsTransaction(): boolean {
  let scope = scopes.getStore();
  while (scope !== undefined && scope.ended !== undefined) scope = scope.outer;
  return scope !== undefined;
}

/** Ends a scope: what waits is refused, what runs is awaited. */
export async function settleScope(scope: Scope): Promise<void> {
  scope.ended ??= new Error("The transaction has ended: await what it starts.");
  scope.limit.endChildren(scope.ended);
  await scope.tail;
}
