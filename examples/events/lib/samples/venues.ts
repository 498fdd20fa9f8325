/** A made-up venue in a real neighbourhood. */
export interface SampleVenue {
  readonly slug: string;
  readonly name: string;
  readonly address: string;
  readonly area: string;
  readonly note: string;
}

/** The venues of the sample events. */
export const venues: readonly SampleVenue[] = [
  {
    slug: "estufa-velha",
    name: "Estufa Velha",
    address: "Rua do Viveiro 12",
    area: "Marvila",
    note:
      "A municipal glasshouse from 1911 with a sprung floor laid over the old flower beds. Level access from the courtyard, a cloakroom by the palm, and a bar that closes when the music starts.",
  },
  {
    slug: "cinema-aurora",
    name: "Cinema Aurora",
    address: "Largo da Oliveira 3",
    area: "Graça",
    note:
      "One screen, 140 seats and a projection booth that still runs 35 mm. The tram stops at the door. Two wheelchair places in row F; ask at the desk for a headset.",
  },
  {
    slug: "sala-do-cais",
    name: "Sala do Cais",
    address: "Doca Pequena 7",
    area: "Alcântara",
    note:
      "A riverside hall that used to store sailcloth. Doors open one hour before the start, the terrace an hour before that. Bicycle racks along the quay, step-free throughout.",
  },
  {
    slug: "biblioteca-do-largo",
    name: "Biblioteca do Largo",
    address: "Largo das Acácias 1",
    area: "Campo de Ourique",
    note:
      "The neighbourhood library, with a reading room that turns into an auditorium after closing time. Lift to all floors, induction loop, and a children's corner that stays open.",
  },
  {
    slug: "fabrica-do-pao",
    name: "Fábrica do Pão",
    address: "Rua da Moagem 40",
    area: "Beato",
    note:
      "A former army bakery whose ovens are lit again on Saturdays. Long tables, good light, stone floors that stay cool in August. Buses stop two minutes away.",
  },
  {
    slug: "jardim-da-cisterna",
    name: "Jardim da Cisterna",
    address: "Travessa da Fonte",
    area: "Príncipe Real",
    note:
      "A walled garden on top of a dry cistern. Gravel paths, deep shade under the jacarandas, and drinking water at the gate. In heavy rain events move to the gatehouse.",
  },
  {
    slug: "teatro-lanterna",
    name: "Teatro Lanterna",
    address: "Rua do Biombo 18",
    area: "Mouraria",
    note:
      "Ninety seats around a thrust stage in what was once a lamp maker's workshop. Latecomers are let in at the first pause. The foyer serves soup from seven.",
  },
  {
    slug: "atelier-quinze",
    name: "Atelier Quinze",
    address: "Beco do Azulejo 15",
    area: "Alfama",
    note:
      "Two rooms and a kiln at the end of an alley. There are eleven steps up from the street and a bell; if nobody answers, try the blue door on the left.",
  },
  {
    slug: "mercado-novo",
    name: "Mercado Novo",
    address: "Praça Nova 2",
    area: "Arroios",
    note:
      "A market hall from 1954 with fish in the morning and supper clubs at night. Enter by the north gate after six. Metro at the corner, ramps on every side.",
  },
  {
    slug: "miradouro-das-gaivotas",
    name: "Miradouro das Gaivotas",
    address: "Calçada do Monte",
    area: "Penha de França",
    note:
      "A terrace of stone pines with the whole river in view. A kiosk sells coffee and blankets. The climb is steep from the south; the bus from the north stops at the top.",
  },
];
