import type { Storage } from '../ports/storage.js';

/** Keeps documents in memory, for tests and for scanners that are to forget. */
export class MemoryStorage implements Storage {
  readonly documents = new Map<string, Uint8Array>();

  async read(name: string): Promise<Uint8Array | undefined> {
    return this.documents.get(name);
  }

  async write(name: string, content: Uint8Array): Promise<void> {
    this.documents.set(name, content.slice());
  }

  async setAside(name: string): Promise<string> {
    const content = this.documents.get(name);
    const aside = `${name}.unreadable`;
    if (content !== undefined) this.documents.set(aside, content);
    this.documents.delete(name);
    return aside;
  }

  async close(): Promise<void> {}
}
