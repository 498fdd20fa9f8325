import type { Sample } from "./sample.ts";

/** Openings and tours, the earliest first. */
export const art: readonly Sample[] = [
  {
    title: "Opening: Blue Is Not a Colour",
    summary: "Nine painters, one pigment and a wall of cobalt studies.",
    story:
      "Each artist was sent the same 200 grams of cobalt blue and a deadline. What came back includes a fresco, a tablecloth, a map of tides and a room you enter with a torch. The pigment maker speaks at seven.",
    texts: {
      "pt-PT": {
        title: "Inauguração: o azul não é uma cor",
        summary: "Nove pintores, um pigmento e uma parede de estudos em cobalto.",
        story:
          "Cada artista recebeu os mesmos 200 gramas de azul-cobalto e um prazo. Voltaram, entre outros, um fresco, uma toalha de mesa, um mapa das marés e uma sala onde se entra com uma lanterna. Às sete fala quem fabrica o pigmento.",
      },
    },
    venue: "atelier-quinze",
    weekday: 4,
    time: "18:30",
    minutes: 150,
    euros: 0,
    seats: 70,
  },
  {
    title: "Tiles After Dark: A Torchlight Tour",
    summary: "A walk past the façades of Alfama, read by raking light.",
    story:
      "Held at an angle, a torch shows what daylight hides: brush strokes, repairs, the thumbprint of a painter from 1760. The walk ends at the kiln with a look at how the glaze was made.",
    texts: {
      "pt-PT": {
        title: "Azulejos à noite: visita à lanterna",
        summary: "Um passeio pelas fachadas de Alfama, lidas com luz rasante.",
        story:
          "De lado, uma lanterna mostra o que o dia esconde: pinceladas, reparações, o polegar de um pintor de 1760. O passeio acaba no forno, onde se vê como se fazia o vidrado.",
      },
    },
    venue: "atelier-quinze",
    weekday: 5,
    time: "20:00",
    minutes: 110,
    euros: 9,
    seats: 18,
    isFeatured: true,
  },
  {
    title: "The Museum of Unfinished Things",
    summary: "Half a boat, two thirds of a novel, and the people who stopped.",
    story:
      "Eighty objects on loan from drawers and garages all over the city, each with a card saying why. On the opening day the lenders stand beside their pieces. Some have been known to finish them.",
    texts: {
      "pt-PT": {
        title: "O Museu das Coisas por Acabar",
        summary: "Meio barco, dois terços de um romance e as pessoas que pararam.",
        story:
          "Oitenta objetos emprestados por gavetas e garagens de toda a cidade, cada um com um cartão que diz porquê. No dia da abertura, quem os emprestou fica ao lado da sua peça. Há quem já tenha acabado a sua.",
      },
    },
    venue: "fabrica-do-pao",
    weekday: 6,
    time: "12:00",
    minutes: 360,
    euros: 4,
    seats: 300,
  },
  {
    title: "Life Drawing in the Glasshouse",
    summary: "Long poses among the palms, with paper, boards and charcoal provided.",
    story:
      "Two models, no instruction unless you ask. The light goes from white to amber over the afternoon, which is the real subject. Leave your drawing on the wall or take it home.",
    texts: {
      "pt-PT": {
        title: "Desenho de modelo na estufa",
        summary: "Poses longas entre as palmeiras, com papel, pranchetas e carvão incluídos.",
        story:
          "Dois modelos, e nenhuma instrução a não ser que a peça. A luz passa de branca a âmbar ao longo da tarde, e é esse o verdadeiro tema. Deixe o desenho na parede ou leve-o para casa.",
      },
    },
    venue: "estufa-velha",
    weekday: 7,
    time: "15:00",
    minutes: 150,
    euros: 10,
    seats: 40,
  },
  {
    title: "Photographs from a Bus Window",
    summary: "Twenty years of the 706, shot by its driver at red lights.",
    story:
      "Alberto Simas kept a camera on the dashboard and a rule: one frame a stop, never while moving. The exhibition hangs along the reading room in the order of the route. He will be there to announce the stops.",
    texts: {
      "pt-PT": {
        title: "Fotografias da janela de um autocarro",
        summary: "Vinte anos do 706, fotografados pelo motorista nos sinais vermelhos.",
        story:
          "Alberto Simas levava uma máquina no tabliê e uma regra: uma fotografia por paragem, nunca em andamento. A exposição segue pela sala de leitura na ordem do percurso. Ele estará lá para anunciar as paragens.",
      },
    },
    venue: "biblioteca-do-largo",
    weekday: 2,
    time: "18:00",
    minutes: 120,
    euros: 0,
    seats: 90,
  },
  {
    title: "Sound Sculptures on the Quay",
    summary: "Six instruments that are played by wind, rope and tide.",
    story:
      "An organ of drainpipes, a harp strung across a doorway, a drum that only speaks at high water. Walk among them with the artists, who brought spare parts and will let you tune.",
    texts: {
      "pt-PT": {
        title: "Esculturas sonoras no cais",
        summary: "Seis instrumentos tocados pelo vento, pelas cordas e pela maré.",
        story:
          "Um órgão de tubos de queda, uma harpa esticada numa porta, um tambor que só fala na maré alta. Passeie entre eles com os artistas, que trouxeram peças de reserva e o deixam afinar.",
      },
    },
    venue: "sala-do-cais",
    weekday: 6,
    time: "16:00",
    minutes: 120,
    euros: 0,
    seats: 150,
  },
  {
    title: "Print Fair: Paper, Ink, Patience",
    summary: "Forty presses and printmakers, and a guillotine you may use yourself.",
    story:
      "Woodcut, risograph, letterpress and a man who prints with leaves. Most sheets cost less than lunch. At four o'clock the big press pulls one poster in eight colours, and everyone takes a turn.",
    texts: {
      "pt-PT": {
        title: "Feira da gravura: papel, tinta, paciência",
        summary: "Quarenta prelos e gravadores, e uma guilhotina que pode usar.",
        story:
          "Xilogravura, risografia, tipografia e um homem que imprime com folhas. A maioria das folhas custa menos do que um almoço. Às quatro, o prelo grande tira um cartaz a oito cores, e todos dão uma ajuda.",
      },
    },
    venue: "mercado-novo",
    weekday: 7,
    time: "10:00",
    minutes: 480,
    euros: 2,
    seats: 500,
  },
  {
    title: "Embroidery as Protest",
    summary: "Banners, handkerchiefs and slogans in cross-stitch, from 1910 to last week.",
    story:
      "The collector Filipa Moura unfolds sixty textiles that said what could not be printed. White gloves are provided and touching is the point. A table in the corner is threaded and ready.",
    texts: {
      "pt-PT": {
        title: "Bordado como protesto",
        summary: "Faixas, lenços e palavras de ordem a ponto de cruz, de 1910 à semana passada.",
        story:
          "A colecionadora Filipa Moura desdobra sessenta têxteis que diziam o que não se podia imprimir. Há luvas brancas, e tocar faz parte. Num canto há uma mesa com a linha já enfiada.",
      },
    },
    venue: "atelier-quinze",
    weekday: 3,
    time: "17:30",
    minutes: 120,
    euros: 5,
    seats: 30,
  },
];
