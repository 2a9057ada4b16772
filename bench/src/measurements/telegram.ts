import { atMost, type Bench, found, type Measurement } from '../measurement.js';
import { perCall, runMicrobenchmark } from '../microbenchmark.js';
import { program } from '../processes/child-program.js';
import { ratio } from '../statistics.js';
import { libraryName } from '../telegram/msgpack-library.js';
import { beams, compact, conditionOf, library, msgpack } from '../telegram/tasks.js';

/** The target for Compact in µs, by number of echoes. */
const wanted = new Map([
  [1, 2],
  [3, 3.5],
]);
const echoNumbers = [...wanted.keys()];

/** Encoding a segment, compared with a MessagePack library that encodes the same numbers. */
export async function measureTelegram({ rounds, seconds, progress }: Bench): Promise<Measurement> {
  progress(`${rounds} rounds in one process`);
  const milliseconds = (seconds * 1000) / 4;
  const command = program('telegram', String(rounds), String(milliseconds), ...echoNumbers.map(String));
  const all = await runMicrobenchmark(command);
  const hasLibrary = all.some(({ subject }) => subject === library);
  return {
    name: 'telegram',
    title: `A telegram of ${beams} beams with signal strength, properties and azimuth, CRC included`,
    rows: all.map(({ row }) => row),
    ratios: echoNumbers.flatMap((echoes) => {
      const condition = conditionOf(echoes);
      const values = (subject: string) => found(all, subject, condition).values(perCall);
      return (hasLibrary ? [msgpack, library] : [msgpack]).map((other) => ({
        name: `${other} to ${compact}, ${condition}: ${perCall}`,
        spread: ratio(values(other), values(compact)),
      }));
    }),
    targets: [...wanted].map(([echoes, limit]) => {
      const condition = conditionOf(echoes);
      return atMost(`${compact}: ${condition}`, 'µs', limit, found(all, compact, condition).median(perCall));
    }),
    notes: hasLibrary
      ? ['the library writes its keys as texts, and neither header nor CRC: what it makes is no telegram yet']
      : [`${libraryName} is left out: it is not installed`],
  };
}
