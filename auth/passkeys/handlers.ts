import { type Ctx, httpError } from "../../mod.ts";
import { readJsonBody } from "../../runtime/addon.ts";
import { nextPath } from "../next_path.ts";
import type { Sessions } from "../sessions.ts";
import type { User } from "../user.ts";
import type { PasskeyCalls, Passkeys, PasskeyUser } from "./types.ts";

/** Returns the handlers of a route that registers passkeys. */
export function registerHandlers(
  keys: PasskeyCalls,
  { sessions, describe }: {
    readonly sessions: Pick<Sessions, "require">;
    readonly describe: NonNullable<Parameters<Passkeys["registerHandlers"]>[1]>;
  },
): ReturnType<Passkeys["registerHandlers"]> {
  return {
    GET: async (c) => {
      const account = await describe(c, await sessions.require(c));
      return c.json(200, await keys.registrationOptions(c, account));
    },
    POST: async (c) => {
      const { subject } = await describe(c, await sessions.require(c));
      const passkey = await keys.register(c, await readJsonBody(c), { subject });
      return passkey === undefined ? refusal() : c.json(201, { id: passkey.id });
    },
  };
}

/** Returns the handlers of a route that signs in with a passkey. */
export function signInHandlers(
  keys: PasskeyCalls,
  { sessions, findUser, place }: {
    readonly sessions: Pick<Sessions, "start">;
    readonly findUser: Parameters<Passkeys["signInHandlers"]>[1];
    readonly place: NonNullable<Parameters<Passkeys["signInHandlers"]>[2]>;
  },
): ReturnType<Passkeys["signInHandlers"]> {
  return {
    GET: async (c) => c.json(200, await keys.signInOptions(c)),
    POST: async (c) => {
      const passkey = await keys.verify(c, await readJsonBody(c));
      const user = passkey === undefined ? undefined : await findUser(c, passkey.subject);
      if (user === undefined) return refusal();
      await sessions.start(c, user);
      return c.json(200, { location: nextPath(c, place) });
    },
  };
}

function refusal(): ReturnType<typeof httpError> {
  return httpError(400, "The passkey was not accepted.", { code: "passkey_refused" });
}

export function describeUser(_c: Ctx, { provider, subject, email, name }: User): PasskeyUser {
  if (provider !== "") {
    throw httpError(403, "This account signs in at its provider.", { code: "passkey_refused" });
  }
  const shown = email ?? name ?? subject;
  return { subject, name: shown, displayName: name ?? shown };
}
