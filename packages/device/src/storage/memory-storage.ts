import type { Storage } from '../ports/storage.js';

/** Keeps documents in memory, for tests and for scanners that are to forget. */
export class MemoryStorage implements Storage {
  readonly documents = new Map<string, Uint8Array>();

  async read(name: string): Promise<Uint8Array | undefined> {
    return this.documents.get(name);
  }

  async write(name: string, content: Uint8Array): Promise<void> {
    this.documents.set(name, Uint8Array.from(content));
  }

  async setAside(name: string): Promise<string> {
    const content = this.documents.get(name);
    let aside = `${name}.unreadable`;
    for (let more = 2; this.documents.has(aside); more++) aside = `${name}.unreadable-${more}`;
    if (content !== undefined) this.documents.set(aside, content);
    this.documents.delete(name);
    return aside;
  }

  async close(): Promise<void> {}
}
