import type { Storage } from '@azimuth/device';

/** Returns the error with which a write of this file fails; undefined if it succeeds. */
type WriteFault = (name: string) => Error | undefined;

/** Returns a storage in which some writes fail. If a write fails, the old file stays. */
export function faultyStorage(storage: Storage, fault: WriteFault): Storage {
  const isUsed = storage.isUsed?.bind(storage);
  return {
    read: (name) => storage.read(name),
    pieces: (name) => storage.pieces(name),
    remove: (name) => storage.remove(name),
    setAside: (name) => storage.setAside(name),
    isUsed,
    damage: storage.damage,
    close: () => storage.close(),
    write: async (name, content, options) => {
      const error = fault(name);
      if (error !== undefined) throw error;
      await storage.write(name, content, options);
    },
    receive: async (name, pieces) => {
      const error = fault(name);
      await storage.receive(name, error === undefined ? pieces : failingAfterOne(pieces, error));
    },
  };
}

/** Fails like a disk that becomes full: after a part of the file has been written. */
async function* failingAfterOne(pieces: AsyncIterable<Uint8Array>, error: Error): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    yield piece;
    break;
  }
  throw error;
}

/** Returns the error of the system for a full disk. */
export function diskFull(): Error {
  return Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
}

export function brokenDisk(): Error {
  return Object.assign(new Error('EIO: i/o error, write'), { code: 'EIO' });
}
