import { concurrently } from '@azimuth/async';
import type { Method } from '@azimuth/model';
import { SeveralFailed, type TargetFailure } from '../command-failure.js';
import { Cancelled, confirmLoss } from '../input/prompt.js';
import type { DeviceOptions } from '../options/command.js';
import { printable } from '../output/output.js';
import { type Chosen, chosenScanners, targetsText } from './chosen.js';
import type { Target } from './target.js';
import { TargetOutput } from './target-output.js';

/** Default of `--at-once`: number of scanners at the same time. */
const defaultAtOnce = 16;

/** The name of a scanner in output. */
type Labelled = Pick<Target, 'label'>;

/** The action for one scanner. It prints through `output` only. */
type Act<T, One = Target> = (target: One, output: TargetOutput) => Promise<T>;

/** Facts of a scanner before a change, as JSON. Nothing secret. */
export type FactsBefore = Readonly<Record<string, unknown>>;

/** A change of scanners, and how a reader of the scanner verifies it. */
export interface Change<One = Target> {
  readonly act: Act<void, One>;
  /** Reads what `isInForce` compares with. Nothing by default. */
  readonly readBefore?: (target: One) => Promise<FactsBefore>;
  /**
   * True if the change is in force. It is called if a change has begun, and it is not known how it ended. It only
   * reads, and logs in at most once.
   */
  readonly isInForce: (target: One, before: FactsBefore) => Promise<boolean>;
}

/** The scanners that are to be changed, and how they are served. */
interface Served<One> {
  readonly targets: readonly One[];
  /** True if a scanner has failed before the change. */
  readonly hasFailed: boolean;
  /** Serves scanners side by side, as `each`. Returns those that have not failed. */
  readonly serve: (targets: readonly One[], act: Act<void, One>) => Promise<ReadonlySet<One>>;
}

/** Serves a change in steps. */
export interface Steps<One = Target> {
  run(change: Change<One>, served: Served<One>): Promise<void>;
}

/** Print mode of `each`. */
interface EachOptions {
  /**
   * Lines are printed as they come, from any scanner, for commands that run until Ctrl-C; all scanners are served at
   * the same time. By default each scanner is printed as a whole, in the order in which the scanners were named.
   */
  readonly live?: boolean;
}

/** The scanners of a command, side by side. */
export class Scanners<One extends Labelled = Target> {
  readonly targets: readonly [One, ...One[]];
  /** True if several were named. */
  readonly several: boolean;
  readonly #options: DeviceOptions;
  readonly #steps: Steps<One> | undefined;
  readonly #failures = new Map<One, unknown>();

  /** @param steps serve the changes; by default, all scanners are changed side by side */
  constructor({ targets, several }: Chosen<One>, options: DeviceOptions, steps?: Steps<One>) {
    this.targets = targets;
    this.several = several;
    this.#options = options;
    this.#steps = steps;
  }

  /** True if changes are made in steps: much time may pass between two scanners. */
  get inSteps(): boolean {
    return this.#steps !== undefined;
  }

  /** Changes each scanner that has not failed so far: in steps if the options say so, else as `each`. */
  async change(change: Change<One>): Promise<void> {
    if (this.#steps === undefined) {
      await this.each(change.act);
      return;
    }
    await this.#steps.run(change, {
      targets: this.#left,
      hasFailed: this.#failures.size > 0,
      serve: async (targets, act) => new Set((await this.#serve(targets, act, {})).keys()),
    });
  }

  /**
   * Runs an action for each scanner that has not failed so far, a limited number at a time. If several were named, it
   * continues after a failure, and reports it at the end of the command. A cancelled question ends the command.
   * @returns the result for each scanner that has not failed, in the order of the scanners
   */
  each<T>(act: Act<T, One>, options: EachOptions = {}): Promise<ReadonlyMap<One, T>> {
    return this.#serve(this.#left, act, options);
  }

  get #left(): readonly One[] {
    return this.targets.filter((target) => !this.#failures.has(target));
  }

