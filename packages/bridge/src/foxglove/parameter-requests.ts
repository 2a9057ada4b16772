import { ClientError } from '@azimuth/client';
import type { GetParameters, Parameter, SetParameters } from '@foxglove/ws-protocol';
import type { ScannerParameters } from './scanner-parameters.js';
import type { Viewer } from './viewer.js';

/** What is sent to viewers. */
export interface ParameterAnswers {
  values(viewer: Viewer, parameters: readonly Parameter[], id: string | undefined): void;
  refused(viewer: Viewer, why: string): void;
}

/** Answers the requests of viewers about parameters, and tells them about changes of those that they follow. */
export class ParameterRequests {
  readonly #scanners: readonly ScannerParameters[];
  readonly #answers: ParameterAnswers;
  readonly #viewers = new Set<Viewer>();
  /** Ends following, by the scanner that is followed. */
  readonly #followed = new Map<ScannerParameters, () => void>();

  constructor(scanners: readonly ScannerParameters[], answers: ParameterAnswers) {
    this.#scanners = scanners;
    this.#answers = answers;
  }

  /** Follows what the viewers want to follow now. Call it when that has changed. */
  followed(viewer: Viewer): void {
    if (viewer.parameterNames.size > 0) this.#viewers.add(viewer);
    else this.#viewers.delete(viewer);
    this.#update();
  }

  /** Forgets a viewer. */
  left(viewer: Viewer): void {
    this.#viewers.delete(viewer);
    this.#update();
  }

  /** Tells those who follow them about changed parameters. */
  changed(parameters: readonly Parameter[]): void {
    for (const viewer of this.#viewers) {
      const wanted = parameters.filter(({ name }) => viewer.parameterNames.has(name));
      if (wanted.length > 0) this.#answers.values(viewer, wanted, undefined);
    }
  }

  get(viewer: Viewer, { parameterNames, id }: Omit<GetParameters, 'op'>): Promise<void> {
    return this.#answered(viewer, async () => {
      const ofScanners = await Promise.all(
        this.#scanners.map((scanner) => {
          if (parameterNames.length === 0) return scanner.all();
          const own = parameterNames.filter((name) => this.#ownerOf(name) === scanner);
          return own.length === 0 ? [] : scanner.read(own);
        }),
      );
      this.#answers.values(viewer, ofScanners.flat(), id);
    });
  }

  /** @param mayWrite false for viewers that may only read */
  set(viewer: Viewer, { parameters, id }: Omit<SetParameters, 'op'>, mayWrite: boolean): Promise<void> {
    return this.#answered(viewer, async () => {
      if (!mayWrite) {
        this.#answers.refused(viewer, onlyFromHere);
        return;
      }
      const strange = parameters.filter(({ name }) => this.#ownerOf(name) === undefined);
      for (const { name } of strange) this.#answers.refused(viewer, `no scanner has the parameter ${name}`);
      const results = await Promise.all(
        this.#scanners.map((scanner) => {
          const own = parameters.filter(({ name }) => this.#ownerOf(name) === scanner);
          return own.length === 0 ? { parameters: [], refused: [] } : scanner.set(own);
        }),
      );
      for (const why of results.flatMap(({ refused }) => refused)) this.#answers.refused(viewer, why);
      const now = results.flatMap((result) => result.parameters);
      this.#answers.values(viewer, now, id);
      this.changed(now);
    });
  }

  async #answered(viewer: Viewer, act: () => Promise<void>): Promise<void> {
    if (!viewer.beginRequest()) {
      this.#answers.refused(viewer, 'too many requests about parameters at the same time');
      return;
    }
    try {
      await act();
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      this.#answers.refused(viewer, `the parameters cannot be read: ${error.message}`);
    } finally {
      viewer.endRequest();
    }
  }

  #ownerOf(name: string): ScannerParameters | undefined {
    return this.#scanners.find((scanner) => scanner.owns(name));
  }

  #update(): void {
    for (const scanner of this.#scanners) {
      const isWanted = [...this.#viewers].some((viewer) =>
        [...viewer.parameterNames].some((name) => this.#ownerOf(name) === scanner),
      );
      if (isWanted && !this.#followed.has(scanner)) this.#followed.set(scanner, scanner.follow());
      if (!isWanted) {
        this.#followed.get(scanner)?.();
        this.#followed.delete(scanner);
      }
    }
  }
}

const onlyFromHere =
  'parameters are set by programs on the computer of the bridge only, and not by pages of others: start the bridge with --remote-writes to change that';
