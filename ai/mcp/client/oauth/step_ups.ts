/** How often a server may have the user asked for wider scopes within {@link windowMs}. */
const maxQuestions = 3;

const windowMs = 3_600_000;

interface Question {
  readonly scopes: string;
  readonly atMs: number;
  isAgreed: boolean;
}

/**
 * Bounds how often the user is asked for wider scopes: a server that is never content could open the page
 * of the sign-in with every request.
 */
export class StepUps {
  readonly #now: () => number;
  #questions: readonly Question[] = [];

  constructor({ now = () => performance.now() }: { readonly now?: () => number } = {}) {
    this.#now = now;
  }

  /**
   * Counts a question.
   *
   * @returns `undefined` where the user must not be asked; else what to call once the user has agreed.
   */
  begin(scopes: readonly string[]): { readonly agreed: () => void } | undefined {
    const atMs = this.#now();
    this.#questions = this.#questions.filter((each) => atMs - each.atMs < windowMs);
    const wanted = scopes.toSorted().join(" ");
    // The server refuses what the user has agreed to: asking again would change nothing.
    const isAgreed = this.#questions.some((each) => each.isAgreed && each.scopes === wanted);
    if (isAgreed || this.#questions.length >= maxQuestions) return undefined;
    const question: Question = { scopes: wanted, atMs, isAgreed: false };
    this.#questions = [...this.#questions, question];
    return {
      agreed: () => {
        question.isAgreed = true;
      },
    };
  }

  /** Allows the questions again that the user agreed to: the grant is lost. */
  forgetAgreed(): void {
    for (const question of this.#questions) question.isAgreed = false;
  }
}
