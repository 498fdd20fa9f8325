/** The start of a PNG, enough to be detected as one. */
const pngHead = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** The fields of a valid event. */
export const goodFields = {
  title: "Swifts over the Roofs",
  category: "outdoors",
  summary: "An hour on a terrace with a woman who has counted them for thirty years.",
  story: "Bring a hat.\r\n\r\nThe swifts arrive at eight.",
  venue: "estufa-velha",
  starts: "2026-05-20T19:00",
  ends: "2026-05-20T20:30",
  seats: "30",
  price: "7,50",
} as const;

/** Returns a form of {@link goodFields} with some changed fields and a file. */
export function eventForm(
  changed: Readonly<Record<string, string>> = {},
  photo: File = new File([], ""),
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...goodFields, ...changed })) {
    form.append(name, value);
  }
  // Browsers submit a file without name and content if none was chosen.
  form.append("photo", photo);
  return form;
}

/** Returns a file that starts like a PNG. */
export function pngFile(
  options: { readonly name?: string; readonly size?: number; readonly fill?: number } = {},
): File {
  const { name = "terrace.png", size = 64, fill = 0 } = options;
  const bytes = new Uint8Array(size).fill(fill);
  bytes.set(pngHead.slice(0, size));
  return new File([bytes], name, { type: "image/png" });
}

/** Returns the opening tag of the first element with an id. */
export function elementOf(body: string, id: string): string {
  return new RegExp(`<\\w+[^>]* id="${id}"[^>]*>`).exec(body)?.[0] ?? "";
}

/** Returns the CSRF token of a page's form. */
export function tokenOf(body: string): string {
  return /name="_csrf" value="([^"]+)"/.exec(body)?.[1] ?? "";
}
