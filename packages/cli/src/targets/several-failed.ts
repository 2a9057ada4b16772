import { counted } from '@azimuth/model';
/** What went wrong with one of several scanners. */
export interface TargetFailure {
  readonly label: string;
  readonly error: unknown;
}

/** A command failed with some of the scanners that it acted on. */
export class SeveralFailed extends Error {
  override readonly name = 'SeveralFailed';

  /** @param count how many scanners the command acted on */
  constructor(
    readonly failures: readonly TargetFailure[],
    readonly count: number,
  ) {
    super(`${failures.length} of ${counted(count, 'scanner')} failed`);
  }

  /** The failures by their error: scanners that failed for one and the same reason are named together. */
  get grouped(): ReadonlyMap<unknown, readonly string[]> {
    const labels = new Map<unknown, string[]>();
    for (const { label, error } of this.failures) {
      const known = labels.get(error);
      if (known === undefined) labels.set(error, [label]);
      else known.push(label);
    }
    return labels;
  }
}
