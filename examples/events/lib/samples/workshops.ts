import type { Sample } from "./sample.ts";

/** Classes, the nearest first. */
export const workshops: readonly Sample[] = [
  {
    title: "Paint a Tile, Fire a Tile",
    summary: "Two evenings in one: glaze today, collect from the kiln on Friday.",
    story:
      "Learn the pounced stencil, the loaded brush and the nerve to paint on raw glaze, where nothing can be wiped off. Everyone makes four tiles that join up with the neighbours'.",
    venue: "atelier-quinze",
    weekday: 1,
    time: "18:30",
    minutes: 150,
    euros: 35,
    seats: 12,
  },
  {
    title: "Repair Café: Lamps, Zips, Toasters",
    summary: "Bring what is broken. A volunteer mends it with you, not for you.",
    story:
      "Six benches, a box of screws that fit nothing and a success rate of two in three. Last month's most loved repair was a music box; the most smoke came from a hairdryer.",
    venue: "fabrica-do-pao",
    weekday: 6,
    time: "14:00",
    minutes: 180,
    euros: 0,
    seats: 50,
  },
  {
    title: "Bookbinding for Beginners",
    summary: "Fold, sew and case a notebook that opens flat.",
    story:
      "Four hours, one needle, and the satisfaction of a straight spine. Paper, thread and cloth are included, and the binder's cat supervises. You take home the notebook and the pattern.",
    venue: "biblioteca-do-largo",
    weekday: 6,
    time: "10:00",
    minutes: 240,
    euros: 30,
    seats: 10,
  },
  {
    title: "Portuguese Guitar: A First Hour",
    summary: "Twelve strings, three chords and sore fingertips.",
    story:
      "Instruments are lent. By the end you will play the opening of one fado badly and recognise it everywhere. The teacher has accompanied half of the singers in town.",
    venue: "teatro-lanterna",
    weekday: 2,
    time: "18:00",
    minutes: 75,
    euros: 15,
    seats: 12,
  },
  {
    title: "Small Boats: Build a Dinghy in a Day",
    summary: "Twelve people, two sheets of plywood, one launch at sunset.",
    story:
      "Stitch, glue, drink coffee while it sets, and paint the name. At six everybody carries it down the slip. It has floated every time but one, and that story is part of the course.",
    venue: "sala-do-cais",
    weekday: 7,
    time: "09:00",
    minutes: 570,
    euros: 60,
    seats: 12,
    isFeatured: true,
  },
  {
    title: "Sign Painting with One Brush",
    summary: "Letter the shopfront way: pull, twist, lift and breathe.",
    story:
      "Sign painter Leonor Matias did half of the butchers in Arroios. She teaches one alphabet, one brush and one honest drop shadow. Everyone leaves with a sign for their own kitchen.",
    venue: "mercado-novo",
    weekday: 6,
    time: "10:00",
    minutes: 300,
    euros: 40,
    seats: 14,
  },
  {
    title: "Code Your First Website",
    summary: "From an empty folder to a page your grandmother can open.",
    story:
      "No experience, no jargon, no JavaScript. You will write a page by hand, give it a stylesheet and put it online before supper. Laptops are available; bring something that you want to tell.",
    venue: "biblioteca-do-largo",
    weekday: 3,
    time: "18:00",
    minutes: 150,
    euros: 0,
    seats: 24,
  },
  {
    title: "Fermentation Kitchen",
    summary: "Cabbage, chillies and patience: three jars to take home.",
    story:
      "Salt by weight, never by taste. You will start a sauerkraut, a hot sauce and a piri-piri that needs a month and a name. Bring an apron, and do not plan on shaking hands afterwards.",
    venue: "fabrica-do-pao",
    weekday: 2,
    time: "18:30",
    minutes: 135,
    euros: 26,
    seats: 16,
  },
];
