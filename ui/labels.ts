/** The words that the kit itself writes, in two languages. */

/** The words as they are at first. */
export const english = {
  /** The button that closes a dialog, a sheet or a toast. */
  close: "Close",
  /** What a confirmation says to go on. */
  ok: "OK",
  /** What a confirmation says to stay. */
  cancel: "Cancel",
  /** The name of the main navigation. */
  nav: "Main",
  /** The name of a side bar. */
  sidebar: "Sections",
  /** The name of the pages of a list. */
  pagination: "Pages",
  /** The link to the page before. */
  previous: "Previous",
  /** The link to the page after. */
  next: "Next",
  /** The name of the link to a page; `{page}` is its number. */
  page: "Page {page}",
  /** The name of the trail to the page. */
  breadcrumb: "Breadcrumb",
  /** The name of the place where messages appear. */
  toaster: "Messages",
  /** The name of the button that changes between light and dark. */
  theme: "Dark theme",
  /** The name of the field that filters commands. */
  command: "Type a command or search",
  /** What a command dialog says when nothing fits. */
  nothingFound: "Nothing found.",
  /** What a table says that has no rows. */
  empty: "Nothing here yet.",
  /** The first words of a list of what is wrong with a form. */
  problems: "Please check these fields",
  /** What a shape says that stands for content on its way. */
  loading: "Loading",
  /** The name of the bar that shows how much of an upload has gone. */
  upload: "Upload",
  /** The question after a form that had no answer. */
  again: "Send it again?",
  /** What it means to send that form again. */
  againText: "There was no answer. What you sent may have arrived all the same.",
  /** The button that sends that form again. */
  againOk: "Send again",
};

/** The names of the words in {@linkcode labels}. */
export type LabelName = keyof typeof english;

const portuguese: Readonly<Record<LabelName, string>> = {
  close: "Fechar",
  ok: "OK",
  cancel: "Cancelar",
  nav: "Principal",
  sidebar: "Seções",
  pagination: "Páginas",
  previous: "Anterior",
  next: "Próxima",
  page: "Página {page}",
  breadcrumb: "Trilha de navegação",
  toaster: "Mensagens",
  theme: "Tema escuro",
  command: "Digite um comando ou pesquise",
  nothingFound: "Nada encontrado.",
  empty: "Ainda não há nada aqui.",
  problems: "Confira estes campos",
  loading: "Carregando",
  upload: "Envio",
  again: "Enviar de novo?",
  againText: "Não houve resposta. O que você enviou pode ter chegado mesmo assim.",
  againOk: "Enviar de novo",
};

/**
 * The words that components write by themselves, such as the name of a close button. Assign to change
 * one for the whole application, or pass an attribute or an option to change it in one place.
 *
 * @example
 * ```ts
 * import { assertStringIncludes } from "@std/assert";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * ui.labels.nav = "Primary";
 * assertStringIncludes(h.render(ui.nav()), 'aria-label="Primary"');
 * ui.useLabelsEnglish();
 * ```
 */
export const labels: Record<LabelName, string> = { ...english };

/** Puts the English words back into {@linkcode labels}; they are the default. */
export function useLabelsEnglish(): void {
  Object.assign(labels, english);
}

/** Puts Portuguese words (Brazil) into {@linkcode labels}. */
export function useLabelsPtBr(): void {
  Object.assign(labels, portuguese);
}
