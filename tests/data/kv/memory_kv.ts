/** An in-memory KV with the versions, checks and structured clones of the real one. */
import type { Kv, KvAtomic, KvFound } from "../../../data/kv/mod.ts";

interface Held {
  readonly key: readonly string[];
  readonly value: unknown;
  readonly versionstamp: string;
  readonly expireIn: number | undefined;
}

type Key = readonly string[];

export class MemoryKv implements Kv {
  readonly held = new Map<string, Held>();
  readonly counts = { reads: 0, commits: 0 };
  /** Called before each commit, to simulate other replicas. */
  beforeCommit: () => void | Promise<void> = () => {};
  #version = 0;

  /** Sets an entry, as another program would. */
  put(key: Key, value: unknown, expireIn?: number): void {
    const versionstamp = String(++this.#version).padStart(20, "0");
    const held = { key, value: structuredClone(value), versionstamp, expireIn };
    this.held.set(JSON.stringify(key), held);
  }

  get(key: Key): Promise<KvFound> {
    this.counts.reads++;
    return Promise.resolve(this.#find(key));
  }

  getMany(keys: readonly Key[]): Promise<readonly KvFound[]> {
    this.counts.reads++;
    if (keys.length > 10) return Promise.reject(new TypeError("Too many ranges (max 10)"));
    return Promise.resolve(keys.map((key) => this.#find(key)));
  }

  async *list(
    { prefix }: { readonly prefix: Key },
  ): AsyncGenerator<{ key: readonly unknown[]; versionstamp: string }> {
    const text = (key: Key): string => key.join("\0");
    const found = [...this.held.values()].filter(({ key }) =>
      prefix.every((part, at) => key[at] === part)
    );
    for (const held of found.toSorted((a, b) => text(a.key) < text(b.key) ? -1 : 1)) {
      yield await Promise.resolve(held);
    }
  }

  atomic(): KvAtomic {
    const checks: { key: Key; versionstamp: string | null }[] = [];
    const changes: (() => void)[] = [];
    const operation: KvAtomic = {
      check: (check) => {
        checks.push(check);
        return operation;
      },
      set: (key, value, { expireIn } = {}) => {
        const clone = structuredClone(value);
        changes.push(() => this.put(key, clone, expireIn));
        return operation;
      },
      delete: (key) => {
        changes.push(() => this.held.delete(JSON.stringify(key)));
        return operation;
      },
      commit: async () => {
        await this.beforeCommit();
        this.counts.commits++;
        const isStale = checks.some(({ key, versionstamp }) =>
          this.#find(key).versionstamp !== versionstamp
        );
        if (isStale) return { ok: false };
        if (checks.length > 100 || changes.length > 1_000) throw new TypeError("Too many");
        const before = this.#version;
        for (const change of changes) {
          // All changes of a commit get the same version.
          this.#version = before;
          change();
        }
        return { ok: true, versionstamp: String(before + 1).padStart(20, "0") };
      },
    };
    return operation;
  }

  #find(key: Key): KvFound {
    const held = this.held.get(JSON.stringify(key));
    return held === undefined
      ? { value: null, versionstamp: null }
      : { value: structuredClone(held.value), versionstamp: held.versionstamp };
  }
}
