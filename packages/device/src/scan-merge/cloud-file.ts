import { Mutex } from '@azimuth/async';
import { Refusal } from '@azimuth/model';
import type { Log, Storage } from '../interfaces/environment.js';
import { cloudFile } from '../storage/document.js';
import { LinkInPlace, reasonOf, remedyOf } from '../storage/storage-failure.js';

/** A recorded cloud as a file, complete and unchanged since it was opened. Read it once, or close it. */
export interface StoredCloud {
  readonly bytes: number;
  /** The content of the file. Throws if the file is shorter than its header states. */
  pieces(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** The recorded cloud that a scanner stores as a PCD file. It survives restarts. */
export class CloudFile {
  readonly #storage: Storage;
  readonly #log: Log;
  /** Runs saves and removals one after the other, so the last call decides. */
  readonly #mutex = new Mutex();

  constructor(storage: Storage, log: Log) {
    this.#storage = storage;
    this.#log = log;
  }

  /**
   * Replaces the cloud. It is on disk, complete, when the promise resolves. Until then, the old cloud stays. It also
   * stays after an error or an abort.
   * @param progress called with the written share, 0 to 1
   */
  save(cloud: PointCloud, signal: AbortSignal, progress: (share: number) => void): Promise<void> {
    return this.#mutex.run(async () => {
      await this.#storage.receive(cloudFile, piecesOf(cloud, signal, progress));
      progress(1);
    });
  }

  /**
   * Removes the cloud, if there is one.
   * @throws Refusal 3 if it cannot be removed
   */
  async remove(): Promise<void> {
    try {
      await this.#mutex.run(() => this.#storage.remove(cloudFile));
    } catch (error) {
      this.#log.error('The stored point cloud could not be removed', { reason: reasonOf(error) });
      const detail = `the stored point cloud could not be removed: ${remedyOf(error)}`;
      throw new Refusal('internalServerError', '', detail);
    }
  }

  /** The cloud. Undefined if there is none. A foreign file is set aside, and logged. */
  async open(): Promise<StoredCloud | undefined> {
    const pieces = await this.#pieces();
    if (pieces === undefined) return undefined;
    const source = pieces[Symbol.asyncIterator]();
    const beginning = await beginningOf(source);
    const bytes = fileLength(beginning);
    if (bytes !== undefined) {
      return { bytes, pieces: () => completeFile(beginning, source, bytes), close: () => closed(source) };
    }
    await closed(source);
    await this.#setAside();
    return undefined;
  }

  /** A link in its place is set aside like any other foreign file. */
  async #pieces(): Promise<AsyncIterable<Uint8Array> | undefined> {
    try {
      return await this.#storage.pieces(cloudFile);
    } catch (error) {
      if (!(error instanceof LinkInPlace)) throw error;
      await this.#setAside(error.message);
      return undefined;
    }
  }

  async #setAside(reason?: string): Promise<void> {
    try {
      const setAside = await this.#storage.setAside(cloudFile);
      this.#log.warn('The stored point cloud cannot be used; it was renamed', { setAside, reason: reason });
    } catch (error) {
      this.#log.warn('The stored point cloud cannot be used, and could not be renamed', {
        reason: reasonOf(error),
      });
    }
  }
}

async function* piecesOf(
  cloud: PointCloud,
  signal: AbortSignal,
  wrote: (share: number) => void,
): AsyncGenerator<Uint8Array> {
  signal.throwIfAborted();
  yield pcdHeader(cloud.count);
  let bytes = 0;
  for (const piece of cloud.pieces()) {
    signal.throwIfAborted();
    yield piece;
    bytes += piece.length;
    // The file is not completely on disk yet. The caller reports it when it waits for that.
    wrote(Math.min(0.99, bytes / cloud.bytes));
  }
}

/** The first bytes, up to the maximum length of a header, or the complete file if it is shorter. */
async function beginningOf(source: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let beginning: Uint8Array = new Uint8Array();
  while (beginning.length < longestHeader) {
    const { done, value } = await source.next();
    if (done === true) break;
    beginning = beginning.length === 0 ? value : Buffer.concat([beginning, value]);
  }
  return beginning;
}

async function* completeFile(
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
      if (done === true) throw new Error(`the stored point cloud is cut off: ${left} bytes are missing`);
      piece = value;
    }
  } finally {
    await closed(source);
  }
}

async function closed(source: AsyncIterator<Uint8Array>): Promise<void> {
  await source.return?.();
}

/** Maximum number of points of a recording: 64 MB. No performance profile measures more in its longest recording. */
export const mostPoints = 4_000_000;

/** Bytes of a point: x, y, z and intensity as float32. */
const pointBytes = 16;

const pointsPerPiece = 65_536;

/** Points as in the file: x, y, z (m) and intensity, each a little-endian float32. */
export class PointCloud {
  readonly #pieces: Uint8Array<ArrayBuffer>[] = [];
  #view = new DataView(new ArrayBuffer(0));
  #count = 0;
  readonly #most: number;

  /** @param most points of the cloud */
  constructor(most = mostPoints) {
    this.#most = most;
  }

  get count(): number {
    return this.#count;
  }

  /** Bytes of all points. */
  get bytes(): number {
    return this.#count * pointBytes;
  }

  get isFull(): boolean {
    return this.#count >= this.#most;
  }

  /** Adds a point (m). Does nothing if the cloud is full. */
  add(x: number, y: number, z: number, intensity: number): void {
    if (this.isFull) return;
    const at = (this.#count % pointsPerPiece) * pointBytes;
    if (at === 0) this.#begin();
    this.#view.setFloat32(at, x, true);
    this.#view.setFloat32(at + 4, y, true);
    this.#view.setFloat32(at + 8, z, true);
    this.#view.setFloat32(at + 12, intensity, true);
    this.#count += 1;
  }

  /** All points in the order in which they were added, in pieces of up to 1 MiB. */
  *pieces(): Generator<Uint8Array> {
    let left = this.bytes;
    for (const piece of this.#pieces) {
      yield piece.subarray(0, left);
      left -= piece.length;
    }
  }

  #begin(): void {
    const piece = new Uint8Array(pointsPerPiece * pointBytes);
    this.#pieces.push(piece);
    this.#view = new DataView(piece.buffer);
  }
}

/** The beginning and the end of the header of our files. */
const begin = '# .PCD v0.7 - Point Cloud Data file format\n';
const end = 'DATA binary\n';

/** Maximum length of our headers in bytes. */
export const longestHeader = 512;

/**
 * The header of a file in the format PCD 0.7, for this many points with x, y, z and intensity as float32. The cloud is
 * unordered (one row), and its viewpoint is the origin.
 */
function pcdHeader(points: number): Uint8Array {
  return Buffer.from(
    `${begin}VERSION 0.7
FIELDS x y z intensity
SIZE 4 4 4 4
TYPE F F F F
COUNT 1 1 1 1
WIDTH ${points}
HEIGHT 1
VIEWPOINT 0 0 0 1 0 0 0
POINTS ${points}
${end}`,
  );
}

/** The length in bytes of a file with this beginning. Undefined for a foreign file. */
function fileLength(beginning: Uint8Array): number | undefined {
  const text = Buffer.from(beginning.subarray(0, longestHeader)).toString('latin1');
  const [, points] = /^POINTS (\d{1,10})$/m.exec(text) ?? [];
  if (points === undefined) return undefined;
  const header = pcdHeader(Number(points));
  if (!text.startsWith(Buffer.from(header).toString('latin1'))) return undefined;
  return header.length + Number(points) * pointBytes;
}
