import { randomBytes } from 'node:crypto';
import { type DeploymentKeys, type RealScannerFacts, Sealing } from '@azimuth/fleet';

/** Seals what this process only keeps in memory: a list, a log or an error that shows it shows nothing. */
const ofProcess = new Sealing([randomBytes(32).toString('hex')]);

/** Beginning of a password file that `azimuth fleet apply` has sealed. */
const mark = 'sealed:';

/** Name to which the password of a group is bound. */
const passwordName = 'password';

/** Seals the password of a group for the database. @returns the text of its file there */
export function sealedText(keys: DeploymentKeys, group: string, password: string): string {
  return mark + new Sealing(keys).seal(group, passwordName, Buffer.from(password)).toString('base64');
}

/** Returns the password in the text of a file, sealed: as it is in the database, or for this process. */
export function sealedPassword(group: string, text: string): Uint8Array {
  if (text.startsWith(mark)) return Buffer.from(text.slice(mark.length), 'base64');
  return ofProcess.seal(group, passwordName, Buffer.from(text));
}

/**
 * Returns a function that opens passwords.
 * @param keys of the deployment; without them, those that this process has sealed
 */
export function passwordOpener(keys?: DeploymentKeys): (facts: RealScannerFacts) => string {
  const sealing = keys === undefined ? ofProcess : new Sealing(keys);
  return ({ group, credentials }) =>
    credentials === undefined
      ? ''
      : sealing.open(group, passwordName, Buffer.from(credentials.sealed)).toString('utf8');
}
