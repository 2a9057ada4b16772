/**
 * Where an encoder writes a telegram of so many bytes: the beginning of `target`, or a new array.
 * @throws RangeError where `target` is too small.
 */
export function placeFor(size: number, target: Uint8Array | undefined): Uint8Array {
  if (target === undefined) return new Uint8Array(size);
  if (target.length < size) {
    throw new RangeError(`a telegram of ${size} bytes does not fit into a target of ${target.length}`);
  }
  return target.subarray(0, size);
}
