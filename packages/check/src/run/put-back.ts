import { sameJson } from '@azimuth/model';
import { shown } from '../match/matcher.js';
import { quoted } from '../steps/as-curl.js';
import { NotTestable, Unmet } from '../steps/step-context.js';
import { NoAnswer } from '../wire/http-exchange.js';
import type { Leftover } from './leftover.js';
import { answersAgain } from './reachable-again.js';
import type { RunContext } from './run-context.js';
import { readVariable, saveParameters, writeVariable } from './variable-access.js';

/** Values of variables by name, as they were before. */
export type ValuesBefore = ReadonlyMap<string, unknown>;

/** Time in ms after which logins that a case has locked are possible again, with a margin. */
const lockTime = 31_000;

/**
 * Rounds of writing: variables that refuse a value as long as another one has its new value are written after that one in
 * the next round.
 */
const rounds = 3;

/**
 * Puts variables back to what they were, and verifies it by reading. What cannot be put back stays noted, and is tried again
 * the next time, and at the end.
 */
export class PutBack {
  readonly #context: RunContext;
  /** Values that are not back yet. */
  readonly #pending = new Map<string, unknown>();
  /** Why each of them is not. */
  readonly #reasons = new Map<string, string>();
  #mustSave = false;
  #isLost = false;

  /** @param context its signal ends the waiting for a scanner, and nothing else */
  constructor(context: RunContext) {
    this.#context = context;
  }

  /** Reads variables before they are changed. @throws NotTestable for one that cannot be read: it must not be changed */
  async read(names: readonly string[]): Promise<ValuesBefore> {
    const values = new Map<string, unknown>();
    for (const name of names) {
      const value = await this.readIfPossible(name);
      if (value === undefined)
        throw new NotTestable(`${name} cannot be read before: it could not be put back`);
      values.set(name, value);
    }
    return values;
  }

  /** Returns the value of a variable from before; undefined if it cannot be read. */
  async readIfPossible(name: string): Promise<unknown> {
    if (this.#pending.has(name)) return this.#pending.get(name);
    try {
      return await readVariable(name, this.#context);
    } catch (error) {
      if (error instanceof Unmet || error instanceof NoAnswer) return undefined;
      throw error;
    }
  }

  /** Waits until the scanner answers. @returns false if it has not answered for three minutes: nobody waits again then */
  async reachesAgain(): Promise<boolean> {
    this.#isLost ||= !(await answersAgain(this.#context));
    return !this.#isLost;
  }

  /** Notes that the stored set has been overwritten: it is saved again once everything is back. */
  saveAfterwards(): void {
    this.#mustSave = true;
  }

  /** Puts these variables back, and all that are still pending. @returns what of all is not back */
  async restore(before: ValuesBefore): Promise<readonly Leftover[]> {
    for (const [name, value] of before) this.#pending.set(name, value);
    for (let round = 1; round <= rounds && this.#pending.size > 0; round++) {
      if (!(await this.#round())) return this.leftovers;
    }
    if (this.#pending.size === 0 && this.#mustSave) await this.#save();
    return this.leftovers;
  }

  /** What is not back. */
  get leftovers(): readonly Leftover[] {
    const { url } = this.#context.target;
    const values = [...this.#pending].map(([name, value]): Leftover => {
      const typed = quoted(JSON.stringify(value) ?? 'null');
      return {
        name,
        what: `${name} was ${shown(value)}: ${this.#reasons.get(name) ?? 'not written'}`,
        command: `azimuth set ${name} ${typed} --device ${quoted(url)}`,
      };
    });
    if (!this.#mustSave) return values;
    return [
      ...values,
      {
        what: 'the stored parameters are not those from before',
        command: `azimuth save --device ${quoted(url)}`,
      },
    ];
  }

  /** Writes everything that is not back once. @returns false if there is no use in another round */
  async #round(): Promise<boolean> {
    for (const [name, value] of [...this.#pending].toReversed()) {
      const failed = await this.#tried(name, () => this.#putBack(name, value));
      if (failed === undefined) this.#pending.delete(name);
      else if (failed instanceof NotTestable) return false;
      else if (failed instanceof NoAnswer && !(await this.reachesAgain())) return false;
      else if (isLocked(failed)) await this.#context.target.clock.wait(lockTime, this.#context.signal);
    }
    return true;
  }

  async #putBack(name: string, value: unknown): Promise<void> {
    if (sameJson(await readVariable(name, this.#context), value)) return;
    await writeVariable(name, value, this.#context);
    const now = await readVariable(name, this.#context);
    if (!sameJson(now, value)) throw new Unmet({ at: name, expected: shown(value), came: shown(now) });
  }

  async #save(): Promise<void> {
    const failed = await this.#tried('WriteEeprom', () => saveParameters(this.#context));
    this.#mustSave = failed !== undefined;
  }

  async #tried(name: string, act: () => Promise<void>): Promise<Error | undefined> {
    try {
      await act();
      return undefined;
    } catch (error) {
      if (!(error instanceof Unmet || error instanceof NoAnswer || error instanceof NotTestable)) throw error;
      this.#reasons.set(name, error.message);
      return error;
    }
  }
}

/** True for a login that got no challenge, as long as logins are locked. */
function isLocked(error: Error): boolean {
  return error instanceof Unmet && error.mismatch.at === 'getChallenge';
}
