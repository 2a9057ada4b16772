import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { isReported, startWith } from '@azimuth/test-support/stored-scanner';
import { expect } from 'vitest';

/** Bytes that a disk writes at once. */
const block = 512;

/** A storage in which one document has these bytes. */
export function storageWith({ documents }: FaultyStorage, name: string, bytes: Uint8Array): FaultyStorage {
  return new FaultyStorage(new Map([...documents, [name, bytes]]));
}

/**
 * Expects that a scanner finds a block of foreign bytes in a document at its next start.
 * @param most the number of blocks that are tried, spread over the document
 */
export async function findsForeignBytes(stored: FaultyStorage, name: string, most: number): Promise<void> {
  const bytes = stored.documents.get(name) ?? new Uint8Array();
  const others = Buffer.concat([...stored.documents.values()]);
  const step = block * Math.max(1, Math.ceil(bytes.length / block / most));
  for (let at = 0; at < bytes.length; at += step) {
    const until = Math.min(bytes.length, at + block);
    for (const fill of [Buffer.of(0), Buffer.of(0x20), others.subarray(333, 333 + block)]) {
      const damaged = Buffer.from(bytes).fill(fill, at, until);
      if (damaged.equals(bytes)) continue;
      const findings = await startWith(storageWith(stored, name, damaged));
      expect(isReported(name, damaged, findings), `${fill.length} from ${at}`).toBe(true);
    }
  }
}
