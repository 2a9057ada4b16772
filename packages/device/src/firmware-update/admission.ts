import type { KeyObject } from 'node:crypto';
import { isFrom, isRelease, type Release } from '@azimuth/model';
import type { Container } from './container.js';
import { isSignedBy } from './signature.js';

/** The first release that takes signed files, and no others (specification, Versioning 4). */
const firstSigned: Release = '2.2.0';

/** A firmware file that is not installed. The message says why, for the log. */
export class FirmwareRefused extends Error {
  override readonly name = 'FirmwareRefused';
}

/** The scanner that a file is to be installed on. */
export interface Recipient {
  /** The release that it runs. */
  readonly release: Release;
  readonly deviceType: string;
  /** The Ed25519 public key whose signatures it trusts. */
  readonly firmwareKey: KeyObject | undefined;
}

/**
 * The release that a whole container puts on this scanner; the one that it runs already may be installed again.
 * @throws FirmwareRefused
 */
export function admitted(container: Container, recipient: Recipient): Release {
  checkSignature(container, recipient);
  const { deviceType, release } = container.manifest;
  if (deviceType !== recipient.deviceType) {
    throw new FirmwareRefused(`it is for the device type ${deviceType}, this is ${recipient.deviceType}`);
  }
  if (!isRelease(release)) throw new FirmwareRefused(`the release ${release} is not known here`);
  if (!isFrom(release, recipient.release)) {
    throw new FirmwareRefused(`${release} is older than ${recipient.release}: there is no way back`);
  }
  return release;
}

function checkSignature({ seal, signature }: Container, { release, firmwareKey }: Recipient): void {
  if (!isFrom(release, firstSigned)) {
    if (signature === undefined) return;
    throw new FirmwareRefused(
      `it is signed, which release ${release} does not know: take the file as it was before it was signed`,
    );
  }
  if (signature === undefined) {
    throw new FirmwareRefused(`it is not signed: from ${firstSigned} on a scanner takes nothing else`);
  }
  if (firmwareKey === undefined) {
    throw new FirmwareRefused(
      'it is signed, but no key is trusted here: start the scanner with --firmware-key',
    );
  }
  if (!isSignedBy(seal, signature, firmwareKey)) {
    throw new FirmwareRefused('the signature is not that of the trusted key');
  }
}
