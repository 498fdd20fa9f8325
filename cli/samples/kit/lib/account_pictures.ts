import { type Ctx, type Upload, use } from "@fw/fw";
import type { User } from "@fw/fw/auth";
import { pictureTypes, struct, text } from "@fw/fw/data";
import { createHash } from "node:crypto";
import { Database } from "./database.ts";

/** The pictures that an account accepts; their type is read from the bytes. */
export const pictureFiles = {
  picture: { accept: pictureTypes, maxSizeBytes: 512 * 1_024, optional: true },
} as const;

const Picture = struct({ type: text(), hash: text() });

/** Returns the type and the hash of the picture of a user. */
export async function findPicture(
  c: Ctx,
  { id }: User,
): Promise<{ readonly type: string; readonly hash: string } | undefined> {
  // Test users without an account have other ids.
  if (!/^\d+$/.test(id)) return undefined;
  return await use(c, Database).first(Picture)`
    select ${Picture} from user_pictures where user_id = ${Number(id)}`;
}

/** Returns the URL of the picture of a user, with its hash, so that a new picture has a new URL. */
export async function pictureUrl(c: Ctx, user: User): Promise<string | undefined> {
  const picture = await findPicture(c, user);
  return picture && c.href("/account/picture", {}, { query: { v: picture.hash } });
}

/** Reads the bytes of a picture; throws `notFound()` if there are none. */
export async function readPicture(c: Ctx, id: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await use(c, Database).one(text())`
    select hex("bytes") from user_pictures where user_id = ${Number(id)}`;
  return Uint8Array.fromHex(bytes);
}

/** Sets the picture of an account. */
export async function setPicture(c: Ctx, id: string, upload: Upload): Promise<void> {
  const bytes = await upload.bytes();
  const hash = createHash("sha256").update(bytes).digest().toString("base64url");
  await use(c, Database).run`
    insert into user_pictures (user_id, type, hash, bytes)
    values (${Number(id)}, ${upload.mime}, ${hash}, ${bytes})
    on conflict (user_id) do update
      set type = excluded.type, hash = excluded.hash, bytes = excluded.bytes`;
}

/** Removes the picture of an account. */
export async function removePicture(c: Ctx, id: string): Promise<void> {
  await use(c, Database).run`delete from user_pictures where user_id = ${Number(id)}`;
}
