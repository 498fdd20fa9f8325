/** URLs that run code when they are followed, found the way a browser reads them. */

/** The replacement of a URL that would run code. */
export const invalidUrl = "about:invalid";

/**
 * Media that cannot run script in any element: raster images, sound, film, fonts. They are listed,
 * since a type that ends in `+xml`, whatever comes before, is a document that may hold script.
 */
export const inertData: RegExp = new RegExp(
  `^data:(?:${
    [
      "image/(?:png|apng|jpe?g|gif|webp|avif|hei[cf]|jxl|bmp|tiff|x-icon|vnd\\.microsoft\\.icon)",
      "audio/(?:mpeg|mp3|mp4|x-m4a|aac|ogg|opus|webm|(?:x-)?wav|wave|(?:x-)?flac|midi)",
      "video/(?:mp4|webm|ogg|quicktime|mpeg|x-matroska|3gpp)",
      "font/(?:woff2?|ttf|otf|sfnt|collection)",
    ].join("|")
  })[;,]`,
  "i",
);

const scriptScheme = /^(?:javascript|vbscript):/i;

const ignoredByParsers = /[\t\n\r]/g;

/**
 * Returns the URL, or `about:invalid` when its scheme is `javascript:` or `vbscript:`, or `data:` with
 * anything but a well-known type of raster image, sound, film or font (SVG may hold script). The scheme is
 * read as the WHATWG URL parser does: leading C0 controls and spaces are dropped, tabs and newlines are
 * dropped everywhere, case does not matter.
 */
export function safeUrl(url: string): string {
  let start = 0;
  while (start < url.length && url.charCodeAt(start) <= 0x20) start++;
  // `| 0x20` lowers an ASCII letter: j(avascript), v(bscript), d(ata). All else is let through here.
  const first = url.charCodeAt(start) | 0x20;
  if (first !== 0x6a && first !== 0x76 && first !== 0x64) return url;
  return runsCode(url.slice(start)) ? invalidUrl : url;
}

function runsCode(url: string): boolean {
  const plain = url.replace(ignoredByParsers, "");
  if (scriptScheme.test(plain)) return true;
  return /^data:/i.test(plain) && !inertData.test(plain);
}

/**
 * Applies `safeUrl` to the `values` of an SVG animation: a list separated by semicolons, any item of which
 * may end up in an `href`.
 */
export function safeUrlList(list: string): string {
  return list.split(";").every((url) => safeUrl(url) === url) ? list : invalidUrl;
}
