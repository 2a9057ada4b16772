import { Fault } from '@azimuth/model';
import type { Log } from '../interfaces/log.js';
import type { Storage } from '../interfaces/storage.js';
import { LinkInPlace, reasonOf, remedyOf } from '../storage/storage-failure.js';
import { fileLength, longestHeader, pcdHeader } from './pcd-header.js';
import type { PointCloud } from './point-cloud.js';

const name = 'cloud.pcd';

/** A recorded cloud as a file, whole as it was when it was opened. Read it once, or close it. */
export interface StoredCloud {
  readonly bytes: number;
  /** From its beginning to its end. Throws where the file is shorter than it says. */
  pieces(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** The one recorded cloud that a scanner keeps, as a PCD file; over restarts, too. */
export class CloudFile {
  readonly #storage: Storage;
  readonly #log: Log;
  /** Saving and removing take turns: the last one decides what is there. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(storage: Storage, log: Log) {
    this.#storage = storage;
    this.#log = log;
  }

  /**
   * Puts a cloud in the place of the one before; on disk, whole, when the promise is fulfilled. Until then, and where
   * this fails or is called off, the one before is there.
   */
  save(cloud: PointCloud, signal: AbortSignal): Promise<void> {
    return this.#inTurn(() => this.#storage.receive(name, piecesOf(cloud, signal)));
  }

  /**
   * Removes the cloud where there is one.
   * @throws Fault 3 where it cannot be removed.
   */
  async remove(): Promise<void> {
    try {
      await this.#inTurn(() => this.#storage.remove(name));
    } catch (error) {
      this.#log.error('The recorded point cloud could not be removed', { reason: reasonOf(error) });
      const why = `the recorded point cloud could not be removed: ${remedyOf(error)}`;
      throw new Fault('internalServerError', '', why);
    }
  }

  /** The cloud; undefined where there is none. One that is not as we write it is set aside, and told in the log. */
  async open(): Promise<StoredCloud | undefined> {
    const pieces = await this.#piecesItself();
    if (pieces === undefined) return undefined;
    const source = pieces[Symbol.asyncIterator]();
    const beginning = await beginningOf(source);
    const bytes = fileLength(beginning);
    if (bytes !== undefined) {
      return { bytes, pieces: () => wholeFile(beginning, source, bytes), close: () => closed(source) };
    }
    await closed(source);
    await this.#setAside();
    return undefined;
  }

  /** A link in its place is set aside like any other file that is none of ours. */
  async #piecesItself(): Promise<AsyncIterable<Uint8Array> | undefined> {
    try {
      return await this.#storage.pieces(name);
    } catch (error) {
      if (!(error instanceof LinkInPlace)) throw error;
      await this.#setAside(error.message);
      return undefined;
    }
  }

  #inTurn(act: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(act);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #setAside(why?: string): Promise<void> {
    try {
      const setAside = await this.#storage.setAside(name);
      this.#log.warn('The recorded point cloud is none of ours', { setAside, reason: why });
    } catch (error) {
      this.#log.warn('The recorded point cloud is none of ours, and stays where it is', {
        reason: reasonOf(error),
      });
    }
  }
}

async function* piecesOf(cloud: PointCloud, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  signal.throwIfAborted();
  yield pcdHeader(cloud.count);
  for (const piece of cloud.pieces()) {
    signal.throwIfAborted();
    yield piece;
  }
}

/** As many bytes as a header may have, or all there are. */
async function beginningOf(source: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let beginning: Uint8Array = new Uint8Array();
  while (beginning.length < longestHeader) {
    const { done, value } = await source.next();
    if (done === true) break;
    beginning = beginning.length === 0 ? value : Buffer.concat([beginning, value]);
  }
  return beginning;
}

async function* wholeFile(
  beginning: Uint8Array,
  source: AsyncIterator<Uint8Array>,
  bytes: number,
): AsyncGenerator<Uint8Array> {
  let left = bytes;
  try {
    for (let piece = beginning; ; ) {
      yield piece.subarray(0, left);
      left -= Math.min(left, piece.length);
      if (left === 0) return;
      const { done, value } = await source.next();
      if (done === true) throw new Error(`the recorded point cloud is cut off: ${left} bytes are missing`);
      piece = value;
    }
  } finally {
    await closed(source);
  }
}

async function closed(source: AsyncIterator<Uint8Array>): Promise<void> {
  await source.return?.();
}
