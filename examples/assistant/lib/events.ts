import { httpError } from "@fw/fw";

/** An event in the city. */
export interface CityEvent {
  readonly id: string;
  readonly title: string;
  readonly venue: string;
  readonly category: "art" | "food" | "music" | "outdoors" | "talks";
  /** The local date and time. */
  readonly starts: string;
  readonly euros: number;
  readonly seats: number;
}

/** A booking of seats. */
export interface Booking {
  readonly code: string;
  readonly event: CityEvent;
  readonly seats: number;
}

const samples: readonly CityEvent[] = [
  {
    id: "blue",
    title: "Opening: Blue Is Not a Colour",
    venue: "Atelier Quinze",
    category: "art",
    starts: "Thursday, 18:30",
    euros: 0,
    seats: 70,
  },
  {
    id: "tiles",
    title: "Tiles After Dark: A Torchlight Tour",
    venue: "Atelier Quinze",
    category: "art",
    starts: "Friday, 20:00",
    euros: 9,
    seats: 18,
  },
  {
    id: "bread",
    title: "Bread Before Dawn",
    venue: "Fábrica do Pão",
    category: "food",
    starts: "Saturday, 05:00",
    euros: 22,
    seats: 12,
  },
  {
    id: "supper",
    title: "A Supper of Five Fishes",
    venue: "Cais 9",
    category: "food",
    starts: "Friday, 19:30",
    euros: 38,
    seats: 24,
  },
  {
    id: "strings",
    title: "Strings Under the Bridge",
    venue: "Docas",
    category: "music",
    starts: "Saturday, 21:00",
    euros: 15,
    seats: 160,
  },
  {
    id: "fado",
    title: "Fado for Beginners",
    venue: "Casa da Rua",
    category: "music",
    starts: "Sunday, 18:00",
    euros: 12,
    seats: 30,
  },
  {
    id: "swim",
    title: "First Swim of the Season",
    venue: "Praia Norte",
    category: "outdoors",
    starts: "Sunday, 08:00",
    euros: 0,
    seats: 50,
  },
  {
    id: "owls",
    title: "Listening for Owls",
    venue: "Mata Velha",
    category: "outdoors",
    starts: "Friday, 22:00",
    euros: 5,
    seats: 15,
  },
  {
    id: "maps",
    title: "Maps That Lied",
    venue: "Biblioteca do Largo",
    category: "talks",
    starts: "Wednesday, 19:00",
    euros: 0,
    seats: 80,
  },
  {
    id: "signals",
    title: "Short Talks: Signals and Noise",
    venue: "Biblioteca do Largo",
    category: "talks",
    starts: "Thursday, 19:00",
    euros: 4,
    seats: 80,
  },
];

/** Keeps a week's events and their bookings in memory; a restart loses the bookings. */
export class EventBook {
  readonly #bookings: Booking[] = [];

  /** Returns the events that contain every word in their title, venue, category or day. */
  search(words: string): readonly (CityEvent & { readonly free: number })[] {
    const wanted = words.toLowerCase().split(/\s+/).filter((word) => word !== "");
    return samples
      .filter(({ title, venue, category, starts }) => {
        const text = `${title} ${venue} ${category} ${starts}`.toLowerCase();
        return wanted.every((word) => text.includes(word));
      })
      .map((event) => ({ ...event, free: this.freeSeats(event) }));
  }

  /** Returns the event with an id. */
  find(id: string): CityEvent | undefined {
    return samples.find((event) => event.id === id);
  }

  /** Returns the number of free seats of an event. */
  freeSeats({ id, seats }: CityEvent): number {
    const booked = this.#bookings.filter(({ event }) => event.id === id);
    return booked.reduce((free, booking) => free - booking.seats, seats);
  }

  /** Books seats if enough are free. */
  book(event: CityEvent, seats: number): Booking {
    const free = this.freeSeats(event);
    if (seats > free) throw httpError(409, `"${event.title}" has ${free} free seats.`);
    const booking = { code: `B${this.#bookings.length + 1}`, event, seats };
    this.#bookings.push(booking);
    return booking;
  }
}
