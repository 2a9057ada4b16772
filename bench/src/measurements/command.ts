import { once } from 'node:events';
import { join } from 'node:path';
import { startScanner, variable, variablePath } from '../compared-servers.js';
import { atMost, type Bench, Collected, type Measurement } from '../measurement.js';
import { sharedClock } from '../proc.js';
import { root } from '../processes/child-program.js';
import { cores, start } from '../processes/children.js';
import { inRounds, ratio } from '../statistics.js';

/** Measures the time of the one-liner. */
const wanted = 0.6;

/** A command takes a fraction of a second, so there are more rounds. */
const callsPerRound = 3;

const figure = 'ms';

/** Time of `azimuth get`, from the start of its process to its end, compared with a one-liner of Node that reads the same. */
export async function measureCommand(bench: Bench): Promise<Measurement> {
  const scanner = await startScanner(bench, 'command');
  const url = `http://127.0.0.1:${scanner.port}`;
  const azimuth = join(root, 'packages', 'cli', 'bin', 'azimuth.js');
  const line = `fetch('${url}${variablePath}').then((response) => response.json()).then(({ data }) => console.log(data.${variable}))`;
  const ours = new Collected(`azimuth get ${variable}`, 'a process');
  const theirs = new Collected('node -e "fetch(…)"', 'a process');
  const calls: readonly [Collected, readonly string[]][] = [
    [ours, [process.execPath, azimuth, 'get', variable, '--device', url]],
    [theirs, [process.execPath, '-e', line]],
  ];
  // The first run fills the page cache, and does not count.
  for (const [, command] of calls) await timeOf(command);
  const rounds = bench.rounds * callsPerRound;
  await inRounds(calls, rounds, async ([collected, command], round) => {
    bench.progress(`call ${round + 1} of ${rounds}: ${collected.subject}`);
    collected.add({ [figure]: await timeOf(command) });
  });
  await scanner.end();
  const name = `${ours.subject} to ${theirs.subject}: ${figure}`;
  const spread = ratio(ours.values(figure), theirs.values(figure));
  return {
    name: 'command',
    title: `The time of a command that reads ${variable}`,
    rows: [ours.row, theirs.row],
    ratios: [{ name, spread }],
    targets: [atMost(name, '', wanted, spread.median)],
    notes: [],
  };
}

/** Milliseconds that a command takes. @throws Error if it fails */
async function timeOf(command: readonly string[]): Promise<number> {
  const begun = sharedClock();
  const child = start({ core: cores.load, command, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${command.join(' ')} failed with exit code ${code}`);
  return sharedClock() - begun;
}
