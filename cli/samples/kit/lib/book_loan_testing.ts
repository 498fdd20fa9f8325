/**
 * Adds the rows that the tests of book loans refer to.
 *
 * @module
 */
import type { Db } from "@fw/fw/data";

/** Adds the rows that the samples of the tests refer to. */
export async function addReferenced(db: Db): Promise<void> {
  // each referenced
  await db
    .run`insert into "users" ("email", "password") values ('email1@example.org', 'Password 1'), ('email2@example.org', 'Password 2')`;
  // end
}
