import type { Storage } from '../interfaces/environment.js';

/** Stores documents in memory, for tests and for scanners without storage. */
export class MemoryStorage implements Storage {
  /** All that is stored, by name. Tests may look at it. */
  readonly documents = new Map<string, Uint8Array>();

  async read(name: string): Promise<Uint8Array | undefined> {
    return this.documents.get(name);
  }

  async write(name: string, content: Uint8Array): Promise<void> {
    this.documents.set(name, Uint8Array.from(content));
  }

  async receive(name: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    const received: Uint8Array[] = [];
    for await (const piece of pieces) received.push(piece);
    await this.write(name, Buffer.concat(received));
  }

  async pieces(name: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const content = this.documents.get(name);
    return content === undefined ? undefined : inPieces(content);
  }

  async remove(name: string): Promise<void> {
    this.documents.delete(name);
  }

  async setAside(name: string): Promise<string> {
    const content = this.documents.get(name);
    let aside = `${name}.unreadable`;
    for (let more = 2; this.documents.has(aside); more++) aside = `${name}.unreadable-${more}`;
    if (content !== undefined) this.documents.set(aside, content);
    this.documents.delete(name);
    return aside;
  }

  async isUsed(): Promise<boolean> {
    return this.documents.size > 0;
  }

  async close(): Promise<void> {}
}

const pieceBytes = 64 * 1024;

/** Cuts the content of a document into pieces of 64 KiB, like the reads of a file. */
export async function* inPieces(content: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += pieceBytes) yield content.subarray(at, at + pieceBytes);
}
