/** A fictional venue in a real neighbourhood. */
export interface SampleVenue {
  readonly slug: string;
  readonly name: string;
  readonly address: string;
  readonly area: string;
  readonly note: string;
  /** The note in other languages, by tag. */
  readonly notes: Readonly<Record<string, string>>;
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
    notes: {
      "pt-PT":
        "Uma estufa municipal de 1911, com um soalho de dança sobre os antigos canteiros. Entrada de nível pelo pátio, bengaleiro junto à palmeira e um bar que fecha quando a música começa.",
    },
  },
  {
    slug: "cinema-aurora",
    name: "Cinema Aurora",
    address: "Largo da Oliveira 3",
    area: "Graça",
    note:
      "One screen, 140 seats and a projection booth that still runs 35 mm. The tram stops at the door. Two wheelchair places in row F; ask at the desk for a headset.",
    notes: {
      "pt-PT":
        "Um ecrã, 140 lugares e uma cabina de projeção que ainda passa 35 mm. O elétrico para à porta. Dois lugares para cadeiras de rodas na fila F; peça auscultadores na bilheteira.",
    },
  },
  {
    slug: "sala-do-cais",
    name: "Sala do Cais",
    address: "Doca Pequena 7",
    area: "Alcântara",
    note:
      "A riverside hall that used to store sailcloth. Doors open one hour before the start, the terrace an hour before that. Bicycle racks along the quay, step-free throughout.",
    notes: {
      "pt-PT":
        "Uma sala à beira-rio que já guardou lona para velas. As portas abrem uma hora antes do início, e a esplanada uma hora antes das portas. Estacionamento de bicicletas ao longo do cais, tudo sem degraus.",
    },
  },
  {
    slug: "biblioteca-do-largo",
    name: "Biblioteca do Largo",
    address: "Largo das Acácias 1",
    area: "Campo de Ourique",
    note:
      "The neighbourhood library, with a reading room that turns into an auditorium after closing time. Lift to all floors, induction loop, and a children's corner that stays open.",
    notes: {
      "pt-PT":
        "A biblioteca do bairro, com uma sala de leitura que depois do fecho passa a auditório. Elevador para todos os pisos, anel de indução e um canto das crianças que fica aberto.",
    },
  },
  {
    slug: "fabrica-do-pao",
    name: "Fábrica do Pão",
    address: "Rua da Moagem 40",
    area: "Beato",
    note:
      "A former army bakery whose ovens are lit again on Saturdays. Long tables, good light, stone floors that stay cool in August. Buses stop two minutes away.",
    notes: {
      "pt-PT":
        "Uma antiga padaria militar cujos fornos voltam a acender-se aos sábados. Mesas compridas, boa luz e um chão de pedra que se mantém fresco em agosto. Os autocarros param a dois minutos.",
    },
  },
  {
    slug: "jardim-da-cisterna",
    name: "Jardim da Cisterna",
    address: "Travessa da Fonte",
    area: "Príncipe Real",
    note:
      "A walled garden on top of a dry cistern. Gravel paths, deep shade under the jacarandas, and drinking water at the gate. In heavy rain events move to the gatehouse.",
    notes: {
      "pt-PT":
        "Um jardim murado por cima de uma cisterna seca. Caminhos de saibro, sombra densa debaixo dos jacarandás e água potável ao portão. Com chuva forte, os eventos passam para a casa do guarda.",
    },
  },
  {
    slug: "teatro-lanterna",
    name: "Teatro Lanterna",
    address: "Rua do Biombo 18",
    area: "Mouraria",
    note:
      "Ninety seats around a thrust stage in what was once a lamp maker's workshop. Latecomers are let in at the first pause. The foyer serves soup from seven.",
    notes: {
      "pt-PT":
        "Noventa lugares à volta de um palco avançado, no que foi a oficina de um fabricante de candeeiros. Quem chega atrasado entra na primeira pausa. O foyer serve sopa a partir das sete.",
    },
  },
  {
    slug: "atelier-quinze",
    name: "Atelier Quinze",
    address: "Beco do Azulejo 15",
    area: "Alfama",
    note:
      "Two rooms and a kiln at the end of an alley. There are eleven steps up from the street and a bell; if nobody answers, try the blue door on the left.",
    notes: {
      "pt-PT":
        "Duas salas e um forno de cerâmica ao fundo de um beco. Da rua sobem-se onze degraus até à campainha; se ninguém responder, experimente a porta azul à esquerda.",
    },
  },
  {
    slug: "mercado-novo",
    name: "Mercado Novo",
    address: "Praça Nova 2",
    area: "Arroios",
    note:
      "A market hall from 1954 with fish in the morning and supper clubs at night. Enter by the north gate after six. Metro at the corner, ramps on every side.",
    notes: {
      "pt-PT":
        "Um mercado de 1954, com peixe de manhã e jantares à noite. Depois das seis entra-se pelo portão norte. Metro à esquina, rampas de todos os lados.",
    },
  },
  {
    slug: "miradouro-das-gaivotas",
    name: "Miradouro das Gaivotas",
    address: "Calçada do Monte",
    area: "Penha de França",
    note:
      "A terrace of stone pines with the whole river in view. A kiosk sells coffee and blankets. The climb is steep from the south; the bus from the north stops at the top.",
    notes: {
      "pt-PT":
        "Um terraço de pinheiros-mansos com o rio inteiro à vista. Um quiosque vende café e mantas. A subida é íngreme pelo lado sul; o autocarro que vem do norte para no cimo.",
    },
  },
];
