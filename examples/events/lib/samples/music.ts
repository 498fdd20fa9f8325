import type { Sample } from "./sample.ts";

/** Concerts, the nearest first. */
export const music: readonly Sample[] = [
  {
    title: "Fado Without a Microphone",
    summary: "Three voices, two guitars and a glasshouse that carries every breath.",
    story:
      "Inês Vidal, Tomás Rego and the eighty-one-year-old Dona Celeste sing the repertoire of the old laundries, songs that were never written down and seldom recorded. No amplification, no stage lights: the audience sits in a circle and the lamps go down one by one.",
    venue: "estufa-velha",
    weekday: 5,
    time: "21:30",
    minutes: 100,
    euros: 14,
    seats: 160,
    isFeatured: true,
  },
  {
    title: "Night Ferry: Ambient Sets by the River",
    summary: "Tape loops, bowed cymbals and slow synthesisers, with the doors open to the water.",
    story:
      "Four musicians play one continuous piece while the last ferries cross behind them. Bring something to lie on. The volume stays low enough to hear the moorings creak, and nobody minds if you fall asleep.",
    venue: "sala-do-cais",
    weekday: 6,
    time: "22:00",
    minutes: 180,
    euros: 10,
    seats: 220,
  },
  {
    title: "The Sunday Organ Club",
    summary: "A portable organ, an improviser and requests from the audience.",
    story:
      "Whistle a melody at the door and Rui Brandão will play a fugue on it before the hour is over. Children are welcome to work the bellows. Past requests include a football anthem, a telephone jingle and a lullaby in Crioulo.",
    venue: "biblioteca-do-largo",
    weekday: 7,
    time: "16:00",
    minutes: 75,
    euros: 0,
    seats: 90,
  },
  {
    title: "Morna and Coladeira: A Night from Mindelo",
    summary: "Cape Verdean classics, with room to dance once the chairs are moved.",
    story:
      "Nha Bia and her quintet open with an hour of mornas, then the tables go to the wall. Beginners get a short lesson in coladeira during the break, and the kitchen serves cachupa until it runs out.",
    venue: "mercado-novo",
    weekday: 6,
    time: "20:30",
    minutes: 210,
    euros: 12,
    seats: 180,
    isFeatured: true,
  },
  {
    title: "String Quartet in the Round",
    summary: "Haydn, Lopes-Graça and a new work, heard from the middle of the quartet.",
    story:
      "The Quarteto Ribeira sits at the four corners of the room and the audience in the middle. Hear the viola alone for once, or stand where the lines cross. The second half is played again from the other side.",
    venue: "estufa-velha",
    weekday: 4,
    time: "19:30",
    minutes: 95,
    euros: 18,
    seats: 120,
  },
  {
    title: "Brass on the Stairs",
    summary: "A forty-piece neighbourhood band walks down three hundred steps.",
    story:
      "The band of Penha de França starts at the viewpoint at dusk and plays its way down to the square, one landing at a time. Follow along, lean out of a window, or wait below with something cold.",
    venue: "miradouro-das-gaivotas",
    weekday: 6,
    time: "18:30",
    minutes: 90,
    euros: 0,
    seats: 400,
  },
  {
    title: "Jazz for People Who Say They Hate Jazz",
    summary: "A patient trio, a short explanation before each tune, and no solos over a minute.",
    story:
      "Pianist Marta Quintela spent ten years teaching secondary school and it shows in the best way. Every standard is taken apart, one instrument at a time, and put together again. You will leave humming at least two of them.",
    venue: "teatro-lanterna",
    weekday: 3,
    time: "20:00",
    minutes: 90,
    euros: 9,
    seats: 90,
  },
  {
    title: "Choir of the Last Tram",
    summary: "Sixty singers who met on the 28, with songs about going home.",
    story:
      "What began as two conductors humming in harmony is now a choir with a waiting list. The programme runs from medieval cantigas to a four-part version of the ticket machine's chime. Doors close when the tram leaves.",
    venue: "cinema-aurora",
    weekday: 5,
    time: "21:00",
    minutes: 80,
    euros: 7,
    seats: 140,
  },
];
