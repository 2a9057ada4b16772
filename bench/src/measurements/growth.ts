import { startScanner, variablePath } from '../compared-servers.js';
import { get } from '../loads.js';
import { type Bench, Collected, type Measurement } from '../measurement.js';
import { runMicrobenchmark } from '../microbenchmark.js';
import { cpuSeconds } from '../proc.js';
import { ChildProgram, program } from '../processes/child-program.js';
import { cores } from '../processes/children.js';
import { freePort } from '../processes/free-port.js';
import { inRounds } from '../statistics.js';
import { Receiver } from '../streams/receiver.js';

/** Equals the largest number of scanners. */
const receivers = 90;
const subscribers = [10, 100, 1000] as const;
const clients = [10, 100, 1000] as const;
/** Events a round for each second of a load; each change of the value is one for every subscriber. */
const eventsPerSecond = 20_000;

const cost = 'CPU µs';

/** Growth of the cost of one unit with the tasks of a scanner, at three sizes each. */
export async function measureGrowth(bench: Bench): Promise<Measurement> {
  const rows = [
    ...(await costsInside(bench)),
    ...(await costsOfSubscribers(bench)),
    ...(await costsOfClients(bench)),
  ];
  return {
    name: 'growth',
    title: 'How costs grow: CPU time of one unit at three sizes',
    rows: rows.map(({ row }) => row),
    ratios: [],
    targets: [],
    notes: [
      'scanners: 50 Hz, 0.25°, as Compact over UDP, on a virtual clock; scans with noise and echoes',
      'connected clients: each has one connection, and all read one after the other',
      'subscribers: a change of a value, until each subscriber has its event: CPU time of one event',
    ],
  };
}

/** Measurements of one process without network peers except receivers. */
async function costsInside({ rounds, seconds, progress }: Bench): Promise<Collected[]> {
  progress(`${rounds} rounds in one process`);
  const receiver = await Receiver.start(receivers);
  const milliseconds = String((seconds * 1000) / 4);
  const command = program('growth', String(rounds), milliseconds, ...receiver.ports.map(String));
  const all = await runMicrobenchmark(command, cost);
  await receiver.end();
  return all;
}

async function costsOfSubscribers(bench: Bench): Promise<Collected[]> {
  const control = await freePort();
  const server = await startScanner(bench, `growth-${control}`, ['--control-port', String(control)]);
  const change = `http://127.0.0.1:${control}/temperature`;
  const address = `ws://127.0.0.1:${server.port}/apievents`;
  const costs: Collected[] = [];
  for (const count of subscribers) {
    // A server with 1000 subscribers would tell them of the changes for 10, too: each has its turn alone.
    const command = program('subscribers', address, change, String(count));
    const child = await ChildProgram.start({ core: cores.load, command });
    const collected = new Collected('subscribers: an event', String(count));
    const costOf = async () => {
      const changes = Math.max(1, Math.round((eventsPerSecond * bench.seconds) / count));
      const before = cpuSeconds(server.pid);
      for (let time = 0; time < changes; time++) await child.ask('change');
      return ((cpuSeconds(server.pid) - before) * 1e6) / (changes * count);
    };
    await costOf();
    for (let round = 0; round < bench.rounds; round++) {
      bench.progress(`round ${round + 1} of ${bench.rounds}: ${count} subscribers`);
      collected.add({ [cost]: await costOf() });
    }
    await child.end();
    costs.push(collected);
  }
  await server.end();
  return costs;
}

async function costsOfClients(bench: Bench): Promise<Collected[]> {
  const server = await startScanner(bench, 'growth-clients');
  const body = await server.get(variablePath);
  const costOf = async (connections: number) => {
    const extent = { connections, seconds: bench.seconds };
    const { serverCpu, operations } = await get(bench, server, { paths: [variablePath], body }, extent);
    return (serverCpu * 1e6) / operations;
  };
  // The first load compiles the code, and does not count.
  await costOf(16);
  const turns = clients.map((count) => ({
    count,
    collected: new Collected('connected clients: a read', String(count)),
  }));
  await inRounds(turns, bench.rounds, async ({ count, collected }, round) => {
    bench.progress(`round ${round + 1} of ${bench.rounds}: ${count} connected clients`);
    collected.add({ [cost]: await costOf(count) });
  });
  await server.end();
  return turns.map(({ collected }) => collected);
}
