/**
 * The files of the component kit as text, for the command line, which writes them to `public/`.
 * Outside the API promise.
 *
 * @module
 */
import geistText from "./geist.woff2.txt" with { type: "text" };
import geistLicense from "./geist.OFL.txt" with { type: "text" };
import kitScript from "./ui.js" with { type: "text" };
import kitScriptMap from "./ui.js.map" with { type: "text" };
import swapScriptText from "./ui.swap.js" with { type: "text" };
import swapScriptMapText from "./ui.swap.js.map" with { type: "text" };
import kitStyle from "./ui.css" with { type: "text" };
import kitStyleMap from "./ui.css.map" with { type: "text" };
import liveScriptText from "./ui.live.js" with { type: "text" };
import liveScriptMapText from "./ui.live.js.map" with { type: "text" };
import partsScript from "./ui.parts.js" with { type: "text" };
import partsScriptMap from "./ui.parts.js.map" with { type: "text" };
import passkeyScript from "./passkeys.js" with { type: "text" };
import themeStyle from "./ui.theme.css" with { type: "text" };

/** `ui.theme.css`: the colours and corner radii; it belongs to the application. */
export const theme: string = themeStyle;

/** `ui.css`: the components; it belongs to the kit. */
export const style: string = kitStyle;

/** `ui.css.map`: the source map of `ui.css`. */
export const styleMap: string = kitStyleMap;

/** `ui.js`: the features that HTML lacks; it belongs to the kit. */
export const script: string = kitScript;

/** `ui.js.map`: the source map of `ui.js`. */
export const scriptMap: string = kitScriptMap;

/** `ui.live.js`: the part of `ui.js` for lazy loading, polling and uploads, loaded on pages that need it. */
export const liveScript: string = liveScriptText;

/** `ui.live.js.map`: the source map of `ui.live.js`. */
export const liveScriptMap: string = liveScriptMapText;

/** `ui.parts.js`: the script of tables, tags, drop zones and the other parts that need one. */
export const parts: string = partsScript;

/** `ui.parts.js.map`: the source map of `ui.parts.js`. */
export const partsMap: string = partsScriptMap;

/** `ui.swap.js`: the part of `ui.js` that replaces elements, loaded on pages that need it. */
export const swapScript: string = swapScriptText;

/** `ui.swap.js.map`: the source map of `ui.swap.js`. */
export const swapScriptMap: string = swapScriptMapText;

/** `passkeys.js`: the browser part of passkey sign-in; it belongs to the kit. */
export const passkeys: string = passkeyScript;

/** `geist.woff2`: the font of a new application, Geist (SIL OFL 1.1), latin, variable; in base64. */
export const face: string = geistText;

/** `geist.OFL.txt`: the licence of the font, distributed with it. */
export const faceLicense: string = geistLicense;
