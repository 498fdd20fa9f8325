import { catalog } from "@fw/fw/i18n";

/** The texts of the sign-in. */
export const accountMessages = catalog({
  en: {
    account: "Your account",
    accountLink: "Account",
    signedInAs: "Signed in as {user}",
    signOut: "Sign out",
  },
  pt: {
    account: "A sua conta",
    accountLink: "Conta",
    signedInAs: "Sessão iniciada como {user}",
    signOut: "Terminar sessão",
  },
});