  async #serve<T>(
    left: readonly One[],
    act: Act<T, One>,
    { live = false }: EachOptions,
  ): Promise<ReadonlyMap<One, T>> {
    if (!this.several) {
      const [target] = this.targets;
      return new Map([[target, await act(target, new TargetOutput(this.#options))]]);
    }
    const printed = new InOrder(left, (target) => this.#createOutput(target, !live));
    const done = new Map<One, T>();
    const limit = live ? left.length : (this.#options.atOnce ?? defaultAtOnce);
    try {
      await concurrently(limit, left, async (target) => {
        try {
          done.set(target, await act(target, printed.outputOf(target)));
        } catch (error) {
          if (error instanceof Cancelled) throw error;
          this.#failures.set(target, error);
        }
        printed.end(target);
      });
    } finally {
      await printed.all();
    }
    // Readers of the results expect the order of the scanners, not that of their answers.
    return new Map([...done].toSorted(([one], [other]) => left.indexOf(one) - left.indexOf(other)));
  }

  #createOutput({ label }: Labelled, buffers: boolean): TargetOutput {
    const width = Math.max(...this.targets.map((target) => printable(target.label).length));
    return new TargetOutput(this.#options, { label, width }, buffers);
  }

  /** @throws SeveralFailed if any scanner failed */
  finish(): void {
    const failures = this.targets.flatMap((target): TargetFailure[] =>
      this.#failures.has(target) ? [{ label: target.label, error: this.#failures.get(target) }] : [],
    );
    if (failures.length > 0) throw new SeveralFailed(failures, this.targets.length);
  }
}

/** Prints the output of several scanners one after the other. Each is printed when it and all before it have ended. */
class InOrder<One extends Labelled> {
  readonly #outputs: ReadonlyMap<One, TargetOutput>;
  readonly #waiting: One[];
  readonly #ended = new Set<One>();
  #printing: Promise<void> = Promise.resolve();

  constructor(targets: readonly One[], outputOf: (target: One) => TargetOutput) {
    this.#outputs = new Map(targets.map((target) => [target, outputOf(target)]));
    this.#waiting = [...targets];
  }

  outputOf(target: One): TargetOutput {
    const output = this.#outputs.get(target);
    if (output === undefined) throw new RangeError(`${target.label} is not one of the scanners`);
    return output;
  }

  end(target: One): void {
    this.#ended.add(target);
    for (let [next] = this.#waiting; next !== undefined && this.#ended.has(next); [next] = this.#waiting) {
      this.#waiting.shift();
      this.#release(next);
    }
  }

  /** Prints the rest, too: after a cancelled scanner, some may have ended. */
  async all(): Promise<void> {
    for (const target of this.#waiting.splice(0)) if (this.#ended.has(target)) this.#release(target);
    await this.#printing;
  }

  #release(target: One): void {
    this.#printing = this.#printing.then(() => this.outputOf(target).release());
  }
}

/**
 * Runs a command over the scanners that its options name. Failures of single scanners are reported at the end.
 * @throws the error itself if one scanner was named, otherwise SeveralFailed
 */
export async function withScanners(
  options: DeviceOptions,
  act: (scanners: Scanners) => Promise<void>,
): Promise<void> {
  const scanners = new Scanners(await chosenScanners(options), options);
  await act(scanners);
  scanners.finish();
}

/** Runs an action for each scanner that the options name, as most commands do. */
export function eachScanner(
  options: DeviceOptions,
  act: Act<void>,
  { live = false }: EachOptions = {},
): Promise<void> {
  return withScanners(options, async (scanners) => {
    await scanners.each(act, { live });
  });
}

/**
 * Asks before a call that deletes data, or that reboots several scanners. Call it before any request.
 * @throws CommandFailure if the answer is no, or there is neither a terminal nor `--yes`
 */
export async function confirmCall(
  { name, facts }: Method<unknown, unknown>,
  { targets, several }: Chosen<Target>,
  options: { readonly yes?: boolean },
): Promise<void> {
  const { loses, reboots = false } = facts;
  const place = targetsText(targets);
  if (loses !== undefined) {
    await confirmLoss(`${name} at ${place} loses ${loses}, for good`, 'Call it?', options);
  } else if (reboots && several) {
    const measures = targets.length === 1 ? 'it measures' : 'they measure';
    await confirmLoss(`${name} reboots ${place}; meanwhile ${measures} nothing`, 'Reboot?', options);
  }
}
