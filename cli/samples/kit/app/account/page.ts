import {
  type Bound,
  csrfInput,
  type Ctx,
  type Infer,
  type Node,
  type Result,
  struct,
  text,
  use,
} from "@fw/fw";
import { passkeyForm, type User } from "@fw/fw/auth";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { confirmChange } from "../../lib/account_mail.ts";
import { accountMessages } from "../../lib/account_messages.ts";
import { pictureFiles, pictureUrl, removePicture, setPicture } from "../../lib/account_pictures.ts";
import { Accounts } from "../../lib/accounts.ts";
import { auth } from "../../lib/auth.ts";
import { disconnectIdentity, hasIdentity } from "../../lib/identities.ts";
import { keys } from "../../lib/passkeys.ts";
import { recentMs, requireRecent, sessions, shownDevice } from "../../lib/sessions.ts";

const Profile = struct({ name: text("max=80") });
type Profile = Infer<typeof Profile>;

/** GET /account */
export async function Page(c: Ctx): Promise<Node> {
  return await view(c);
}

async function view(c: Ctx, sent?: Bound<Profile>): Promise<Node> {
  const user = await sessions.require(c);
  // if passwords
  // Users of an identity provider manage their password and passkeys there.
  const isOwn = user.provider === "";
  // end
  c.title = c.t(accountMessages, "account");
  return h.fragment(
    ui.pageHeader(
      c.title,
      h.p(c.t(accountMessages, "signedInAs", { user: user.email ?? user.name ?? user.subject })),
      h.form(
        h.method("post"),
        h.action(c.href("/logout")),
        csrfInput(c),
        ui.submit(ui.outline, ui.icon("log-out"), c.t(accountMessages, "signOut")),
      ),
    ),
    ui.settings(
      c.title,
      [
        ui.navLink("#profile", [ui.icon("user"), c.t(accountMessages, "profile")]),
        // if passwords:
        isOwn && ui.navLink("#sign-in", [ui.icon("lock"), c.t(accountMessages, "credentials")]),
        ui.navLink("#sessions", [ui.icon("laptop"), c.t(accountMessages, "sessions")]),
        ui.navLink("#appearance", [ui.icon("sun"), c.t(accountMessages, "appearance")]),
        ui.navLink("#delete", [ui.icon("trash"), c.t(accountMessages, "deleteAccount")]),
      ],
      await profileCard(c, user, sent),
      // if passwords
      isOwn && signInCard(
        c,
        user,
        // if passkeys:
        await passkeyItems(c, user.subject),
        // if provider:
        await providerItem(c, user),
      ),
      // end
      sessionCard(c, await sessions.list(c)),
      section(
        "appearance",
        [c.t(accountMessages, "appearance"), c.t(accountMessages, "appearanceHelp")],
        ui.themeForm(c),
      ),
      section(
        "delete",
        [c.t(accountMessages, "deleteAccount"), c.t(accountMessages, "deleteHelp")],
        ui.cardFooter(
          h.span(c.t(accountMessages, "deleteNote")),
          ui.buttonLink(
            c.href("/account/delete"),
            ui.outline,
            ui.destructive,
            ui.small,
            c.t(accountMessages, "deleteNow"),
          ),
        ),
      ),
    ),
  );
}

/** A card of the account page, linked from its navigation. */
function section(
  id: string,
  [title, help]: readonly [title: string, help?: string],
  ...content: h.Child[]
): Node {
  const text = help !== undefined && h.p(help);
  return ui.card(h.id(id), ui.cardHeader(h.h2(title), text), ...content);
}

/** A form with only a button. */
function postButton(c: Ctx, ...content: h.Child[]): Node {
  return h.form(h.method("post"), csrfInput(c), ui.submit(ui.small, ...content));
}

