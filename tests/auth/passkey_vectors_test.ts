import { assert, assertEquals, assertRejects } from "@std/assert";
import { checkRegistration } from "../../auth/passkeys/ceremony.ts";
import { verifySignature } from "../../auth/passkeys/cose_key.ts";
import { PasskeyFault } from "../../auth/passkeys/fault.ts";
import { type Vector, vectors } from "./webauthn_vectors.ts";

const text = (hex: string): string =>
  Uint8Array.fromHex(hex).toBase64({ alphabet: "base64url", omitPadding: true });

const challengeOf = (hex: string): string =>
  JSON.parse(new TextDecoder().decode(Uint8Array.fromHex(hex))).challenge;

const rpIdHash = "bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b5";

const rules = { rpId: "example.org", origins: ["https://example.org"] };

/** Sets the flag of user verification, which the vectors lack. */
function verified(attestationObject: string): string {
  const at = attestationObject.indexOf(rpIdHash) + rpIdHash.length;
  const flags = parseInt(attestationObject.slice(at, at + 2), 16) | 0x04;
  return attestationObject.slice(0, at) + flags.toString(16).padStart(2, "0") +
    attestationObject.slice(at + 2);
}

function registrationOf({ registration }: Vector): [given: unknown, challenge: string] {
  const { credentialId, clientDataJSON } = registration;
  const attestationObject = verified(registration.attestationObject);
  const response = {
    clientDataJSON: text(clientDataJSON),
    attestationObject: text(attestationObject),
  };
  return [{ id: text(credentialId), type: "public-key", response }, challengeOf(clientDataJSON)];
}

for (const vector of vectors) {
  Deno.test(`passkeys: vector ${vector.name}`, async () => {
    const [given, challenge] = registrationOf(vector);
    const passkey = await checkRegistration(given, { ...rules, challenge });
    assertEquals(passkey.id, text(vector.registration.credentialId));
    assertEquals([passkey.publicKey.alg, passkey.signCount], [vector.alg, 0]);
    const parts = ["authenticatorData", "clientDataJSON", "signature"] as const;
    const verify = async (change?: typeof parts[number], at = 0): Promise<boolean> => {
      const [data, client, signature] = parts.map((name) => {
        const bytes = Uint8Array.fromHex(vector.authentication[name]);
        return name === change ? bytes.with(at, (bytes[at] ?? 0) ^ 1) : bytes;
      });
      const hash = new Uint8Array(
        await crypto.subtle.digest("SHA-256", client ?? new Uint8Array()),
      );
      const signed = new Uint8Array([...data ?? [], ...hash]);
      return verifySignature(passkey.publicKey, signature ?? new Uint8Array(), signed);
    };
    assert(await verify());
    // Every byte of the signed data and of the signature matters.
    for (const name of parts) {
      const { length } = Uint8Array.fromHex(vector.authentication[name]);
      for (let at = 0; at < length; at += 7) assert(!await verify(name, at));
    }
  });

  Deno.test(`passkeys: vector ${vector.name}, truncated at every byte`, async () => {
    const [given, challenge] = registrationOf(vector);
    const whole = Uint8Array.fromHex(vector.registration.attestationObject);
    for (let length = 0; length < whole.length; length += 13) {
      const attestationObject = whole.subarray(0, length)
        .toBase64({ alphabet: "base64url", omitPadding: true });
      const { response, ...rest } = given as { response: object };
      await assertRejects(
        () =>
          checkRegistration(
            { ...rest, response: { ...response, attestationObject } },
            { ...rules, challenge },
          ),
        PasskeyFault,
      );
    }
  });
}
