import type { StatusMessage } from '@foxglove/ws-protocol';
import { StatusLevel } from './protocol.js';

type Problem = Omit<StatusMessage, 'op'>;

export interface ProblemListener {
  /** A problem is there now, or has other words. */
  begins(problem: Problem): void;
  ends(id: string): void;
}

/** What is wrong at the moment. Viewers that connect later are told, too. */
export class Problems {
  readonly #now = new Map<string, string>();
  readonly #listener: ProblemListener;

  constructor(listener: ProblemListener) {
    this.#listener = listener;
  }

  /** Sets or ends a problem. @param message one line; undefined if nothing is wrong */
  set(id: string, message: string | undefined): void {
    if (this.#now.get(id) === message) return;
    if (message === undefined) {
      this.#now.delete(id);
      this.#listener.ends(id);
    } else {
      this.#now.set(id, message);
      this.#listener.begins(status(id, message));
    }
  }

  get all(): readonly Problem[] {
    return [...this.#now].map(([id, message]) => status(id, message));
  }
}

function status(id: string, message: string): Problem {
  return { id, level: StatusLevel.WARNING, message };
}
