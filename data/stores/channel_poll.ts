export interface ChannelPoll {
  readonly onChange: (channel: string) => void;
  readonly watched: () => readonly string[];
  readonly pollMs: number;
}

/** Returns what differs after each message, by channel. */
export type ReadPlaces = (
  channels: readonly string[],
) => Promise<readonly (readonly [channel: string, place: string])[]>;

/** Asks a store that tells of no change by itself. Returns what ends it. */
export function pollChannels(poll: ChannelPoll, read: ReadPlaces): () => void {
  let known: ReadonlyMap<string, string> = new Map();
  let isOver = false;
  let timer: ReturnType<typeof setTimeout>;
  const look = async (): Promise<void> => {
    const names = poll.watched();
    if (names.length === 0) return;
    const places = new Map(await read(names));
    for (const [name, place] of places) if (known.get(name) !== place) poll.onChange(name);
    known = places;
  };
  const next = (): void => {
    if (isOver) return;
    // A store that is down is asked again.
    timer = setTimeout(() => void look().catch(() => {}).finally(next), poll.pollMs);
  };
  next();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
