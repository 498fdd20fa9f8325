import { type Ctx, httpError } from "../mod.ts";
import { clientKey, siteOf } from "../runtime/addon.ts";

/** Maximum number of concurrent tasks: each hash takes 32 MiB and a thread. */
const maxRunning = 4;

/** Maximum number of concurrent tasks per lane, so that the other lane always has a slot. */
const maxRunningInLane = maxRunning - 1;

/** Maximum number of waiting tasks per lane: at a few tenths of a second each, later ones would time out. */
const maxWaiting = 128;

/** Maximum number of sites and clients whose last turn is remembered. */
const maxTurns = 4_096;

interface Waiter {
  readonly client: string;
  readonly site: string;
  start(): void;
  refuse(): void;
}

/** A queue of tasks; one lane is for strangers, the other for tasks with a reserved slot. */
class Lane {
  running = 0;
  #waiting: readonly Waiter[] = [];
  #turns: Map<string, number> = new Map();
  #turn = 0;

  /** Whether a task is waiting that may run. */
  get isReady(): boolean {
    return this.#waiting.length > 0 && this.running < maxRunningInLane;
  }

  add(waiter: Waiter): void {
    this.#waiting = [...this.#waiting, waiter];
    if (this.#waiting.length <= maxWaiting) return;
    // Refuse a task of the flooding site, and of its flooding client, never of anyone else.
    const [oldest] = largest(largest(this.#waiting, "site", waiter), "client", waiter);
    this.#remove(oldest ?? waiter).refuse();
  }

  /**
   * Starts a task of the site, and within it of the client, whose last turn is longest ago. Among those without a
   * turn, the one with the fewest tasks comes first, so that a flood from many networks does not delay a newcomer.
   */
  startNext(): void {
    const next = this.#longestAgo(this.#longestAgo(this.#waiting, "site"), "client")[0];
    if (next === undefined) return;
    this.#turn++;
    // Keeps the map bounded during a flood from ever new addresses.
    if (this.#turns.size > maxTurns) this.#turns = new Map();
    this.#turns.set(next.site, this.#turn).set(next.client, this.#turn);
    this.running++;
    this.#remove(next).start();
  }

  #longestAgo(waiting: readonly Waiter[], by: Owner): readonly Waiter[] {
    const turnOf = ([first]: readonly Waiter[]): number => this.#turns.get(first?.[by] ?? "") ?? 0;
    const groups = [...Map.groupBy(waiting, (waiter) => waiter[by]).values()];
    return groups.toSorted((a, b) => turnOf(a) - turnOf(b) || a.length - b.length)[0] ?? [];
  }

  #remove(waiter: Waiter): Waiter {
    this.#waiting = this.#waiting.filter((other) => other !== waiter);
    if (this.#waiting.length === 0) this.#turns = new Map();
    return waiter;
  }
}

type Owner = "site" | "client";

/** Returns the tasks of the site or client with the most; a tie goes to the newcomer. */
function largest(waiting: readonly Waiter[], by: Owner, newcomer: Waiter): readonly Waiter[] {
  const groups = Map.groupBy(waiting, (waiter) => waiter[by]);
  const own: readonly Waiter[] = groups.get(newcomer[by]) ?? [];
  return groups.values().reduce((most, one) => one.length > most.length ? one : most, own);
}

const lanes = { stranger: new Lane(), reserved: new Lane() } as const;

/**
 * Runs an expensive task, a few at a time in the whole process. Sites (/24, /48) take turns, and clients
 * within a site, so that a flood delays only itself. @throws {HttpError} 503 `password_check_busy` for the
 * oldest task of a flood.
 */
export async function inTurn<T>({ c, isReserved }: {
  /** The context of the request; tasks without one share the turns of one client. */
  readonly c?: Ctx | undefined;
  /** Whether a slot is reserved, as for a known browser of the account or for setting a password. */
  readonly isReserved: boolean;
}, work: () => Promise<T>): Promise<T> {
  const lane = isReserved ? lanes.reserved : lanes.stranger;
  const client = clientKey(c?.clientIp);
  await new Promise<void>((resolve, reject) => {
    lane.add({
      client,
      site: siteOf(client) ?? client.replace(/\.\d+$/, ".0/24"),
      start: resolve,
      refuse: () => {
        const headers = { "retry-after": "2" };
        const message = "Too many passwords are being checked; try again in a moment.";
        reject(httpError(503, message, { code: "password_check_busy", headers }));
      },
    });
    startReady();
  });
  try {
    return await work();
  } finally {
    lane.running--;
    startReady();
  }
}

function startReady(): void {
  const { stranger, reserved } = lanes;
  while (stranger.running + reserved.running < maxRunning) {
    const ready = [stranger, reserved].filter(({ isReady }) => isReady);
    const [next] = ready.toSorted((a, b) => a.running - b.running);
    if (next === undefined) return;
    next.startNext();
  }
}
