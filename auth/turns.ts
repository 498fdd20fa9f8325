import { type Ctx, httpError } from "../mod.ts";
import { clientKey, siteOf } from "../runtime/addon.ts";

/** Maximum number that run at once: each hash takes 32 MiB and a thread. */
const maxRunning = 4;

/** Maximum number of one lane that run at once, so that the other lane always has a place. */
const maxRunningInLane = maxRunning - 1;

/** Maximum number of one lane that wait: at a few tenths of a second each, those behind would wait in vain. */
const maxWaiting = 128;

/** Maximum number of sites and clients whose last turn is known. */
const maxTurns = 4_096;

/** Whose work waits: the request, and whether it has a place of its own. */
export interface TurnOwner {
  /** The context of the request; work without one shares the turns of one client. */
  readonly c?: Ctx | undefined;
  /** Whether a place is reserved: for a browser that the account knows, and for setting a password. */
  readonly isReserved: boolean;
}

interface Waiter {
  readonly client: string;
  readonly site: string;
  start(): void;
  refuse(): void;
}

/** The work of one kind: strangers in one lane, those with a reserved place in the other. */
class Lane {
  running = 0;
  #waiting: readonly Waiter[] = [];
  /** When each client and site that waits had its last turn. */
  #turns: Map<string, number> = new Map();
  #turn = 0;

  /** Reports whether work waits that may run. */
  get isReady(): boolean {
    return this.#waiting.length > 0 && this.running < maxRunningInLane;
  }

  add(waiter: Waiter): void {
    this.#waiting = [...this.#waiting, waiter];
    if (this.#waiting.length <= maxWaiting) return;
    // The site that floods pays, and in it the client that does: never those who came from elsewhere.
    const [oldest] = largest(largest(this.#waiting, "site", waiter), "client", waiter);
    this.#remove(oldest ?? waiter).refuse();
  }

  /**
   * Starts the work of the site, and in it of the client, whose last turn is the longest ago. Of those that had
   * none, one with little work comes first: a flood of many networks must not keep a newcomer waiting.
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

/** Returns the work of the site or client with most of it; the newcomer's where another has as much. */
function largest(waiting: readonly Waiter[], by: Owner, newcomer: Waiter): readonly Waiter[] {
  const groups = Map.groupBy(waiting, (waiter) => waiter[by]);
  const own: readonly Waiter[] = groups.get(newcomer[by]) ?? [];
  return groups.values().reduce((most, one) => one.length > most.length ? one : most, own);
}

const lanes = { stranger: new Lane(), reserved: new Lane() } as const;

/**
 * Runs expensive work, a few at a time in the whole process. Sites (/24, /48) take turns, and in a site its
 * clients, so that a flood waits for itself. @throws {HttpError} 503 `password_check_busy` for the oldest of a
 * flood.
 */
export async function inTurn<T>({ c, isReserved }: TurnOwner, work: () => Promise<T>): Promise<T> {
  const lane = isReserved ? lanes.reserved : lanes.stranger;
  const client = clientKey(c?.clientIp);
  await new Promise<void>((resolve, reject) => {
    lane.add({
      client,
      site: siteOf(client) ?? client.replace(/\.\d+$/, ".0/24"),
      start: resolve,
      refuse: () => reject(busy()),
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

function busy(): Error {
  return httpError(503, "Too many passwords are being checked; try again in a moment.", {
    code: "password_check_busy",
    headers: { "retry-after": "2" },
  });
}
