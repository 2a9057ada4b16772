import { CommandFailure } from '../command-failure.js';
import type { FirmwareFile } from './firmware-file.js';

/** The first release that takes signed files, and no others (specification, Versioning 4). */
const signedFrom = '2.2.0';

/** The file for a scanner; undefined if it runs that release already. */
export type Choice = FirmwareFile | undefined;

/**
 * Chooses the file for a scanner: signed or not as its release takes it, and of these the newest one.
 * @param version of the scanner, from DeviceIdent: `2.4.4.0R`
 * @param expected the version that it shall run afterwards; undefined if any
 * @throws CommandFailure if no file fits, or if it is not known which one does
 */
export function fileFor(version: string, files: readonly FirmwareFile[], expected?: string): Choice {
  if (version === expected) return undefined;
  const takesSigned = compareVersions(version, signedFrom) >= 0;
  const [first, ...others] = files.filter(({ isSigned }) => isSigned === takesSigned);
  if (first === undefined) {
    const rule = takesSigned
      ? `signed files (.spk.signed), as all from ${signedFrom} on`
      : `unsigned files (.spk), as all below ${signedFrom}`;
    throw new CommandFailure(
      `it runs ${version} and takes ${rule}; ${pathsText(files)} is none. Nothing was sent`,
    );
  }
  const chosen = others.reduce((one, other) => newer(one, other, version), first);
  const difference = chosen.release === undefined ? 1 : compareVersions(chosen.release, version);
  if (difference < 0) {
    throw new CommandFailure(
      `it runs ${version}, and ${chosen.path} has ${chosen.release}: a scanner cannot go back to an older release. Nothing was sent`,
    );
  }
  return difference === 0 ? undefined : chosen;
}

function newer(one: FirmwareFile, other: FirmwareFile, version: string): FirmwareFile {
  if (one.release !== undefined && other.release !== undefined) {
    return compareVersions(one.release, other.release) >= 0 ? one : other;
  }
  throw new CommandFailure(
    `it runs ${version} and takes ${pathsText([one, other])}, and the files do not say which is newer: give one of them. Nothing was sent`,
  );
}

function pathsText(files: readonly FirmwareFile[]): string {
  return files.map(({ path }) => path).join(' and ');
}

/** Compares the first three numbers of two versions: `2.4.4.0R` and `2.4.4` are the same. */
function compareVersions(one: string, other: string): number {
  const [ones, others] = [one, other].map((version) => (version.match(/\d+/g) ?? []).slice(0, 3).map(Number));
  for (const index of [0, 1, 2]) {
    const difference = (ones?.[index] ?? 0) - (others?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
