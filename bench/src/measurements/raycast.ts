import { atMost, type Bench, found, type Measurement } from '../measurement.js';
import { perCall, runMicrobenchmark } from '../microbenchmark.js';
import { program } from '../processes/child-program.js';
import { bruteForce, caster, completeScan, drivingScan } from '../raycast/tasks.js';
import { ratio } from '../statistics.js';

interface Wanted {
  /** Casting one scan. */
  readonly casting: number;
  /** A whole scan from one place. */
  readonly scan: number;
  /** A whole scan from another place each time. */
  readonly driving?: number;
}

/** The targets in µs, by lines of the scene. */
const wanted = new Map<number, Wanted>([
  [200, { casting: 60, scan: 30 }],
  [2000, { casting: 400, scan: 150, driving: 150 }],
]);

/** Casting the beams of a scan, compared with testing each beam against each line. */
export async function measureRaycast({ rounds, seconds, progress }: Bench): Promise<Measurement> {
  progress(`${rounds} rounds in one process`);
  const sizes = [...wanted.keys()].map(String);
  const milliseconds = (seconds * 1000) / 4;
  const all = await runMicrobenchmark(program('raycast', String(rounds), String(milliseconds), ...sizes));
  return {
    name: 'raycast',
    title:
      'Casting a scan: 1105 beams (50 Hz, 0.25°), in a hall with walls at random, from 16 places in turn',
    rows: all.map(({ row }) => row),
    ratios: sizes.map((lines) => {
      const values = (subject: string) => found(all, subject, `${lines} lines`).values(perCall);
      return {
        name: `${bruteForce} to ${caster}, ${lines} lines: ${perCall}`,
        spread: ratio(values(bruteForce), values(caster)),
      };
    }),
    targets: [...wanted].flatMap(([lines, { casting, scan: whole, driving }]) => {
      const condition = `${lines} lines`;
      const median = (subject: string) => found(all, subject, condition).median(perCall);
      return [
        atMost(`${caster}: a scan, ${condition}`, 'µs', casting, median(caster)),
        atMost(`${completeScan}, ${condition}`, 'µs', whole, median(completeScan)),
        ...(driving === undefined
          ? []
          : [atMost(`${drivingScan}, ${condition}`, 'µs', driving, median(drivingScan))]),
      ];
    }),
    notes: [
      'both meet the same line at the same distance on every beam, or the bench ends',
      'with noise and echoes: all that a scan takes, from one place; driving: from another place each time',
    ],
  };
}
