/**
 * The entry point for packages such as sessions, AI, a queue or a store; applications do not need it. The API
 * promise of 0.x does not cover it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { deriveKey, equalSecrets, randomToken } from "@fw/fw/addon";
 *
 * assertEquals(randomToken().length, 43);
 * assertEquals(deriveKey("0".repeat(32), "reports").length, 32);
 * assertEquals(equalSecrets("a", "b"), false);
 * ```
 *
 * @module
 */
import { currentTexts } from "./base/texts.ts";
import type { Application } from "./base/ctx/application.ts";
import { signerOf } from "./request/signed.ts";

export * from "./addon/cookies.ts";
export * from "./addon/request.ts";
export * from "./addon/response.ts";
export { type MessageOptions, validationMessage, type Wording } from "./schema/messages.ts";
export { isEmail } from "./schema/rules.ts";
export {
  deriveKey,
  digestOf,
  equalSecrets,
  minSecretBytes,
  randomToken,
  signText,
} from "./base/crypto.ts";
export {
  type CodeFrame,
  formatFrame,
  formatPlace,
  type FrameLine,
  readFrame,
  type SourcePlace,
} from "./base/diagnose/code_frame.ts";
export { frameBlock } from "./base/diagnose/code_frame.ts";
export {
  describeCauses,
  hideCredentials,
  shortPartOf,
  thrownMessage,
} from "./base/diagnose/error_text.ts";
export { escapeLines } from "./telemetry/log.ts";
export { findApplication, perApplication, useIfProvided } from "./base/keys.ts";
export { type AppTexts, currentTexts, type Texts } from "./base/texts.ts";
export { readVariable } from "./base/env.ts";
export { isRightToLeft } from "./i18n/languages.ts";
export { settingRows } from "./base/config/table.ts";
export { findNearest } from "./base/diagnose/nearest.ts";
export type * from "./base/stores/cache.ts";
export type * from "./base/stores/session.ts";
export {
  type ChannelPlace,
  type ChannelRead,
  type ChannelSource,
  type ChannelStore,
  copyChannels,
  memoryChannels,
  newEpoch,
  type NewMessage,
  type StoredMessage,
} from "./base/stores/channel_store.ts";
export {
  askStore,
  ExpiringNames,
  findChannels,
  findStores,
  memoryOnce,
  noteBootFault,
  noteBootWarning,
  noteStoreState,
  type OnceStore,
} from "./base/stores/stores.ts";
export { limitTime } from "./body/deadline.ts";
export type * from "./base/stores/passkey.ts";
export { type Gate, setGate } from "./request/chain.ts";
export { parseCookies } from "./request/cookies.ts";
export { parseHttpDate } from "./request/http_cache.ts";
export {
  commentFrame,
  type EventFields,
  eventFrame,
  heartbeatFrame,
} from "./request/sse/stream.ts";
export * from "./request/sse/parser.ts";
export {
  bindTexts,
  type FormFieldFacts,
  type FormInputOptions,
  readFormFields,
  rowButton,
} from "./schema/input.ts";
export type { FieldKind } from "./schema/types.ts";
export { localTime } from "./base/local_time.ts";
export { formatMoney, type MoneyOptions } from "./schema/convert.ts";
export {
  type Incident,
  type IncidentBody,
  incidentDigest,
  type IncidentField,
  type IncidentName,
  maxIncidentBytes,
  parseIncident,
  parseIncidentName,
} from "./base/observe/incident.ts";
export { leftOutText } from "./serve/incidents/secrets.ts";
export { nodeCrypto } from "./base/node.ts";
export { onStopSignals } from "./base/stop_signals.ts";
export { clientKey, siteOf } from "./base/open_counter.ts";
export { type OpenBound, OpenCounter } from "./base/open_counter.ts";
export type { OpenLimits } from "./base/config/settings.ts";
export { isLoopback } from "./base/ip.ts";
export * from "./base/capped_body.ts";
export { describeBytes, describeTypes, fileSizeMessage } from "./body/format.ts";
export { pageQuery } from "./base/url/href.ts";
export { cutText, isJsonObject, isThenable, type JsonObject } from "./base/values.ts";

/**
 * Derives keys from the secret of an application (`FW_SECRET`), for a purpose other than its cookies. In
 * development without a secret the keys last as long as the process.
 *
 * @param app The compiled application.
 * @param purpose Names the use, such as `"reports 1"`: each purpose has its own keys.
 * @returns Keys of 32 bytes: that of `FW_SECRET`, then that of `FW_SECRET_PREVIOUS`; an empty list in
 * production without a secret.
 * @throws {TypeError} before the application is compiled.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { App } from "@fw/fw";
 * import { appKeys } from "@fw/fw/addon";
 *
 * const app = new App({ secret: "0".repeat(32) });
 * app.handler();
 * assertEquals(appKeys(app, "reports 1").map((key) => key.length), [32]);
 * ```
 */
export function appKeys(app: Application, purpose: string): readonly Uint8Array[] {
  return signerOf(app).keysFor(purpose);
}

/**
 * Returns the language of the current request, for text that an add-on writes itself. Reading it adds the
 * header that decided the language to `Vary`.
 *
 * @returns A tag of `config.languages`; `undefined` outside a request, if no languages are listed, and on an
 * English page that uses only the texts of the process.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { App } from "@fw/fw";
 * import { requestLanguage } from "@fw/fw/addon";
 *
 * const app = new App({ languages: ["en", "pt-PT"], logRequest: () => false });
 * app.route({ pattern: "/", methods: { GET: (c) => c.text(200, requestLanguage() ?? "") } });
 * const headers = { "accept-language": "pt-PT,pt;q=0.9" };
 * const response = await app.fetch(new Request("http://localhost/", { headers }));
 * assertEquals(await response.text(), "pt-PT");
 * assertEquals(requestLanguage(), undefined);
 * ```
 */
export function requestLanguage(): string | undefined {
  return currentTexts()?.language;
}
