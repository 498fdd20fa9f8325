/**
 * Chooses the language of the command line.
 *
 * @module
 */
import type { Io } from "../io.ts";
import { en } from "./en.ts";
import { pt } from "./pt.ts";

/** Every text that a person may read; the compiler holds both catalogues to it. */
export type Messages = typeof en;

/** The languages of the command line. */
export type Language = "en" | "pt";

/**
 * Reads the language from the environment: the first of `FW_LANG`, `LC_ALL`, `LC_MESSAGES` and
 * `LANG` that is set decides; a value that starts with `pt` is Portuguese, any other English.
 *
 * @param env The environment variables.
 */
export function languageOf(env: Io["env"]): Language {
  const value = env["FW_LANG"] || env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "";
  return value.toLowerCase().startsWith("pt") ? "pt" : "en";
}

/** The catalogue of a language. */
export function messagesIn(language: Language): Messages {
  return language === "pt" ? pt : en;
}

/** The catalogue that fits the environment. */
export function messagesOf(io: Pick<Io, "env">): Messages {
  return messagesIn(languageOf(io.env));
}
