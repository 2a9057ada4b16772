import { type AppendedFile, type LogDisk, systemDisk } from '../../src/log/folder/log-disk.js';

/** A disk that fails as tests want, and otherwise that of this computer. */
export class FailingDisk implements LogDisk {
  /** Bytes that fit on the disk from now on. */
  room = Number.POSITIVE_INFINITY;
  /** Fails the next syncs with this error. */
  syncFailure: Error | undefined;
  syncs = 0;
  appends = 0;
  readonly makeFolder = systemDisk.makeFolder;
  readonly list = systemDisk.list;
  readonly remove = systemDisk.remove;
  readonly syncFolder = systemDisk.syncFolder;

  async open(path: string): Promise<AppendedFile> {
    const file = await systemDisk.open(path);
    return {
      size: () => file.size(),
      read: (bytes, position) => file.read(bytes, position),
      truncate: (length) => file.truncate(length),
      close: () => file.close(),
      append: async (bytes) => {
        this.appends += 1;
        const fitting = Math.min(bytes.length, this.room);
        await file.append(bytes.subarray(0, fitting));
        this.room -= fitting;
        if (fitting < bytes.length) throw new Error('ENOSPC: no space left on device, write');
      },
      sync: async () => {
        this.syncs += 1;
        if (this.syncFailure !== undefined) throw this.syncFailure;
        await file.sync();
      },
    };
  }
}
