import { type Ctx, use } from "@fw/fw";
import {
  bool,
  contains,
  type Db,
  type Infer,
  int,
  rowTag,
  type Sql,
  sql,
  struct,
  TableStore,
  text,
} from "@fw/fw/data";
import { Accounts, type AccountStore } from "./accounts.ts";
import { Database } from "./database.ts";

/** The role of administrators, which at least one account keeps. */
const admin = "admin";

/** The roles that administrators give: those of the guards. */
export const roles: readonly string[] = [
  admin,
  // each role
  "editor",
  // end
];

/** What administrators change: roles, separated by spaces, and whether the account is disabled. */
export const UserInput = struct({ role: text("max=1000"), disabled: bool() });
export type UserInput = Infer<typeof UserInput>;

const User = struct({
  id: int(),
  /** The address, else the id: users choose their name, and may enter the address of another one. */
  address: text(),
  name: text(),
  provider: text(),
  role: text(),
  disabled: bool(),
});
type User = Infer<typeof User>;

/** The query of the list; `at` is the cursor of a page, or "last". */
export const UserQuery = struct({
  q: text("max=100").optional(),
  role: text("max=60").optional(),
  disabled: text("oneof=yes").optional(),
  at: text("max=8000").optional(),
});

/** The accounts as administrators see and change them. */
export class UserStore extends TableStore<User, UserInput, Infer<typeof UserQuery>> {
  readonly #accounts: AccountStore;

  constructor(db: Db, accounts: AccountStore) {
    super(db, {
      table: "users",
      rows: User,
      input: UserInput,
      read: sql`
        select t.id, t.name, t.provider, t.role, t.disabled
          , coalesce(nullif(t.email, ''), '#' || t.id) as address
        from users t`,
      orders: { newest: { id: [sql`t.id`, "desc"] } },
      isAudited: true,
      matching: ({ q, role, disabled }) => [
        q && contains("users", q),
        role && hasRole(role),
        disabled && sql`t.disabled`,
      ],
    });
    this.#accounts = accounts;
  }

  /** Changes an account, which ends its sessions; returns `false` for the last administrator. */
  async save(id: number, input: UserInput): Promise<boolean> {
    const before = await this.get(id);
    const isAdmin = rolesOf(input).includes(admin) && !input.disabled;
    const isChanged = rowTag(before) !== rowTag({ ...before, ...input });
    const change = async (): Promise<User> => {
      const user = await this.change(id, input);
      if (isChanged) await this.#accounts.signOut(String(id));
      return user;
    };
    if (isAdmin) await this.db.tx(change);
    else if (await this.#unlessLast(id, change) === undefined) return false;
    // A sign-in may have started a session before the commit.
    if (isChanged) await this.#accounts.endSessions(String(id));
    return true;
  }

  /** Deletes an account with what belongs to it; returns `false` for the last administrator. */
  async delete(id: number): Promise<boolean> {
    const owner = await this.#unlessLast(id, async () => {
      await this.remove(id);
      return await this.#accounts.removeRow(String(id));
    });
    if (owner === undefined) return false;
    await this.#accounts.sessions.deleteBySubject(owner);
    return true;
  }

  /** Runs a change unless the account is the only administrator who can sign in. */
  async #unlessLast<T>(id: number, change: () => Promise<T>): Promise<T | undefined> {
    // Serializable, so that two concurrent changes cannot each count on the other administrator.
    return await this.db.tx(async () => {
      const admins = await this.db.all(int())`
        select t.id from users t where ${hasRole(admin)} and not t.disabled limit 2`;
      return admins.length === 1 && admins[0] === id ? undefined : await change();
    }, { isolation: "serializable" });
  }
}

/** The accounts of the database. */
export function users(c: Ctx): UserStore {
  return new UserStore(use(c, Database), use(c, Accounts));
}

/** Returns the roles of an account. */
export function rolesOf({ role }: UserInput): string[] {
  return role.split(" ").filter((each) => each !== "");
}

/** Returns the name and the provider of a user, which tell accounts with the same address apart. */
export function origin({ name, provider }: Pick<User, "name" | "provider">): string {
  return [name, provider].filter((each) => each !== "").join(" · ");
}

function hasRole(role: string): Sql {
  const all = sql`' ' || t.role || ' '`;
  return sql`t.role <> '' and replace(${all}, ${` ${role} `}, '') <> ${all}`;
}
