import { Mutex } from '@azimuth/async';
import { diagnosisDumpName, diagnosticFile, Refusal } from '@azimuth/model';
import type { DeviceTime } from '../clock/device-time.js';
import { type Feature, method } from '../feature.js';
import type { Log, Storage } from '../interfaces/environment.js';
import type { Conditions } from '../lifecycle/conditions.js';
import type { Documents } from '../storage/documents.js';
import { LinkInPlace, reasonOf } from '../storage/storage-failure.js';
import { commentOf, type DumpLabel, type Entry, labelOf, secondsOf, zipOf } from './archive.js';

const { DoDiagnosisDump, GetDiagnosisDumpInfo } = diagnosticFile.members;

/** Reason for suspended measuring. */
const reason = 'diagnosis';

interface DumpOrder {
  /** A second name for downloads. Empty if there is none. */
  readonly output: string;
  /** True if the scanner suspends measuring meanwhile. */
  readonly suspend: boolean;
}

/**
 * Knowledge about the stored archive.
 *
 * | from | by | to |
 * |---|---|---|
 * | unknown | it was read | stored, none |
 * | any | a new one was made | stored |
 */
type Stored =
  | { readonly state: 'unknown' | 'none' }
  | { readonly state: 'stored'; readonly label: DumpLabel };

interface Options {
  readonly storage: Storage;
  readonly documents: Documents;
  readonly log: Log;
  /** Collects the files of an archive. */
  readonly gather: () => readonly Entry[];
  readonly time: DeviceTime;
  readonly conditions: Conditions;
}

/** The one diagnostic archive of a scanner. A new one replaces it, also after a restart. */
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
  /** Makes one archive after the other. */
  readonly #mutex = new Mutex();
  #stored: Stored = { state: 'unknown' };
  /** Downloads share the bytes while one of them is running. */
  #shared: WeakRef<Uint8Array> | undefined;
  /** Requests that come during the read wait for the same bytes. */
  #reading: Promise<Uint8Array | undefined> | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * Makes an archive, and replaces the old one. Resolves to false, without an archive, if `output` is not a plain file
   * name.
   * @throws Refusal 3 if it cannot be stored; the old one stays complete
   */
  make(order: DumpOrder): Promise<boolean> {
    return this.#mutex.run(() => this.#make(order));
  }

  /** Remembers what is known of the archive. The storage itself is put back by its owner. */
  remember(): () => void {
    const before = this.#stored;
    return () => {
      this.#stored = before;
      this.#shared = undefined;
      this.#reading = undefined;
    };
  }

  /** Name and time of the stored archive; undefined if there is none. */
  async label(): Promise<DumpLabel | undefined> {
    // A symbolic link is not our archive; a download of it is refused.
    if (this.#stored.state === 'unknown') await this.#read().catch(passOverLink);
    return this.#stored.state === 'stored' ? this.#stored.label : undefined;
  }

  /**
   * The archive, if `name` is one of its names. Undefined for any other name, and if there is none.
   * @throws Refusal 2 if it is a symbolic link, which may lead out of the folder of the scanner
   */
  async file(name: string): Promise<Uint8Array | undefined> {
    if (name !== diagnosisDumpName && name !== (await this.label())?.output) return undefined;
    return this.#read();
  }

  async #make({ output, suspend }: DumpOrder): Promise<boolean> {
    const { log, time: deviceTime, gather, documents, conditions } = this.#options;
    if (output !== '' && !isPlainFileName(output)) {
      log.warn('No diagnostic archive was made: Output is not a plain file name');
      return false;
    }
    if (suspend) conditions.set('DS_SuspendedOperation', reason, true);
    try {
      const time = deviceTime.utc;
      const label = { created: secondsOf(time), output };
      const bytes = await zipOf(gather(), time, commentOf(label));
      await documents.storeFile(diagnosisDumpName, 'The diagnostic archive', bytes);
      // Downloads from now on get the new one.
      this.#reading = undefined;
      this.#stored = { state: 'stored', label };
      return true;
    } finally {
      if (suspend) conditions.set('DS_SuspendedOperation', reason, false);
    }
  }

  #read(): Promise<Uint8Array | undefined> {
    if (this.#reading !== undefined) return this.#reading;
    const reading: Promise<Uint8Array | undefined> = this.#readOnce(() => this.#reading === reading).finally(
      () => {
        if (this.#reading === reading) this.#reading = undefined;
      },
    );
    this.#reading = reading;
    return reading;
  }

  /** @param isNewest true if the archive is still the stored one. False if a new one was made meanwhile */
  async #readOnce(isNewest: () => boolean): Promise<Uint8Array | undefined> {
    const { storage } = this.#options;
    const bytes = this.#sharedOf(await storage.read(diagnosisDumpName).catch(refuseLink));
    // The bytes are the complete old archive.
    if (!isNewest()) return bytes;
    const label = bytes === undefined ? undefined : labelOf(bytes);
    if (bytes !== undefined && label === undefined) await this.#setAside();
    this.#stored = label === undefined ? { state: 'none' } : { state: 'stored', label };
    return label === undefined ? undefined : bytes;
  }

  /** The bytes of running downloads, if they are the same. */
  #sharedOf(bytes: Uint8Array | undefined): Uint8Array | undefined {
    if (bytes === undefined) return undefined;
    const shared = this.#shared?.deref();
    if (shared !== undefined && Buffer.compare(shared, bytes) === 0) return shared;
    this.#shared = new WeakRef(bytes);
    return bytes;
  }

  /** Sets an unreadable archive aside. The scanner does not need it, so DeviceStatus does not change. */
  async #setAside(): Promise<void> {
    const { storage, log } = this.#options;
    try {
      log.warn('The diagnostic archive is incomplete', {
        setAside: await storage.setAside(diagnosisDumpName),
      });
    } catch (error) {
      log.warn('The diagnostic archive is incomplete, and could not be renamed', { reason: reasonOf(error) });
    }
  }
}

function refuseLink(error: unknown): never {
  if (!(error instanceof LinkInPlace)) throw error;
  throw new Refusal('invalidData', 'filePath', 'the path contains a link that leads out of the folder');
}

function passOverLink(error: unknown): undefined {
  if (error instanceof Refusal) return undefined;
  throw error;
}

/**
 * Permits a letter or digit first, then blanks and usual characters of file names. No separator, no percent sign, no
 * colon.
 */
const plain = /^[\p{L}\p{N}_][\p{L}\p{N} ._()+-]*$/u;

/** True if an archive may also be fetched under this name: a plain file name. Its type checks its length. */
function isPlainFileName(name: string): boolean {
  return plain.test(name);
}
