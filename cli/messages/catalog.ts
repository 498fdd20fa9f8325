/**
 * Chooses the language of the command line.
 *
 * @module
 */
import type { Io } from "../io.ts";
import { en } from "./en.ts";
import { pt } from "./pt.ts";

/** The texts of the command line. The compiler checks that both catalogues have the same keys. */
export type Messages = typeof en;

export type Language = "en" | "pt";

/**
 * Reads the language from the environment: the first of `FW_LANG`, `LC_ALL`, `LC_MESSAGES` and
 * `LANG` that is set decides. A value that starts with `pt` selects Portuguese, any other English.
 *
 * @param env The environment variables.
 */
export function languageOf(env: Io["env"]): Language {
  const value = env["FW_LANG"] || env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "";
  return value.toLowerCase().startsWith("pt") ? "pt" : "en";
}

export function messagesIn(language: Language): Messages {
  return language === "pt" ? pt : en;
}

/** Returns the catalogue for the environment. */
export function messagesOf(io: Pick<Io, "env">): Messages {
  return messagesIn(languageOf(io.env));
}
