/**
 * The texts of a sign-in, in the languages that the generators know.
 *
 * @module
 */
import type { Wording } from "../texts/generated_texts.ts";

/** The texts by key; `{{provider}}` is the name of the identity provider. */
export const authWordings = {
  signIn: { en: "Sign in", pt: "Entrar" },
  email: { en: "Email", pt: "Email" },
  password: { en: "Password", pt: "Palavra-passe" },
  wrong: {
    en: "Address or password is wrong.",
    pt: "O endereço ou a palavra-passe não estão certos.",
  },
  tooMany: {
    en: "Too many tries. Try again in {seconds} s, or reset the password.",
    pt:
      "Demasiadas tentativas. Tente de novo dentro de {seconds} s, ou defina outra palavra-passe.",
  },
  signInWith: { en: "Sign in with {{provider}}", pt: "Entrar com {{provider}}" },
  forgot: { en: "Forgot the password?", pt: "Esqueceu-se da palavra-passe?" },
  signUp: { en: "Make an account", pt: "Criar conta" },
  sendLink: { en: "Send me a link", pt: "Enviar ligação" },
  linkSent: {
    en: "We have sent you a mail with a link.",
    pt: "Enviámos-lhe um email com uma ligação.",
  },
  reset: { en: "Reset the password", pt: "Definir outra palavra-passe" },
  resetSent: {
    en: "We have sent a link to the address.",
    pt: "Enviámos uma ligação para o endereço.",
  },
  newPassword: { en: "Your password", pt: "A sua palavra-passe" },
  passwordHelp: { en: "At least 12 characters", pt: "Pelo menos 12 caracteres" },
  setPassword: { en: "Set the password", pt: "Guardar a palavra-passe" },
  linkGone: {
    en: "This link was used or is too old. Ask for another one.",
    pt: "Esta ligação já foi usada ou é demasiado antiga. Peça outra.",
  },
  mailSubject: { en: "Your link", pt: "A sua ligação" },
  mailSet: {
    en: "Set a new password for your account: {link}",
    pt: "Defina uma palavra-passe nova para a sua conta: {link}",
  },
  mailMake: { en: "Make your account: {link}", pt: "Crie a sua conta: {link}" },
  mailNote: {
    en: "The link works once, for half an hour. If you did not ask for it, do nothing.",
    pt: "A ligação funciona uma vez, durante meia hora. Se não a pediu, não faça nada.",
  },
  account: { en: "Your account", pt: "A sua conta" },
  accountLink: { en: "Account", pt: "Conta" },
  signedInAs: { en: "Signed in as {user}", pt: "Sessão iniciada como {user}" },
  signOut: { en: "Sign out", pt: "Terminar sessão" },
  sessions: { en: "Where you are signed in", pt: "Onde tem a sessão iniciada" },
  device: { en: "Device", pt: "Dispositivo" },
  lastUsed: { en: "Last used", pt: "Última utilização" },
  unknownDevice: { en: "Unknown device", pt: "Dispositivo desconhecido" },
  deviceOn: { en: "{browser} on {system}", pt: "{browser} em {system}" },
  thisDevice: { en: "This device", pt: "Este dispositivo" },
  signOutOthers: { en: "Sign out everywhere else", pt: "Terminar as outras sessões" },
  passkeys: { en: "Passkeys", pt: "Chaves de acesso" },
  added: { en: "Added", pt: "Adicionada" },
  remove: { en: "Remove", pt: "Remover" },
  passkeySignIn: { en: "Sign in with a passkey", pt: "Entrar com uma chave de acesso" },
  passkeyAdd: { en: "Add a passkey", pt: "Adicionar uma chave de acesso" },
  passkeyNote: {
    en: "Passkeys need JavaScript and a browser that supports them.",
    pt: "As chaves de acesso precisam de JavaScript e de um navegador que as suporte.",
  },
  passkeyFailed: {
    en: "That did not work. Try again.",
    pt: "Não resultou. Tente de novo.",
  },
  passkeyKnown: {
    en: "This device has a passkey for this account already.",
    pt: "Este dispositivo já tem uma chave de acesso para esta conta.",
  },
} as const satisfies Readonly<Record<string, Wording>>;
