/** Most points of a recording: 64 MB. More than any performance profile measures in its longest recording. */
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

  /** Adds a point (m), unless the cloud is full. */
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

/** Bytes: no header of ours is longer. */
export const longestHeader = 512;

/**
 * The header of a file in the format PCD 0.7, for this many points with x, y, z and intensity as float32. The cloud is
 * unordered (one row), and its viewpoint is the origin.
 */
export function pcdHeader(points: number): Uint8Array {
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

/** The length in bytes of a file with this beginning; undefined if we did not write it. */
export function fileLength(beginning: Uint8Array): number | undefined {
  const text = Buffer.from(beginning.subarray(0, longestHeader)).toString('latin1');
  const [, points] = /^POINTS (\d{1,10})$/m.exec(text) ?? [];
  if (points === undefined) return undefined;
  const header = pcdHeader(Number(points));
  if (!text.startsWith(Buffer.from(header).toString('latin1'))) return undefined;
  return header.length + Number(points) * pointBytes;
}
