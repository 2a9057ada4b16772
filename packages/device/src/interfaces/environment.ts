import { randomFillSync } from 'node:crypto';

/** The time of the scanner. Every lock, expiry, debounce and boot time depends on it. */
export interface Clock {
  /** Milliseconds since some moment, with a fraction. It never goes back. */
  monotonic(): number;
  /** Milliseconds since 1970-01-01T00:00 UTC, with a fraction for the microseconds. */
  utc(): number;
  /**
   * Milliseconds that `utc` is ahead of `monotonic`, exactly. By default, or if it is undefined, both are read, one after the
   * other. With it, all scanners with clocks of one program have the same UTC, to the microsecond.
   */
  utcAhead?(): number | undefined;
  /** Milliseconds that local time is ahead of UTC at that moment. */
  localOffset(utc: number): number;
  /** Calls back once, `milliseconds` from now. The returned function cancels it. */
  after(milliseconds: number, callback: () => void): () => void;
  /**
   * Calls callbacks that are overdue by some milliseconds. Handlers call it if hundreds of them may run in one pass of
   * the event loop, because timers run only after all of them.
   */
  catchUp(): void;
  /**
   * True if the scanner may act on others at this moment. False if another process may run it by now. By default,
   * always true.
   */
  mayAct?(): boolean;
}

/** A clock that can be moved on, for time travel and for tests. */
export interface MovableClock extends Clock {
  /** Moves on by this many milliseconds (not below 0). Every callback that becomes due is called in order. */
  advance(milliseconds: number): void;
}

/** Unpredictable bytes for nonces, salts and keys. */
export interface Random {
  /** Returns this many new bytes. */
  bytes(count: number): Uint8Array;
}

/** Random bytes of the operating system, fetched 4096 at a time: a call for each nonce costs ten times as much. */
export class SystemRandom implements Random {
  readonly #pool = new Uint8Array(4096);
  #used = this.#pool.length;

  bytes(count: number): Uint8Array {
    if (count > this.#pool.length) return randomFillSync(new Uint8Array(count));
    if (this.#used + count > this.#pool.length) {
      randomFillSync(this.#pool);
      this.#used = 0;
    }
    const bytes = this.#pool.slice(this.#used, this.#used + count);
    // Each byte is used once, and no copy of it stays in memory.
    this.#pool.fill(0, this.#used, this.#used + count);
    this.#used += count;
    return bytes;
  }
}

/** A random UUID (RFC 9562, version 4). */
export function uuidOf(random: Random): string {
  const bytes = Buffer.from(random.bytes(16));
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The storage of a scanner: a folder, or a part of a database that many scanners share. */
export interface Storage {
  /**
   * The complete document. Undefined if there is none.
   * @throws LinkInPlace if it is a symbolic link, DamagedDocument if it has changed since it was written
   */
  read(name: string): Promise<Uint8Array | undefined>;
  /**
   * Replaces a document. When the promise resolves, the new one is on disk, complete. Until then, the old one is. Only
   * the owner can read a secret document, at any time.
   */
  write(name: string, content: Uint8Array, options?: { readonly secret?: boolean }): Promise<void>;
  /**
   * Replaces a file piece by piece, with only a few pieces in memory. When the promise resolves, the new file is on
   * disk, complete. Until then, the old one is. If `pieces` throws, the old file stays and the promise rejects with the
   * error.
   */
  receive(name: string, pieces: AsyncIterable<Uint8Array>): Promise<void>;
  /**
   * The present file, even if it is replaced during the read. Undefined if there is none.
   * @throws LinkInPlace as `read`
   */
  pieces(name: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Removes a file if it exists. */
  remove(name: string): Promise<void>;
  /** Renames a document that cannot be decoded, and returns its new name. */
  setAside(name: string): Promise<string>;
  /**
   * True if anything of a scanner was ever stored here. Without this method, a storage counts as used if it has a
   * document of a scanner, or one that cannot be read.
   */
  isUsed?(): Promise<boolean>;
  /** Damage of the storage itself, found before it was opened, in words. Undefined if there is none. */
  readonly damage?: string | undefined;
  /** Releases the lock. */
  close(): Promise<void>;
}

/** Named values that go with a log line. */
export type LogFields = Readonly<Record<string, unknown>>;

/** The log of the scanner. It never gets a secret. */
export interface Log {
  /** Something that an operator may want to know. */
  info(message: string, fields?: LogFields): void;
  /** Something that should be looked at; the scanner works. */
  warn(message: string, fields?: LogFields): void;
  /** A failure. */
  error(message: string, fields?: LogFields): void;
}

/** A log that adds fields to each line. `fields` is called when a line is written. */
export class LogWith implements Log {
  readonly #log: Log;
  readonly #fields: () => LogFields;

  constructor(log: Log, fields: () => LogFields) {
    this.#log = log;
    this.#fields = fields;
  }

  info(message: string, fields?: LogFields): void {
    this.#log.info(message, { ...fields, ...this.#fields() });
  }

  warn(message: string, fields?: LogFields): void {
    this.#log.warn(message, { ...fields, ...this.#fields() });
  }

  error(message: string, fields?: LogFields): void {
    this.#log.error(message, { ...fields, ...this.#fields() });
  }
}