/** The card with the picture and the display name, which users of an identity provider change there. */
async function profileCard(c: Ctx, user: User, sent?: Bound<Profile>): Promise<Node> {
  const { name, email = "", provider } = user;
  const src = await pictureUrl(c, user);
  return section(
    "profile",
    [c.t(accountMessages, "profile"), c.t(accountMessages, "profileHelp")],
    ui.form(
      c,
      Profile,
      {
        // A provider's name may be longer than a name that is entered here.
        values: sent ?? { name: name?.slice(0, 80) ?? "" },
        files: pictureFiles,
        labels: {
          name: c.t(accountMessages, "name"),
          picture: c.t(accountMessages, "picture"),
        },
        help: { picture: c.t(accountMessages, "pictureHelp") },
        fields: {
          name: { attributes: [h.autocomplete("name"), provider !== "" && h.readonly()] },
        },
        layout: (field) => [
          ui.row(
            ui.avatar(name ?? email, { src }, ui.large, h.aria("hidden", "true")),
            field("picture"),
          ),
          field("name"),
        ],
        submit: false,
      },
      h.id("profile-form"),
      ui.wide,
    ),
    ui.cardFooter(
      h.span(c.t(accountMessages, provider === "" ? "profileNote" : "providerName")),
      ui.row(
        src !== undefined && postButton(
          c,
          ui.ghost,
          h.name("removePicture"),
          h.value("on"),
          c.t(accountMessages, "removePicture"),
        ),
        ui.submit(ui.small, h.formAttr("profile-form"), c.t(accountMessages, "saveProfile")),
      ),
    ),
  );
}

// if passwords
function changeLink(c: Ctx, href: string, label: string): Node {
  const text = c.t(accountMessages, "change");
  return ui.buttonLink(href, ui.outline, ui.small, h.aria("label", label), text);
}

/** The card with the ways to sign in: the password and others, such as passkeys. */
function signInCard(
  c: Ctx,
  user: User,
  // if signed:
  ...others: h.Child[]
): Node {
  return section(
    "sign-in",
    [
      c.t(accountMessages, "credentials"),
      // if passkeys:
      c.t(accountMessages, "passkeysHelp"),
    ],
    ui.itemList(
      ui.listItem(
        c.t(accountMessages, "email"),
        { image: ui.sign("mail"), detail: user.email },
        changeLink(c, c.href("/account/email"), c.t(accountMessages, "changeEmail")),
      ),
      ui.listItem(
        c.t(accountMessages, "password"),
        { image: ui.sign("key"), detail: c.t(accountMessages, "passwordHelp") },
        changeLink(c, c.href("/reset"), c.t(accountMessages, "changePassword")),
      ),
      // if signed:
      ...others,
    ),
    // if passkeys
    ui.cardFooter(
      h.span(c.t(accountMessages, "passkeyHint")),
      Date.now() - user.issuedAt.getTime() < recentMs
        ? passkeyForm(c, {
          kind: "register",
          action: c.href("/account/passkeys"),
          label: [ui.icon("plus"), c.t(accountMessages, "passkeyAdd")],
          note: c.t(accountMessages, "passkeyNote"),
          failed: c.t(accountMessages, "passkeyFailed"),
          known: c.t(accountMessages, "passkeyKnown"),
        })
        : ui.buttonLink(
          c.href("/login", {}, { query: { again: 1, next: c.href("/account") } }),
          ui.outline,
          ui.small,
          c.t(accountMessages, "signInAgain"),
        ),
    ),
    // end
  );
}

// if provider
/** The connection to the identity provider, which can be made and ended. */
async function providerItem(c: Ctx, user: User): Promise<Node> {
  const isConnected = await hasIdentity(c, user.id);
  return ui.listItem(
    c.t(accountMessages, "provider"),
    {
      image: isConnected ? ui.sign("link", ui.success) : ui.sign("link"),
      detail: c.t(accountMessages, isConnected ? "isConnected" : "notConnected"),
    },
    postButton(
      c,
      ui.outline,
      h.name("provider"),
      h.value(isConnected ? "disconnect" : "connect"),
      c.t(accountMessages, isConnected ? "disconnect" : "connect"),
    ),
  );
}

