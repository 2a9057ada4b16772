/** Most beams that `writeFullBeams` can write. A segment of a scanner has fewer. */
export const mostFullBeams = 1024;

/** Places for echoes of a beam for which there is a loop. */
const mostEchoes = 3;

/** Numbers of places for echoes of a beam that `writeFullBeams` can write: those that scanners send. */
export type FullEchoes = 1 | 3;

/** Bytes of the workspace: as many as a datagram can have. */
const workspaceBytes = 65_536;

/** Where telegrams are written before they are copied to their target. */
export const workspace = new Uint8Array(workspaceBytes);
export const workspaceView = new DataView(workspace.buffer);

/**
 * Writes beams with signal strength, properties and azimuth, which is the content that scanners send. There are at most
 * `mostFullBeams`. One byte behind the last beam is changed, too.
 *
 * The loops read and write arrays of their own: the compiler knows their lengths and where they are, and loads neither for
 * each number. This takes half the time of loops over the arrays of the caller.
 * @param start where to write in the workspace
 * @param scale mm a count
 * @param distance mm, by beam and echo; so is `rssi`
 * @param properties by beam; so are `codes`, the codes of the azimuths
 */
export const writeFullBeams = makeWriter(workspaceView);

function makeWriter(view: DataView) {
  const distances = new Float32Array(mostFullBeams * mostEchoes);
  const distanceBits = new Uint32Array(distances.buffer);
  const strengths = new Uint16Array(mostFullBeams * mostEchoes);
  const ofBeam = new Uint8Array(mostFullBeams);
  const codeOfBeam = new Uint16Array(mostFullBeams);

  function writeEcho(at: number, index: number, countsPerMm: number): void {
    const count = u16((distances[index] ?? 0) * countsPerMm);
    view.setUint32(at, count | ((strengths[index] ?? 0) << 16), true);
  }

  /** Three bytes are written as four. The fourth belongs to the next beam, or is the one behind the last beam. */
  function writeEnd(at: number, beam: number): void {
    view.setUint32(at, (ofBeam[beam] ?? 0) | ((codeOfBeam[beam] ?? 0) << 8), true);
  }

  /** Of three echoes, mostly only the first one is there. */
  function areEmpty(index: number, next: number): boolean {
    const bits = (distanceBits[index] ?? 0) | (distanceBits[next] ?? 0);
    return (bits | (strengths[index] ?? 0) | (strengths[next] ?? 0)) === 0;
  }

  return (
    start: number,
    echoes: FullEchoes,
    scale: number,
    distance: Float32Array,
    rssi: Uint16Array,
    properties: Uint8Array,
    codes: Uint16Array,
  ): void => {
    distances.set(distance);
    strengths.set(rssi);
    ofBeam.set(properties);
    codeOfBeam.set(codes);
    // Computed here: a number with a fraction that comes as an argument is read from memory for each echo.
    const countsPerMm = 1 / Math.fround(scale);
    const beams = properties.length;
    let at = start;
    if (echoes === 1) {
      for (let beam = 0; beam < beams; beam++) {
        writeEcho(at, beam, countsPerMm);
        writeEnd(at + 4, beam);
        at += 7;
      }
    } else {
      for (let beam = 0, index = 0; beam < beams; beam++, index += 3) {
        writeEcho(at, index, countsPerMm);
        if (areEmpty(index + 1, index + 2)) view.setFloat64(at + 4, 0);
        else {
          writeEcho(at + 4, index + 1, countsPerMm);
          writeEcho(at + 8, index + 2, countsPerMm);
        }
        writeEnd(at + 12, beam);
        at += 15;
      }
    }
  };
}

/** The nearest whole number from 0 to 65535; 0 for NaN. */
export function u16(value: number): number {
  return (Math.max(0, Math.min(value, 65_535)) + 0.5) | 0;
}
