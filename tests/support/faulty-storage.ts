import { MemoryStorage } from '@azimuth/device';
import { type Latch, latch } from './waiting.js';

/** A write that waits, is refused, or never ends. */
type Fate = { readonly waits: Latch } | { readonly fails: Error; readonly once: boolean } | 'dies';

function noSpace(): Error {
  return Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
}

/** Keeps documents in memory. Writes can be delayed, fail, or break off with a power cut. */
export class FaultyStorage extends MemoryStorage {
  readonly #fates = new Map<string, Fate>();
  /** The documents in the order in which writes of them began. */
  readonly begun: string[] = [];
  readonly #reads = new Map<string, Latch>();
  readonly #unreadable = new Map<string, string>();
  #dead = false;

  constructor(documents: ReadonlyMap<string, Uint8Array> = new Map()) {
    super();
    for (const [name, content] of documents) this.documents.set(name, content);
  }

  /** Writes of this document wait from now on until the latch is opened. */
  delay(name: string): Latch {
    const waits = latch();
    this.#fates.set(name, { waits });
    return {
      opened: waits.opened,
      open: () => {
        this.#fates.delete(name);
        waits.open();
      },
    };
  }

  /** Writes of this document fail until the storage recovers, or only the next one. */
  fail(name: string, { once = false } = {}): void {
    this.#fates.set(name, { fails: noSpace(), once });
  }

  /** The next write of this document is cut off, with all that would come after it. */
  die(name: string): void {
    this.#fates.set(name, 'dies');
  }

  /** Reads of this document wait from now on, with what they have found, until the latch is opened. */
  delayRead(name: string): Latch {
    const waits = latch();
    this.#reads.set(name, waits);
    return waits;
  }

  /** Reads of this document fail from now on. By default, permission is denied. */
  failRead(name: string, code = 'EACCES'): void {
    this.#unreadable.set(name, code);
  }

  recover(): void {
    this.#fates.clear();
    this.#unreadable.clear();
  }

  override async read(name: string): Promise<Uint8Array | undefined> {
    const code = this.#unreadable.get(name);
    if (code !== undefined) throw Object.assign(new Error(`${code}: no read, open`), { code });
    const found = await super.read(name);
    await this.#reads.get(name)?.opened;
    return found;
  }

  override async write(name: string, content: Uint8Array): Promise<void> {
    this.begun.push(name);
    const fate = this.#fates.get(name);
    if (fate === 'dies') this.#dead = true;
    if (this.#dead) return new Promise<void>(() => {});
    if (fate !== undefined && fate !== 'dies') {
      if ('waits' in fate) await fate.waits.opened;
      else {
        if (fate.once) this.#fates.delete(name);
        throw fate.fails;
      }
    }
    await super.write(name, content);
  }

  /** The documents as a scanner finds them after a power cut. */
  afterPowerCut(): FaultyStorage {
    return new FaultyStorage(this.documents);
  }
}
