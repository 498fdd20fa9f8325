/**
 * The drawings of the icons: 24 by 24, lines of width 1.75 with round ends. Each string is the content
 * of the `svg`: paths as `M…`, separated by spaces; a circle is written as two arcs.
 */

import type { Words } from "../../html/jsx/props.ts";

/** The names of the icons. */
export type IconName =
  | Words<"alert archive arrow-down arrow-left arrow-right arrow-up bell bolt book box calendar">
  | Words<"chart check chevron-down chevron-left chevron-right chevron-up circle-check circle-x">
  | Words<"clock columns copy download edit external eye file filter folder globe heart home">
  | Words<"image inbox info key laptop link lock log-out mail menu minus monitor moon more">
  | Words<"passkey phone plus refresh rows search send settings shield sort star sun tag">
  | Words<"terminal trash undo upload user users x">;

export const iconShapes: Readonly<Record<IconName, string>> = {
  "alert": "M12 4 2.8 20h18.4zM12 10v4M12 17.2v.1",
  "archive": "M3.5 5h17v4h-17zM5 9v10h14V9M10 13h4",
  "arrow-down": "M12 5v14M6 13l6 6 6-6",
  "arrow-left": "M19 12H5M11 6l-6 6 6 6",
  "arrow-right": "M5 12h14M13 6l6 6-6 6",
  "arrow-up": "M12 19V5M6 11l6-6 6 6",
  "bell": "M6 17V11a6 6 0 0 1 12 0v6l1.5 1h-15zM10 21h4",
  "bolt": "M13 3 5 13.5h6L11 21l8-10.5h-6z",
  "book": "M5 4h13v16H6.5A1.5 1.5 0 0 1 5 18.5zM5 18.5A1.5 1.5 0 0 1 6.5 17H18",
  "box": "M12 3 20.5 7.5v9L12 21l-8.5-4.5v-9zM3.5 7.5 12 12l8.5-4.5M12 12v9",
  "calendar": "M4 6h16v14H4zM4 11h16M8 3v5M16 3v5",
  "chart": "M4 20V4M4 20h16M8.5 16v-5M13 16V7.5M17.5 16v-3",
  "check": "M4.5 12.5 9.5 17.5 19.5 6.5",
  "chevron-down": "M6 9.5l6 6 6-6",
  "chevron-left": "M14.5 6l-6 6 6 6",
  "chevron-right": "M9.5 6l6 6-6 6",
  "chevron-up": "M6 14.5l6-6 6 6",
  "circle-check": "M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M8 12.5l2.8 2.8L16 9.5",
  "circle-x": "M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M9 9l6 6M15 9l-6 6",
  "clock": "M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M12 7v5l3.5 2",
  "columns": "M4 5h16v14H4zM12 5v14",
  "copy": "M9 9h11v11H9zM5 15H4V4h11v1",
  "download": "M12 4v11M7 11l5 5 5-5M4 20h16",
  "edit": "M4 20l1-4.5L16.5 4l3.5 3.5L8.5 19zM14 6.5 17.5 10",
  "external": "M13 4h7v7M20 4l-9 9M18 14v6H4V6h6",
  "eye":
    "M2.5 12C5 7.5 8.3 5.5 12 5.5s7 2 9.5 6.5c-2.5 4.5-5.8 6.5-9.5 6.5S5 16.5 2.5 12M9 12a3 3 0 1 0 6 0a3 3 0 1 0-6 0",
  "file": "M6 3h8l4 4v14H6zM14 3v4h4",
  "filter": "M4 6h16M7 12h10M10 18h4",
  "folder": "M3 6h6l2 2.5h10V19H3z",
  "globe":
    "M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M3 12h18M12 3c3 2.6 3.8 5.6 3.8 9s-.8 6.4-3.8 9c-3-2.6-3.8-5.6-3.8-9S9 5.6 12 3",
  "heart":
    "M12 20 4.5 12.5a4.7 4.7 0 0 1 0-6.6 4.7 4.7 0 0 1 6.6 0L12 6.8l.9-.9a4.7 4.7 0 0 1 6.6 0 4.7 4.7 0 0 1 0 6.6z",
  "home": "M4 11l8-7 8 7v9h-5.5v-6h-5v6H4z",
  "image":
    "M4 5h16v14H4zM7.5 9.5a1 1 0 1 0 2 0a1 1 0 1 0-2 0M4.5 18 10.5 12.5l3 3L16.5 12.5l3.5 3.5",
  "inbox": "M4 13 6.5 5h11L20 13v6H4zM4 13h5l1 2.5h4l1-2.5h5",
  "info": "M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M12 11v5.5M12 7.8v.1",
  "key": "M8 15.5a4 4 0 1 0 0-.1M11 12.5 20 3.5M16 7.5l3 3",
  "laptop": "M5 5h14v10H5zM2.5 19h19",
  "link":
    "M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1",
  "lock": "M5 11h14v9H5zM8 11V8a4 4 0 0 1 8 0v3",
  "log-out": "M14 4H5v16h9M10 12h11M17 8l4 4-4 4",
  "mail": "M3 6h18v13H3zM3.5 7l8.5 6.5L20.5 7",
  "menu": "M4 7h16M4 12h16M4 17h16",
  "minus": "M5 12h14",
  "monitor": "M3 4h18v12H3zM8 20h8M12 16v4",
  "moon": "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5",
  "more":
    "M4.5 12a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0M11.5 12a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0M18.5 12a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0",
  "passkey":
    "M5.5 8a4 4 0 1 0 8 0a4 4 0 1 0-8 0M2.5 20c.6-3.8 3.3-5.5 7-5.5 1.2 0 2.3.2 3.2.6M18 17.2V21l-1.5-1M18 17.2a2.6 2.6 0 1 0-.1 0",
  "phone": "M7.5 3h9v18h-9zM11 18h2",
  "plus": "M12 5v14M5 12h14",
  "refresh": "M20 5v5h-5M19.5 10A8 8 0 1 0 20 14",
  "rows": "M4 6h16M4 10h16M4 14h16M4 18h16",
  "search": "M4 11a7 7 0 1 0 14 0a7 7 0 1 0-14 0M16 16l4.5 4.5",
  "send": "M20 4 3.5 10.5 10 14l3.5 6.5zM10 14l4-4",
  "settings":
    "M4 7h9M19 7h1M13 7a3 3 0 1 0 6 0a3 3 0 1 0-6 0M4 17h1M11 17h9M5 17a3 3 0 1 0 6 0a3 3 0 1 0-6 0",
  "shield": "M12 3l7.5 3v5.5c0 4.6-3 7.8-7.5 9.5-4.5-1.7-7.5-4.9-7.5-9.5V6z",
  "sort": "M8 10l4-4 4 4M8 14l4 4 4-4",
  "star": "M12 3.5l2.6 5.4 5.9.8-4.3 4.1 1 5.9L12 16.9l-5.2 2.8 1-5.9L3.5 9.7l5.9-.8z",
  "sun":
    "M8 12a4 4 0 1 0 8 0a4 4 0 1 0-8 0M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4",
  "tag": "M4 4h8l8.5 8.5-8 8L4 12zM8 8v.1",
  "terminal": "M5 7l5 5-5 5M12.5 17H19",
  "trash": "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5.5M14 11v5.5",
  "undo": "M4 9h10a5 5 0 0 1 0 10H9M8 5 4 9l4 4",
  "upload": "M12 16V5M7 9l5-5 5 5M4 20h16",
  "user": "M8 8a4 4 0 1 0 8 0a4 4 0 1 0-8 0M4 20.5c.8-4 4-6 8-6s7.2 2 8 6",
  "users":
    "M5.5 8a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0M2.5 20c.6-3.7 3-5.5 6.5-5.5s5.9 1.8 6.5 5.5M15.5 4.8a3.5 3.5 0 0 1 0 6.4M18 15c2 .8 3.1 2.5 3.5 5",
  "x": "M6 6l12 12M18 6 6 18",
};
