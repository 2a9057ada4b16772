import type { KeyObject } from 'node:crypto';
import { builtInProduct, isFrom, type Product, Refusal, type Release } from '@azimuth/model';
import type { FirmwareRecord } from '../firmware-record.js';
import type { Log, Storage } from '../interfaces/environment.js';
import { firmwareFile } from '../storage/document.js';
import { reasonOf, remedyOf } from '../storage/storage-failure.js';
import { type Container, isSignedBy, type Pieces, payloadOf, readContainer } from './firmware-container.js';

/** Another transfer or an installation is in progress: the scanner accepts one file at a time. */
export class FirmwareBusy extends Error {
  override readonly name = 'FirmwareBusy';
}

/** The client, or a limit, has ended the transfer of a file. This is not an error of the scanner. */
export class TransferStopped extends Error {
  override readonly name: string = 'TransferStopped';
}

/** The firmware file of the last transfer, complete and unchecked. */
export class FirmwareFile {
  readonly #storage: Storage;
  #receiving = false;
  /** Number of received files. It identifies the file of an installation. */
  #received = 0;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /**
   * Stores a file while it is received. On disk when the promise resolves. Until then, and if the transfer stops, the
   * old file stays.
   * @throws FirmwareBusy, TransferStopped as `pieces` throws it, Refusal 3 if it cannot be stored
   */
  async receive(pieces: Pieces, log: Log): Promise<void> {
    if (this.#receiving) throw new FirmwareBusy('another firmware file is being transferred');
    this.#receiving = true;
    try {
      await this.#storage.receive(firmwareFile, pieces);
      this.#received++;
    } catch (error) {
      if (error instanceof TransferStopped) throw error;
      log.error('A firmware file could not be stored', { reason: reasonOf(error) });
      throw new Refusal(
        'internalServerError',
        '',
        `the firmware file could not be stored: ${remedyOf(error)}`,
      );
    } finally {
      this.#receiving = false;
    }
  }

  /**
   * Reads the file. `payload` reads its payload once more. `discard` removes it, unless another one was received since.
   * @throws FirmwareRefused if there is none, DamagedContainer
   */
  async read(): Promise<CheckedFile> {
    const which = this.#received;
    const container = await readContainer(await this.#pieces());
    return {
      container,
      payload: async () => payloadOf(container, await this.#pieces()),
      discard: async () => {
        if (this.#received === which) await this.#storage.remove(firmwareFile);
      },
    };
  }

  /** @throws FirmwareRefused if there is none */
  async #pieces(): Promise<Pieces> {
    const pieces = await this.#storage.pieces(firmwareFile);
    if (pieces === undefined) throw new FirmwareRefused('no file was transferred');
    return pieces;
  }
}

/** A firmware file that is a complete container. */
export interface CheckedFile {
  readonly container: Container;
  readonly payload: () => Promise<Pieces>;
  readonly discard: () => Promise<void>;
}

/** The first release that accepts only signed files (specification, Versioning 4). */
const firstSigned: Release = '2.2.0';

/** Refuses to install a firmware file. The message has the reason, for the log. */
class FirmwareRefused extends Error {
  override readonly name = 'FirmwareRefused';
}

/** The scanner for a file. */
interface Recipient {
  readonly firmware: Pick<FirmwareRecord, 'release' | 'runs' | 'standing'>;
  readonly product: Pick<Product, 'name'>;
  readonly deviceType: string;
  /** The Ed25519 public key of trusted signatures. */
  readonly firmwareKey: KeyObject | undefined;
  /** True if the file may have a newer release than this program knows, because it replaces the program. */
  readonly acceptsUnknownRelease: boolean;
}

/**
/**
 * The release, or the version of the product, that a complete container installs on this scanner. The running one can
 * be installed again. Undefined for a version that only the program in the file knows.
 * @throws FirmwareRefused
 */
export function admitted(container: Container, recipient: Recipient): string | undefined {
  checkSignature(container, recipient);
  const { product = builtInProduct.name, deviceType, release } = container.manifest;
  if (product !== recipient.product.name) {
    throw new FirmwareRefused(`it is for the product ${product}, this is ${recipient.product.name}`);
  }
  if (deviceType !== recipient.deviceType) {
    throw new FirmwareRefused(`it is for the device type ${deviceType}, this is ${recipient.deviceType}`);
  }
  const { firmware } = recipient;
  const standing = firmware.standing(release);
  if (standing === 'newer' && recipient.acceptsUnknownRelease) return undefined;
  if (standing === 'newer' || standing === 'unknown')
    throw new FirmwareRefused(`the release ${release} is unknown`);
  if (standing === 'older') {
    throw new FirmwareRefused(`${release} is older than the running release ${firmware.runs}`);
  }
  return release;
}

function checkSignature({ seal, signature }: Container, { firmware, firmwareKey }: Recipient): void {
  const { release, runs } = firmware;
  if (!isFrom(release, firstSigned)) {
    if (signature === undefined) return;
    throw new FirmwareRefused(`it is signed, which release ${runs} does not support: use the unsigned file`);
  }
  if (signature === undefined) {
    throw new FirmwareRefused(`it is not signed: from ${firstSigned} on a scanner accepts only signed files`);
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
