import { assert, assertEquals, assertRejects } from "@std/assert";
import { checkAssertion, checkRegistration } from "../../auth/passkeys/ceremony.ts";
import { PasskeyFault } from "../../auth/passkeys/fault.ts";
import { type Vector, vectors } from "./webauthn_vectors.ts";

const text = (hex: string): string =>
  Uint8Array.fromHex(hex).toBase64({ alphabet: "base64url", omitPadding: true });

const challengeOf = (hex: string): string =>
  JSON.parse(new TextDecoder().decode(Uint8Array.fromHex(hex))).challenge;

const rules = { rpId: "example.org", origins: ["https://example.org"], isVerified: 0 > 1 };

function registrationOf({ registration }: Vector): [given: unknown, challenge: string] {
  const { credentialId, clientDataJSON, attestationObject } = registration;
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
    const { authenticatorData, clientDataJSON, signature } = vector.authentication;
    const response = {
      authenticatorData: text(authenticatorData),
      clientDataJSON: text(clientDataJSON),
      signature: text(signature),
    };
    const assertion = { id: passkey.id, type: "public-key", response };
    const known = { ...passkey, userHandle: "x" };
    const used = { ...rules, challenge: challengeOf(clientDataJSON) };
    assertEquals((await checkAssertion(assertion, used, known)).signCount, 0);
    // Every byte of the signed data and of the signature matters.
    for (const name of ["authenticatorData", "clientDataJSON", "signature"] as const) {
      const bytes = Uint8Array.fromHex(vector.authentication[name]);
      for (let at = 0; at < bytes.length; at += name === "signature" ? 7 : 11) {
        const changed = bytes.slice();
        changed[at] = (changed[at] ?? 0) ^ 1;
        const member = changed.toBase64({ alphabet: "base64url", omitPadding: true });
        await assertRejects(
          () =>
            checkAssertion(
              { ...assertion, response: { ...response, [name]: member } },
              used,
              known,
            ),
          PasskeyFault,
        );
      }
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

Deno.test("passkeys: refuse vectors without user verification by default", async () => {
  const [first] = vectors;
  assert(first !== undefined);
  const [given, challenge] = registrationOf(first);
  const run = () => checkRegistration(given, { ...rules, isVerified: 0 < 1, challenge });
  const error = await assertRejects(run, PasskeyFault);
  assertEquals(error.reason, "verification");
});
