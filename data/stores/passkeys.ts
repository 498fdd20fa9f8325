import { int, text } from "../../mod.ts";
import type { Passkey, PasskeyStore } from "../../runtime/addon.ts";
import type { Tables } from "./tables.ts";

export function databasePasskeys(tables: Tables): PasskeyStore {
  const { db } = tables;
  const list = async (subject: string): Promise<Passkey[]> => {
    const rows = await db.all(text())`select passkey from fw_passkeys where subject = ${subject}`;
    return rows.map((row): Passkey => JSON.parse(row))
      .sort((a, b) => a.createdAtMs - b.createdAtMs);
  };
  const find = async (id: string): Promise<Passkey | undefined> => {
    const row = await db.first(text())`select passkey from fw_passkeys where id = ${id}`;
    return row === undefined ? undefined : JSON.parse(row);
  };
  return tables.after<PasskeyStore>({
    add: async (passkey, { max }) => {
      const { id, subject, challengedAtMs, userHandle } = passkey;
      return await db.tx(async () => {
        // Serialises additions for one subject. Other subjects need not wait, unlike on SQLite.
        if (db.engine === "postgres") {
          await db.all(int())`select 1 from pg_advisory_xact_lock(hashtextextended(${subject}, 0))`;
        }
        if (await find(id) !== undefined) return "exists";
        const present = await list(subject);
        if (present.some((other) => other.userHandle !== userHandle)) return "handle";
        if (present.length >= max) return "too-many";
        const count = await db
          .run`insert into fw_passkeys (id, subject, challenged_at, passkey)
          values (${id}, ${subject}, ${challengedAtMs}, ${JSON.stringify(passkey)})
          on conflict (id) do nothing`;
        return count === 1 ? "added" : "exists";
      });
    },
    find,
    list,
    use: async (id, use) => {
      for (;;) {
        const passkey = await find(id);
        if (passkey === undefined || passkey.challengedAtMs >= use.challengedAtMs) return false;
        const changed = JSON.stringify({ ...passkey, ...use });
        const count = await db
          .run`update fw_passkeys set passkey = ${changed}, challenged_at = ${use.challengedAtMs}
          where id = ${id} and challenged_at = ${passkey.challengedAtMs}`;
        if (count === 1) return true;
      }
    },
    remove: async (subject, id) =>
      await db.run`delete from fw_passkeys where subject = ${subject} and id = ${id}` === 1,
  });
}
