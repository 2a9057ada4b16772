/** Points that a recording has at most: 64 MB. More than any performance profile measures in its longest recording. */
export const mostPoints = 4_000_000;

/** A point: x, y, z and intensity as float32. */
export const pointBytes = 16;

const pointsPerPiece = 65_536;

/** Points as they are kept in a file: x, y, z (m) and intensity, four little-endian float32 each. */
export class PointCloud {
  readonly #pieces: Uint8Array<ArrayBuffer>[] = [];
  #view = new DataView(new ArrayBuffer(0));
  #count = 0;
  readonly #most: number;

  /** @param most points that it takes */
  constructor(most = mostPoints) {
    this.#most = most;
  }

  get count(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count >= this.#most;
  }

  /** Adds a point (m); nothing where the cloud is full. */
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

  /** All points, in the order in which they came; up to 1 MiB at a time. */
  *pieces(): Generator<Uint8Array> {
    let left = this.#count * pointBytes;
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