// end
// end
/** The card with the signed-in browsers, this one first. The others can be signed out. */
function sessionCard(c: Ctx, list: Awaited<ReturnType<typeof sessions.list>>): Node {
  const ordered = list.toSorted((one, other) => Number(other.isCurrent) - Number(one.isCurrent));
  return section(
    "sessions",
    [c.t(accountMessages, "sessions"), c.t(accountMessages, "sessionsHelp")],
    ui.itemList(ordered.map(({ id, device, usedAt, isCurrent }) => {
      const name = shownDevice(c, device);
      const image = /Android|iPhone|iOS/.test(device) ? "phone" : "laptop";
      if (isCurrent) {
        return ui.listItem(
          [name, " ", ui.badge(ui.success, c.t(accountMessages, "thisDevice"))],
          { image: ui.sign(image, ui.success), detail: c.t(accountMessages, "activeNow") },
        );
      }
      return ui.listItem(
        name,
        {
          image: ui.sign(image),
          detail: [c.t(accountMessages, "lastUsed"), " ", ui.time(c, usedAt, { relative: true })],
        },
        postButton(
          c,
          ui.outline,
          h.name("session"),
          h.value(id),
          h.aria("label", c.t(accountMessages, "signOutOf", { device: name })),
          c.t(accountMessages, "signOut"),
        ),
      );
    })),
    list.length > 1 && ui.cardFooter(
      h.span(c.t(accountMessages, "sessionsNote")),
      postButton(c, ui.ghost, ui.destructive, c.t(accountMessages, "signOutOthers")),
    ),
  );
}

/** POST /account */
export async function POST(c: Ctx): Promise<Result> {
  const user = await sessions.require(c);
  if (await ui.saveTheme(c)) return c.redirect(c.href("/account"));
  if (await c.form("removePicture") !== undefined) {
    await removePicture(c, user.id);
    return c.redirect(c.href("/account"));
  }
  if (await c.form("name") !== undefined) {
    const sent = await c.tryBind(Profile, { files: pictureFiles });
    if (!sent.ok) {
      c.status(422);
      return await view(c, sent);
    }
    // if passwords:
    if (user.provider === "") await use(c, Accounts).rename(user.id, sent.value.name);
    if (sent.files.picture) await setPicture(c, user.id, sent.files.picture);
    c.flash("success", c.t(accountMessages, "profileSaved"));
    return c.redirect(c.href("/account"));
  }
  // A thief of this session must not be able to sign the owner out.
  await requireRecent(c);
  // if passkeys
  const id = await c.form("passkey");
  if (id !== undefined) {
    if (user.provider === "" && await keys.remove(c, { subject: user.subject, id })) {
      confirmChange(c, user.email, "passkeyRemoved");
    }
    return c.redirect(c.href("/account"));
  }
  // end
  // if passwords
  // if provider
  const change = await c.form("provider");
  if (change === "connect") return await auth.connect(c);
  if (change !== undefined) {
    if (await disconnectIdentity(c, user.id)) confirmChange(c, user.email, "providerRemoved");
    return c.redirect(c.href("/account"));
  }
  // end
  // end
  const session = await c.form("session");
  if (session !== undefined) await sessions.endOne(c, session);
  else await sessions.endOthers(c);
  return c.redirect(c.href("/account"));
}
// if passkeys

/** The passkeys, each of which can be removed, for example after the loss of a device. */
async function passkeyItems(c: Ctx, subject: string): Promise<readonly Node[]> {
  const list = await keys.list(c, subject);
  return list.map(({ id, label, createdAtMs }) =>
    ui.listItem(
      shownDevice(c, label),
      {
        image: ui.sign("passkey", ui.success),
        detail: [c.t(accountMessages, "added"), " ", ui.time(c, new Date(createdAtMs))],
      },
      postButton(
        c,
        ui.outline,
        h.name("passkey"),
        h.value(id),
        c.t(accountMessages, "remove"),
      ),
    )
  );
}
// end
