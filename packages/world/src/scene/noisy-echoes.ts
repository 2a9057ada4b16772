import { echoesPerBeam, type Scan } from '@azimuth/device';
import { type Detection, type Noise, rssiOf } from './echoes.js';
import { gaussianAt, type RandomNumbers } from './random-numbers.js';

/** Numbers that `ExpectedEchoes` has for a beam. */
const numbersPerBeam = 4;

/** Random words for the echo of a beam: for its loss, its distance and its strength. */
const wordsPerBeam = 3;

/** Beams that are written in one go: more than any profile has. */
const beamsAtOnce = 4096;

/** What the echo of each beam is without noise. A beam has one echo at most. */
export class ExpectedEchoes {
  readonly beams: number;
  /** By beam, one after the other: lostBelow, distance in m, standard deviation of the distance in m, RSSI. */
  readonly numbers: Float64Array;
  readonly flags: Uint8Array;

  constructor(beams: number) {
    this.beams = beams;
    this.numbers = new Float64Array(numbersPerBeam * beams);
    this.flags = new Uint8Array(beams);
  }

  /** The echo of a beam is always lost if `lostBelow` is 2³²; then its other numbers do not count. */
  setLost(beam: number, lostBelow: number): void {
    this.numbers[numbersPerBeam * beam] = lostBelow;
  }

  /** @param lostBelow the echo is lost if its random word is less than this */
  set(
    beam: number,
    lostBelow: number,
    distance: number,
    deviation: number,
    strength: number,
    flags: number,
  ): void {
    const at = numbersPerBeam * beam;
    this.numbers[at] = lostBelow;
    this.numbers[at + 1] = distance;
    this.numbers[at + 2] = deviation;
    this.numbers[at + 3] = strength;
    this.flags[beam] = flags;
  }
}

/** Writes the echoes of all beams, with noise. Nothing of what the scan had before is left. */
export function writeNoisyEchoes(
  scan: Scan,
  expected: ExpectedEchoes,
  detection: Detection,
  noise: Noise,
  random: RandomNumbers,
): void {
  const { beams, numbers, flags } = expected;
  if (beams <= beamsAtOnce) {
    writeAtOnce(scan, 0, beams, numbers, flags, detection, noise, random);
    return;
  }
  for (let first = 0; first < beams; first += beamsAtOnce) {
    const end = Math.min(first + beamsAtOnce, beams);
    const part = numbers.subarray(numbersPerBeam * first, numbersPerBeam * end);
    writeAtOnce(scan, first, end - first, part, flags.subarray(first, end), detection, noise, random);
  }
}

/**
 * The same for up to `beamsAtOnce` beams from the beam `first` on. The loop reads and writes arrays of its own: the compiler
 * knows their lengths and where they are. Copying what is expected is quick even if it is no longer in a cache. A loop over
 * arrays that are in no cache waits for each number: with many scanners in a process, it takes twice as long.
 */
const writeAtOnce = makeWriter();

function makeWriter() {
  const expected = new Float64Array(numbersPerBeam * beamsAtOnce);
  const expectedFlags = new Uint8Array(beamsAtOnce);
  const words = new Uint32Array(wordsPerBeam * beamsAtOnce);
  // The second and the third place of each beam are always 0.
  const distances = new Float32Array(echoesPerBeam * beamsAtOnce);
  const strengths = new Uint16Array(echoesPerBeam * beamsAtOnce);
  const flags = new Uint8Array(echoesPerBeam * beamsAtOnce);
  /** What was written last: scans mostly have the same number of beams. */
  let written = partsOf(0);

  function partsOf(beams: number) {
    const places = echoesPerBeam * beams;
    return {
      beams,
      distances: distances.subarray(0, places),
      strengths: strengths.subarray(0, places),
      flags: flags.subarray(0, places),
    };
  }

  function write(beams: number, nearest: number, farthest: number, share: number): void {
    for (
      let beam = 0, at = 0, word = 0, place = 0;
      beam < beams;
      beam++, at += numbersPerBeam, word += wordsPerBeam, place += echoesPerBeam
    ) {
      if ((words[word] ?? 0) < (expected[at] ?? 0)) {
        distances[place] = 0;
        strengths[place] = 0;
        flags[place] = 0;
        continue;
      }
      const measured = (expected[at + 1] ?? 0) + (expected[at + 2] ?? 0) * gaussianAt(words[word + 1] ?? 0);
      // Large noise must not move an echo out of range.
      distances[place] = Math.min(Math.max(measured, nearest), farthest) * 1000;
      strengths[place] = rssiOf((expected[at + 3] ?? 0) * (1 + share * gaussianAt(words[word + 2] ?? 0)));
      flags[place] = expectedFlags[beam] ?? 0;
    }
  }

  return (
    scan: Scan,
    first: number,
    beams: number,
    numbers: Float64Array,
    flagsOfBeams: Uint8Array,
    { nearest, farthest }: Detection,
    noise: Noise,
    random: RandomNumbers,
  ): void => {
    random.draw(wordsPerBeam * beams, words);
    expected.set(numbers);
    expectedFlags.set(flagsOfBeams);
    write(beams, nearest, farthest, noise.settings.strength);
    if (written.beams !== beams) written = partsOf(beams);
    scan.distance.set(written.distances, echoesPerBeam * first);
    scan.rssi.set(written.strengths, echoesPerBeam * first);
    scan.flags.set(written.flags, echoesPerBeam * first);
  };
}
