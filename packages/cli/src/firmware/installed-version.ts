import { pause } from '@azimuth/async';
import { type Scanner, UnreachableError } from '@azimuth/client';
import { UpdateState } from '@azimuth/model';

/** Longest time of an installation that goes on, with its reboot (ms). */
const longest = 1_800_000;

const askAgainMs = 500;

/** Reads the version of the firmware. @throws ClientError */
export async function versionOf(scanner: Scanner): Promise<string> {
  return (await scanner.read('DeviceIdent')).Version;
}

/**
 * Reads the version of the firmware when no installation is going on: one that nobody watches goes on by itself.
 * @throws UnreachableError if the scanner is not back within half an hour
 */
export async function installedVersion(scanner: Scanner): Promise<string> {
  const end = performance.now() + longest;
  for (;;) {
    try {
      const state = await scanner.read('UpdateState');
      const isGoingOn = state === UpdateState.Started || state === UpdateState.Finished;
      if (!isGoingOn || performance.now() > end) return await versionOf(scanner);
    } catch (error) {
      if (!(error instanceof UnreachableError) || performance.now() > end) throw error;
    }
    await pause(askAgainMs);
  }
}

/** True if a version is of a release: `2.4.4.0R` of `2.4.4`. */
export function isOfRelease(version: string, release: string): boolean {
  return `${version}.`.startsWith(`${release}.`);
}
