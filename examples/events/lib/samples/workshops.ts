import type { Sample } from "./sample.ts";

/** Classes, the earliest first. */
export const workshops: readonly Sample[] = [
  {
    title: "Paint a Tile, Fire a Tile",
    summary: "Two evenings in one: glaze today, collect from the kiln on Friday.",
    story:
      "Learn the pounced stencil, the loaded brush and the nerve to paint on raw glaze, where nothing can be wiped off. Everyone makes four tiles that join up with the neighbours'.",
    texts: {
      "pt-PT": {
        title: "Pintar um azulejo, cozer um azulejo",
        summary: "Duas noites numa: hoje vidra-se, na sexta-feira levanta-se do forno.",
        story:
          "Aprenda o estampilhado a pó, o pincel carregado e a coragem de pintar sobre vidrado cru, onde nada se apaga. Cada pessoa faz quatro azulejos que continuam os do vizinho.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Repair Café: candeeiros, fechos, torradeiras",
        summary: "Traga o que está avariado. Um voluntário arranja-o consigo, não por si.",
        story:
          "Seis bancadas, uma caixa de parafusos que não servem em nada e uma taxa de êxito de dois em três. A reparação mais querida do mês passado foi uma caixa de música; a que mais fumo deu, um secador de cabelo.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Encadernação para principiantes",
        summary: "Dobre, cosa e encape um caderno que abre por completo.",
        story:
          "Quatro horas, uma agulha e a satisfação de uma lombada direita. Papel, linha e tecido estão incluídos, e o gato do encadernador supervisiona. Leva para casa o caderno e o molde.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Guitarra portuguesa: a primeira hora",
        summary: "Doze cordas, três acordes e as pontas dos dedos doridas.",
        story:
          "Os instrumentos são emprestados. No fim tocará mal o início de um fado e há de reconhecê-lo em toda a parte. O professor já acompanhou metade dos fadistas da cidade.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Barcos pequenos: construa um bote num dia",
        summary: "Doze pessoas, duas placas de contraplacado, um lançamento ao pôr do sol.",
        story:
          "Coser, colar, beber café enquanto seca e pintar o nome. Às seis, todos o levam rampa abaixo. Flutuou sempre, menos uma vez, e essa história faz parte do curso.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Pintura de letreiros com um só pincel",
        summary: "Letras à moda das lojas: puxar, torcer, levantar e respirar.",
        story:
          "A pintora Leonor Matias fez metade dos talhos de Arroios. Ensina um alfabeto, um pincel e uma sombra honesta. Todos saem com um letreiro para a própria cozinha.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Programe o seu primeiro sítio",
        summary: "De uma pasta vazia a uma página que a sua avó consegue abrir.",
        story:
          "Sem experiência, sem jargão, sem JavaScript. Vai escrever uma página à mão, dar-lhe uma folha de estilos e pô-la em linha antes do jantar. Há portáteis; traga algo que queira contar.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Cozinha de fermentação",
        summary: "Couve, malaguetas e paciência: três frascos para levar.",
        story:
          "Sal a peso, nunca a gosto. Vai começar um chucrute, um molho picante e um piripíri que precisa de um mês e de um nome. Traga avental e não conte dar apertos de mão a seguir.",
      },
    },
    venue: "fabrica-do-pao",
    weekday: 2,
    time: "18:30",
    minutes: 135,
    euros: 26,
    seats: 16,
  },
];
