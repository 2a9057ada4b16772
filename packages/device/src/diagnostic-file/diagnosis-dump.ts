import { diagnosticFile, Fault } from '@azimuth/model';
import { type Feature, method } from '../feature.js';
import type { Log } from '../interfaces/log.js';
import type { Storage } from '../interfaces/storage.js';
import type { Documents } from '../storage/documents.js';
import { LinkInPlace, reasonOf } from '../storage/storage-failure.js';
import { commentOf, type DumpLabel, type Entry, labelOf, secondsOf, zipOf } from './archive.js';

const { DoDiagnosisDump, GetDiagnosisDumpInfo } = diagnosticFile.members;

export interface DumpOrder {
  /** A second name to fetch it under; empty where there is none. */
  readonly output: string;
  /** Is measuring to be suspended meanwhile? */
  readonly suspend: boolean;
}

interface Options {
  readonly storage: Storage;
  readonly documents: Documents;
  readonly log: Log;
  /** What goes into an archive. */
  readonly gather: () => readonly Entry[];
  /** Milliseconds since 1970, UTC, of the device clock. */
  readonly utc: () => number;
  readonly suspend: (suspended: boolean) => void;
}

/** The one diagnostic archive that a scanner keeps: a new one replaces the old, also over restarts. */
export class DiagnosisDump implements Feature {
  readonly methods = [
    method(DoDiagnosisDump, async ({ DoRunlevelLoop, Output }) => {
      const made = await this.make({ output: Output, suspend: DoRunlevelLoop });
      return { Successfull: made, Successful: made };
    }),
    method(GetDiagnosisDumpInfo, async () => {
      const label = await this.label();
      return { DiagDumpExists: label !== undefined, DiagDumpTimestamp: label?.created ?? 0 };
    }),
  ];
  readonly #options: Options;
  /** Archives are made one after the other. */
  #turn: Promise<unknown> = Promise.resolve();
  #label: DumpLabel | undefined;
  #looked = false;
  /** How many were made since the start. */
  #made = 0;
  /** Those who fetch it share it, as long as one of them is still being sent it. */
  #shared: WeakRef<Uint8Array> | undefined;
  /** Those who ask while it is being read wait for the same bytes. */
  #reading: Promise<Uint8Array | undefined> | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * Makes an archive, and keeps it in place of the one before. false where `output` is no plain file name: then
   * nothing was made.
   * @throws Fault 3 where it cannot be stored; the one before is still there, whole.
   */
  make(order: DumpOrder): Promise<boolean> {
    const made = this.#turn.then(() => this.#make(order));
    this.#turn = made.catch(() => undefined);
    return made;
  }

  /** What is known of the archive that is kept; undefined where there is none. */
  async label(): Promise<DumpLabel | undefined> {
    // A link is none of ours: whoever asks for the file itself is told.
    if (!this.#looked) await this.#read().catch(passOverLink);
    return this.#label;
  }

  /**
   * The archive under a name that it answers to; undefined for any other name, and where there is none.
   * @throws Fault 2 where a link stands in its place, which leads out of what the scanner keeps.
   */
  async file(name: string): Promise<Uint8Array | undefined> {
    if (name !== dumpName && name !== (await this.label())?.output) return undefined;
    return this.#read();
  }

  async #make({ output, suspend }: DumpOrder): Promise<boolean> {
    const { log, utc, gather, documents } = this.#options;
    if (output !== '' && !isPlainFileName(output)) {
      log.warn('No diagnostic archive was made: Output is no plain file name');
      return false;
    }
    if (suspend) this.#options.suspend(true);
    try {
      const time = utc();
      const label = { created: secondsOf(time), output };
      const bytes = await zipOf(gather(), time, commentOf(label));
      await documents.storeFile(dumpName, 'The diagnostic archive', bytes);
      this.#made++;
      // Whoever asks from now on gets the new one.
      this.#reading = undefined;
      this.#keep(bytes, label);
      return true;
    } finally {
      if (suspend) this.#options.suspend(false);
    }
  }

  #read(): Promise<Uint8Array | undefined> {
    if (this.#reading !== undefined) return this.#reading;
    const reading = this.#readOnce().finally(() => {
      if (this.#reading === reading) this.#reading = undefined;
    });
    this.#reading = reading;
    return reading;
  }

  async #readOnce(): Promise<Uint8Array | undefined> {
    const { storage } = this.#options;
    const made = this.#made;
    const bytes = this.#sharedOf(await storage.read(dumpName).catch(refuseLink));
    // A new one has taken its place meanwhile: what was read is whole, and the one before.
    if (made !== this.#made) return bytes;
    const label = bytes === undefined ? undefined : labelOf(bytes);
    if (bytes !== undefined && label === undefined) await this.#setAside();
    return this.#keep(label === undefined ? undefined : bytes, label);
  }

  /** The bytes that others are still being sent, where they are the same. */
  #sharedOf(bytes: Uint8Array | undefined): Uint8Array | undefined {
    if (bytes === undefined) return undefined;
    const shared = this.#shared?.deref();
    if (shared !== undefined && Buffer.compare(shared, bytes) === 0) return shared;
    this.#shared = new WeakRef(bytes);
    return bytes;
  }

  #keep(bytes: Uint8Array | undefined, label: DumpLabel | undefined): Uint8Array | undefined {
    this.#looked = true;
    this.#label = label;
    return bytes;
  }

  /** Nothing that the scanner works with is lost, so its status stays what it is. */
  async #setAside(): Promise<void> {
    const { storage, log } = this.#options;
    try {
      log.warn('The diagnostic archive is not whole', { setAside: await storage.setAside(dumpName) });
    } catch (error) {
      log.warn('The diagnostic archive is not whole, and stays where it is', { reason: reasonOf(error) });
    }
  }
}

function refuseLink(error: unknown): never {
  if (!(error instanceof LinkInPlace)) throw error;
  throw new Fault('invalidData', 'filePath', 'a link leads out of the folder');
}

function passOverLink(error: unknown): undefined {
  if (error instanceof Fault) return undefined;
  throw error;
}

/** The name that every archive can be fetched under. */
export const dumpName = 'diagnosisDump.zip';

/** A letter or digit first; then blanks and what usual file names have. No separator, no percent sign, no colon. */
const plain = /^[\p{L}\p{N}_][\p{L}\p{N} ._()+-]*$/u;

/** May an archive be fetched under this name as well: is it a plain file name? Its length is checked by its type. */
export function isPlainFileName(name: string): boolean {
  return plain.test(name);
}
