import { randomToken } from "../../../runtime/addon.ts";
import type { RpcParams } from "../protocol/messages.ts";
import type { SignedStates, StateBinding } from "../../runs/signed_state.ts";

/** The reason with which a function is stopped that asked a question without an answer yet. */
export class InputRequired extends Error {
  override readonly name: string = "InputRequired";

  constructor() {
    super("The client must answer a question first; the call runs again with the answer.");
  }
}

/** The client's answers in the tries of a call so far, by the keys of their questions. */
export type Answers = ReadonlyMap<string, RpcParams>;

interface Question {
  readonly method: string;
  readonly params: RpcParams;
}

/**
 * The questions and answers of one call of revision 2026-07-28 ("Multi Round-Trip Requests"): a
 * question without an answer ends the call, and the client calls again with the answers.
 */
export class InputRound {
  readonly #answers: Answers;
  readonly #questions: Map<string, Question> = new Map();

  constructor(answers: Answers) {
    this.#answers = answers;
  }

  get isOpen(): boolean {
    return this.#questions.size > 0;
  }

  /** Returns the answer to a question; rejects with {@link InputRequired} where there is none yet. */
  ask(key: string, question: Question): Promise<RpcParams> {
    const answer = this.#answers.get(key);
    if (answer !== undefined) return Promise.resolve(answer);
    this.#questions.set(key, question);
    return Promise.reject(new InputRequired());
  }

  result(states: SignedStates, binding: StateBinding): RpcParams {
    return {
      resultType: "input_required",
      inputRequests: Object.fromEntries(this.#questions),
      // Each state has an id of its own: an approval in it counts once, and those before it no more.
      requestState: states.seal(
        { id: randomToken(), answers: Object.fromEntries(this.#answers) },
        binding,
      ),
    };
  }
}
