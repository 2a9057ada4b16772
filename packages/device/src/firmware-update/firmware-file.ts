import { Fault } from '@azimuth/model';
import type { Log } from '../interfaces/log.js';
import type { Storage } from '../interfaces/storage.js';
import { Later } from '../later.js';
import { reasonOf, remedyOf } from '../storage/storage-failure.js';
import type { Container, Pieces } from './container.js';

const name = 'firmware.spk';

/** Loaded when there is a file to check, so that a scanner starts without it. */
export const checks = new Later(async () => ({
  ...(await import('./admission.js')),
  ...(await import('./container-reader.js')),
}));

/** Another transfer is under way, or an installation: the scanner takes one file at a time. */
export class FirmwareBusy extends Error {
  override readonly name = 'FirmwareBusy';
}

/** Whoever sends a file gives it up, or is made to: nothing is wrong with the scanner. */
export class TransferStopped extends Error {
  override readonly name: string = 'TransferStopped';
}

/** The firmware file that was transferred last: whole, as its sender had it, good or bad. */
export class FirmwareFile {
  readonly #storage: Storage;
  #receiving = false;
  /** How many files have come: which of them an installation is about. */
  #received = 0;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /**
   * Takes a file as it comes; on disk when the promise is fulfilled. Until then, and where it is broken off, the file
   * before it stays.
   * @throws FirmwareBusy, TransferStopped as `pieces` throws it, Fault with status 3 where it cannot be stored
   */
  async receive(pieces: Pieces, log: Log): Promise<void> {
    if (this.#receiving) throw new FirmwareBusy('another firmware file is being transferred');
    this.#receiving = true;
    try {
      await this.#storage.receive(name, pieces);
      this.#received++;
    } catch (error) {
      if (error instanceof TransferStopped) throw error;
      log.error('A firmware file could not be stored', { reason: reasonOf(error) });
      throw new Fault('internalServerError', '', `the firmware file could not be stored: ${remedyOf(error)}`);
    } finally {
      this.#receiving = false;
    }
  }

  /**
   * Reads the file from end to end. `discard` removes it, unless another one has come since.
   * @throws FirmwareRefused where there is none, DamagedContainer
   */
  async read(): Promise<{ readonly container: Container; readonly discard: () => Promise<void> }> {
    const which = this.#received;
    const { readContainer, FirmwareRefused } = await checks.loaded();
    const pieces = await this.#storage.pieces(name);
    if (pieces === undefined) throw new FirmwareRefused('no file was transferred');
    const container = await readContainer(pieces);
    return {
      container,
      discard: async () => {
        if (this.#received === which) await this.#storage.remove(name);
      },
    };
  }
}
