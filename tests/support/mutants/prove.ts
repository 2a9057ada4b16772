import { type CaseResult, editionSubject, runAlone } from '@azimuth/check';
import type { DeclarationChange, DeclarationMutant, Mutant, SourceMutant } from '@azimuth/check/mutants';
import type { TestScanner } from '@azimuth/testing';
import { checkedTarget, optionsFor } from './checked-target.js';
import { ModuleRegistry } from './module-registry.js';
import { InvalidMutant, mutantText } from './mutant-text.js';
import { plantDeclaration } from './planted-declaration.js';
import { plantedSource } from './planted-source.js';
import type { Proof } from './proof-plan.js';
import { SharedScanners } from './shared-scanners.js';
import { shortened } from './shortened-case.js';
import { StrayErrors } from './stray-errors.js';
import { type Testing, testingOf } from './testing-of.js';
import { Watchdog } from './watchdog.js';

/** A case with the edition of the scanner that it is proved on. */
export type Proved = Omit<Proof, 'mutants'>;

/** Longest time of one run in ms of a busy computer: 30 s of waits for answers, and as much again. */
const usualLongest = 60_000;

/** Changes that only reads show: a scanner is the same after them. */
const harmless: ReadonlySet<DeclarationChange> = new Set<DeclarationChange>([
  'is missing',
  'answers another type',
  'answers another key',
  'answers more',
  'answers less',
]);

/** How much longer a loop may run that stops the timers of this thread. */
const spare = 15_000;

/** Runs cases against scanners that start for one case each. */
export class Prover {
  /** The scanner as it is in the repository, for cases without a fault and for faults of declarations. */
  #unchanged = new ModuleRegistry();
  #shared = this.#sharedScanners();
  readonly #longest: number;
  readonly #watchdog = new Watchdog();
  /** The modules with the last fault of a source: other cases may have the same. */
  #last: { readonly fault: string; readonly registry: ModuleRegistry } | undefined;

  /** @param longest time of one run in ms */
  constructor(longest = usualLongest) {
    this.#longest = longest;
  }

  /**
   * Runs a case against a scanner without a fault.
   * @returns why it did not pass; undefined if it passed
   */
  async falseAlarm(proved: Proved): Promise<string | undefined> {
    const { case: one, edition } = proved;
    const text = `${one.id} at ${edition.release} ${edition.variant}`;
    const result = await this.#watched(text, async (signal) =>
      one.stage === 'read'
        ? ran(proved, await this.#shared.of(edition), signal)
        : ranAlone(proved, () => testingOf(this.#unchanged), signal),
    );
    return result.verdict === 'pass' ? undefined : `${text}: ${shown(result)}`;
  }

  /**
   * Runs a case against a scanner with a fault, and no other case.
   * @returns why the mutant survived; undefined if the case failed, as it must
   * @throws InvalidMutant for one that cannot prove anything, with which no scanner starts, or that never ends
   */
  async survival(mutant: Mutant, proved: Proved): Promise<string | undefined> {
    const text = mutantText(mutant);
    try {
      return await this.#watched(text, (signal) =>
        mutant.kind === 'source'
          ? this.#ofSource(mutant, proved, signal)
          : this.#ofDeclaration(mutant, proved, signal),
      );
    } catch (error) {
      throw error instanceof InvalidMutant ? error : new InvalidMutant(mutant, String(error));
    }
  }

  async #ofSource(mutant: SourceMutant, proved: Proved, signal: AbortSignal): Promise<string | undefined> {
    const registry = await this.#registryOf(mutant);
    const result = await ranAlone(proved, () => testingOf(registry), signal, mutant);
    if (isKilled(result)) return undefined;
    const place = registry.has(mutant.file) ? '' : ', and the scanner never loaded the file';
    return `${mutantText(mutant)}: ${shown(result)}${place}`;
  }

  async #ofDeclaration(
    mutant: DeclarationMutant,
    proved: Proved,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const isShared = proved.case.stage === 'read' && harmless.has(mutant.change);
    const shared = isShared ? await this.#shared.of(proved.edition) : undefined;
    using planted = await plantDeclaration(mutant, this.#unchanged);
    if (shared !== undefined) {
      const result = await ran(proved, shared, signal);
      return isKilled(result) ? undefined : `${mutantText(mutant)}: ${shown(result)}`;
    }
    const testing = () => testingOf(this.#unchanged);
    const result = await ranAlone(proved, testing, signal, mutant, () => planted.scannerStarted());
    return isKilled(result) ? undefined : `${mutantText(mutant)}: ${shown(result)}`;
  }

  async #registryOf(mutant: SourceMutant): Promise<ModuleRegistry> {
    const { file, from, to } = mutant;
    const fault = JSON.stringify([file, from, to]);
    if (this.#last?.fault === fault) return this.#last.registry;
    const registry = await ModuleRegistry.planted(await plantedSource(mutant), this.#unchanged);
    this.#last = { fault, registry };
    return registry;
  }

  #sharedScanners(): SharedScanners {
    return new SharedScanners(() => testingOf(this.#unchanged));
  }

  /** Closes the scanners that are still running. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#shared[Symbol.asyncDispose]();
  }

  /** @throws Error if it takes too long, and what is thrown meanwhile outside of every call */
  async #watched<T>(text: string, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const ended = this.#watchdog.watch(text, this.#longest + spare);
    const signal = AbortSignal.timeout(this.#longest);
    using stray = new StrayErrors();
    try {
      const result = await endsBefore(signal, run(signal), this.#longest);
      if (stray.first !== undefined) throw new Error(`thrown outside of every call: ${stray.first}`);
      return result;
    } finally {
      // What has not ended still has its fault.
      if (signal.aborted) {
        this.#unchanged = new ModuleRegistry();
        this.#shared = this.#sharedScanners();
      }
      ended();
    }
  }
}

function endsBefore<T>(signal: AbortSignal, running: Promise<T>, longest: number): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error(`it has not ended within ${longest / 1000} s`)));
    running.then(resolve, reject);
  });
}

/** @throws InvalidMutant if no scanner starts with it */
async function ranAlone(
  proved: Proved,
  testing: () => Promise<Testing>,
  signal: AbortSignal,
  mutant?: Mutant,
  started = () => {},
): Promise<CaseResult> {
  await using scanner = await startedWith(mutant, testing, proved);
  started();
  return await ran(proved, scanner, signal);
}

function ran({ case: one, edition }: Proved, scanner: TestScanner, signal: AbortSignal): Promise<CaseResult> {
  const subject = editionSubject(edition.release, edition.variant);
  return runAlone(shortened(one, subject.known), checkedTarget(scanner), subject, signal);
}

async function startedWith(
  mutant: Mutant | undefined,
  testing: () => Promise<Testing>,
  { case: one, edition }: Proved,
): Promise<TestScanner> {
  try {
    const { startScanner } = await testing();
    return await startScanner(optionsFor(one, edition));
  } catch (error) {
    if (mutant === undefined) throw error;
    throw new InvalidMutant(mutant, `no scanner starts with it: ${error}`);
  }
}

function isKilled({ failure }: CaseResult): boolean {
  return failure !== undefined && failure.step > 0;
}

function shown({ verdict, failure, reason }: Pick<CaseResult, 'verdict' | 'failure' | 'reason'>): string {
  if (failure === undefined) return reason === undefined ? verdict : `${verdict}, ${reason}`;
  return `${verdict} in step ${failure.step}, ${failure.at}: expected ${failure.expected}, came ${failure.came}`;
}
