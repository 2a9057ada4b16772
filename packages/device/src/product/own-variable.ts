import { inTime } from '@azimuth/async';
import { type ProductScanner, Refusal, type Variable, type VariableHooks } from '@azimuth/model';
import type { Clock } from '../interfaces/environment.js';
import type { Conditions } from '../lifecycle/conditions.js';
import { errorMessage, RecurringError } from '../lifecycle/unexpected-errors.js';
import type { RecentLog } from '../recent-log.js';

/** ms that a hook may take. A client waits for it. */
export const longestHook = 10_000;

interface Options {
  readonly clock: Clock;
  readonly log: RecentLog;
  readonly conditions: Conditions;
  readonly scanner: ProductScanner;
}

/**
 * An own variable of a product, with the errors of its hooks contained. If `computed` throws or returns an invalid
 * value, the last good one stays, and DeviceStatus is 7 until a call succeeds. If `written` fails after a change, the
 * value stays, and DeviceStatus is 7 until a call succeeds.
 */
export class OwnVariable {
  readonly variable: Variable<unknown>;
  readonly hooks: VariableHooks;
  readonly #options: Options;
  readonly #computedError: RecurringError;
  readonly #writtenError: RecurringError;
  #last: unknown;

  constructor(variable: Variable<unknown>, hooks: VariableHooks, options: Options) {
    this.variable = variable;
    this.hooks = hooks;
    this.#options = options;
    this.#last = variable.type.initial;
    this.#computedError = new RecurringError(options, `computed of ${variable.name}`);
    this.#writtenError = new RecurringError(options, `written of ${variable.name}`);
  }

  /** The value of `computed`; the last good one if that fails. */
  get value(): unknown {
    const { name, type } = this.variable;
    try {
      const computed = this.hooks.computed?.(this.#options.scanner);
      if (computed instanceof Promise) {
        computed.catch(ignore);
        throw new TypeError('computed returned a promise: expected the value');
      }
      this.#last = type.fromJson(computed, name);
      this.#computedError.works();
    } catch (error) {
      this.#computedError.failed(
        `${name} could not be computed; the last value is used`,
        errorMessage(error),
      );
    }
    return this.#last;
  }

  /** @throws Refusal 9 if the product refuses the value */
  check(value: unknown): void {
    const reason = this.hooks.refuses?.(value, this.#options.scanner);
    if (typeof reason === 'string') throw new Refusal('illegalValue', this.variable.name, reason);
  }

  /**
   * Hands a value to `written`, instead of the parameters.
   * @throws what `written` throws, also later
   */
  write(value: unknown): Promise<unknown> | undefined {
    this.check(value);
    const result = this.hooks.written?.(value, this.#options.scanner);
    return result instanceof Promise ? limited(result, this.variable.name, this.#options.clock) : undefined;
  }

  /** Tells `written` the present value. Never throws, and the promise never rejects. */
  tell(value: unknown): Promise<unknown> | undefined {
    const failed = (error: unknown) =>
      this.#writtenError.failed(
        `The product could not take the value of ${this.variable.name}`,
        errorMessage(error),
      );
    try {
      const effect = this.hooks.written?.(value, this.#options.scanner);
      if (!(effect instanceof Promise)) {
        this.#writtenError.works();
        return undefined;
      }
      return limited(effect, this.variable.name, this.#options.clock).then(
        () => this.#writtenError.works(),
        failed,
      );
    } catch (error) {
      failed(error);
      return undefined;
    }
  }
}

function ignore(): void {}

/** The result of a hook. It rejects if the hook takes too long. */
export function limited<T>(result: Promise<T>, name: string, clock: Clock): Promise<T> {
  const late = () => {
    throw new Error(`the hook of ${name} has not ended within ${longestHook / 1000} s`);
  };
  return inTime(longestHook, result, late, (milliseconds, act) => clock.after(milliseconds, act));
}
