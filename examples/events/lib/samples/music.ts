import type { Sample } from "./sample.ts";

/** Concerts, the earliest first. */
export const music: readonly Sample[] = [
  {
    title: "Fado Without a Microphone",
    summary: "Three voices, two guitars and a glasshouse that carries every breath.",
    story:
      "Inês Vidal, Tomás Rego and the eighty-one-year-old Dona Celeste sing the repertoire of the old laundries, songs that were never written down and seldom recorded. No amplification, no stage lights: the audience sits in a circle and the lamps go down one by one.",
    texts: {
      "pt-PT": {
        title: "Fado sem microfone",
        summary: "Três vozes, duas guitarras e uma estufa que leva cada respiração.",
        story:
          "Inês Vidal, Tomás Rego e Dona Celeste, de oitenta e um anos, cantam o repertório dos antigos lavadouros, canções que nunca foram escritas e raramente gravadas. Sem amplificação e sem luzes de palco: o público senta-se em círculo e os candeeiros apagam-se um a um.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Cacilheiro noturno: música ambiente junto ao rio",
        summary:
          "Fitas em repetição, címbalos tocados com arco e sintetizadores lentos, de portas abertas para a água.",
        story:
          "Quatro músicos tocam uma única peça contínua enquanto os últimos barcos passam atrás deles. Traga algo onde se deitar. O volume é baixo o bastante para se ouvirem as amarras ranger, e ninguém se importa se adormecer.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "O Clube do Órgão de Domingo",
        summary: "Um órgão portátil, um improvisador e pedidos do público.",
        story:
          "Assobie uma melodia à porta e Rui Brandão toca uma fuga sobre ela antes de acabar a hora. As crianças podem dar ao fole. Já houve pedidos de um hino de futebol, do toque de um telefone e de uma canção de embalar em crioulo.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Morna e coladeira: uma noite do Mindelo",
        summary: "Clássicos de Cabo Verde, com espaço para dançar depois de arrumadas as cadeiras.",
        story:
          "Nha Bia e o seu quinteto abrem com uma hora de mornas e depois as mesas vão para a parede. No intervalo há uma pequena aula de coladeira para principiantes, e a cozinha serve cachupa até acabar.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Quarteto de cordas em círculo",
        summary: "Haydn, Lopes-Graça e uma obra nova, ouvidos do meio do quarteto.",
        story:
          "O Quarteto Ribeira senta-se nos quatro cantos da sala e o público fica no meio. Ouça por uma vez a viola sozinha, ou fique onde as linhas se cruzam. A segunda parte toca-se outra vez do outro lado.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Metais na escadaria",
        summary: "Uma banda de bairro com quarenta músicos desce trezentos degraus.",
        story:
          "A banda da Penha de França começa no miradouro ao anoitecer e desce até ao largo a tocar, patamar a patamar. Acompanhe-a, debruce-se numa janela ou espere em baixo com uma bebida fresca.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Jazz para quem diz detestar jazz",
        summary:
          "Um trio paciente, uma breve explicação antes de cada tema e nenhum solo com mais de um minuto.",
        story:
          "A pianista Marta Quintela deu aulas no secundário durante dez anos, e isso nota-se da melhor maneira. Cada standard é desmontado, um instrumento de cada vez, e montado outra vez. Vai sair a trautear pelo menos dois.",
      },
    },
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
    texts: {
      "pt-PT": {
        title: "Coro do Último Elétrico",
        summary: "Sessenta cantores que se conheceram no 28, com canções sobre o regresso a casa.",
        story:
          "O que começou com dois guarda-freios a cantar em harmonia é hoje um coro com lista de espera. O programa vai das cantigas medievais a uma versão a quatro vozes do sinal da máquina de bilhetes. As portas fecham quando o elétrico parte.",
      },
    },
    venue: "cinema-aurora",
    weekday: 5,
    time: "21:00",
    minutes: 80,
    euros: 7,
    seats: 140,
  },
];
