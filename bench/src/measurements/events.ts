import { ours, startScanner } from '../compared-servers.js';
import type { Bench } from '../measurement.js';
import { atMost, Collected, type Measurement, type Ratio } from '../measurement.js';
import { cpuSeconds } from '../proc.js';
import { ChildProgram, program } from '../processes/child-program.js';
import { cores } from '../processes/children.js';
import { freePort } from '../processes/free-port.js';
import { Server } from '../processes/server.js';
import { inRounds, median, ratio } from '../statistics.js';

const counts = [1, 100, 1000] as const;
const bare = 'bare ws';
const last = 'last ms';
const cpu = 'CPU ms a change';
const changes = 50;
/** Messages before the measurement, so that the code of both servers is compiled. */
const warmupMessages = 2000;
const leastWarmup = 50;
const target = 1.3;

/** A server of events, and the address for changes. */
interface Source {
  readonly server: Server;
  readonly change: string;
}

interface Subject extends Source {
  readonly collected: Collected;
  readonly child: ChildProgram;
}

/** One change of a value, until the last of its subscribers has it: the scanner, and ws sending the same frames. */
export async function measureEvents(bench: Bench): Promise<Measurement> {
  const found: { name: string; ours: Collected; bare: Collected }[] = [];
  for (const kind of ['plain', 'deflate'] as const) {
    const sources = [await startOurs(bench), await startBare(bench, kind)];
    for (const count of counts) {
      const condition = `${kind}, ${count} subscribers`;
      bench.progress(condition);
      const [mine, theirs] = await compare(bench, sources, count, kind, condition);
      if (mine !== undefined && theirs !== undefined)
        found.push({ name: condition, ours: mine, bare: theirs });
    }
    await Promise.all(sources.map(({ server }) => server.end()));
  }
  const ratios: Ratio[] = found.flatMap((pair) =>
    [last, cpu].map((figure) => ({
      name: `${ours} to ${bare}, ${pair.name}: ${figure}`,
      spread: ratio(pair.ours.values(figure), pair.bare.values(figure)),
    })),
  );
  return {
    name: 'events',
    title: 'One change of CurrentTempDev, until the last subscriber has it',
    rows: found.flatMap((pair) => [pair.ours.row, pair.bare.row]),
    ratios,
    targets: ratios
      .filter(({ name }) => name.endsWith(last))
      .map(({ name, spread }) => atMost(name, '', target, spread.median)),
    notes: [
      `each round: the median of ${changes} changes, each told when all have the one before`,
      'a change is a POST: to the control port of the scanner, to the bare server itself',
      'deflate: either compresses for each client, as ws does',
    ],
  };
}

async function startOurs(bench: Bench): Promise<Source> {
  const control = await freePort();
  const server = await startScanner(bench, `events-${control}`, ['--control-port', String(control)]);
  return { server, change: `http://127.0.0.1:${control}/temperature` };
}

async function startBare(bench: Bench, kind: string): Promise<Source> {
  const server = await Server.start(bench, {
    name: bare,
    command: (port) => program('bare-events', String(port), kind),
    path: '/',
  });
  return { server, change: `http://127.0.0.1:${server.port}/` };
}

async function compare(
  bench: Bench,
  sources: readonly Source[],
  count: number,
  kind: string,
  condition: string,
): Promise<readonly Collected[]> {
  const subjects: Subject[] = [];
  for (const source of sources) {
    const { server, change } = source;
    const address = `ws://127.0.0.1:${server.port}/apievents`;
    const command = program('subscribers', address, change, String(count), kind);
    const child = await ChildProgram.start({ core: cores.load, command });
    subjects.push({ ...source, child, collected: new Collected(server.name, condition) });
  }
  const warmup = Math.max(leastWarmup, warmupMessages / count);
  for (const { child } of subjects) await told(child, warmup);
  await inRounds(subjects, bench.rounds, async ({ collected, child, server }) => {
    const before = cpuSeconds(server.pid);
    const milliseconds = median(await told(child, changes));
    collected.add({ [last]: milliseconds, [cpu]: ((cpuSeconds(server.pid) - before) * 1000) / changes });
  });
  await Promise.all(subjects.map(({ child }) => child.end()));
  return subjects.map(({ collected }) => collected);
}

async function told(child: ChildProgram, times: number): Promise<number[]> {
  const values: number[] = [];
  for (let time = 0; time < times; time++) values.push(Number(await child.ask('change')));
  return values;
}
