import { isObject } from '@azimuth/model';

export type Power = 'on' | 'off' | 'cycle';

/** What became of scanners of a fleet whose power was switched. */
export interface Switched {
  /** How many were meant. */
  readonly scanners: number;
  /** How many were switched: the others were so already, or failed. */
  readonly changed: number;
  readonly failed: readonly { readonly serialNumber: string; readonly reason: string }[];
}

/** What a fleet answers. */
export function switchedIn(answer: unknown): Switched {
  const { scanners, changed, failed }: Readonly<Record<string, unknown>> = isObject(answer) ? answer : {};
  const failures = (Array.isArray(failed) ? failed : []).filter(isObject);
  return {
    scanners: Number(scanners),
    changed: Number(changed),
    failed: failures.map(({ serialNumber, reason }) => ({
      serialNumber: String(serialNumber),
      reason: String(reason),
    })),
  };
}
