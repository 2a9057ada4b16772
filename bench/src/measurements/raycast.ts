import type { Bench } from '../measurement.js';
import { atMost, type Measurement } from '../measurement.js';
import { found, perCall, program, runMicrobenchmark } from '../processes/child-program.js';
import { bruteForce, caster } from '../raycast/tasks.js';
import { ratio } from '../statistics.js';

/** Lines of each scene, and the target for casting one scan of it in µs. */
const wanted = new Map([
  [200, 60],
  [2000, 400],
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
    targets: [...wanted].map(([lines, limit]) => {
      const condition = `${lines} lines`;
      return atMost(
        `${caster}: a scan, ${condition}`,
        'µs',
        limit,
        found(all, caster, condition).median(perCall),
      );
    }),
    notes: [
      'both meet the same line at the same distance on every beam, or the bench ends',
      'with noise and echoes: all that a turn of the scene takes, from one place',
    ],
  };
}
