import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from '../bench.js';
import { objectIn, parse, stringIn } from '../json.js';
import { get } from '../loads.js';
import { Server } from '../processes/server.js';
import { Collected, type Measurement } from '../result.js';
import { installRivals, prismProgram } from '../rivals.js';
import { inRounds } from '../rounds.js';
import { ratio } from '../statistics.js';
import { ours, startScanner, variable, variablePath } from '../subjects.js';
import { compareThroughput, ratiosOf, type Subject } from './throughput.js';

const title = `Prism, which serves a mock of our own OpenAPI description: GET ${variablePath}`;
const startFigure = 'first answer ms';

type Starter = readonly [name: string, start: () => Promise<Server>];

/** What somebody would take who needs no more than the description: start, memory and reads. */
export async function measurePrism(bench: Bench): Promise<Measurement> {
  const problem = installRivals(bench.progress);
  if (problem !== undefined) {
    const notes = [`left out: Prism could not be installed (${problem})`];
    return { name: 'prism', title, rows: [], ratios: [], targets: [], notes };
  }
  const starters = await startersOf(bench);
  const starts = await measureStarts(bench, starters);
  const servers: Server[] = [];
  for (const [, start] of starters) servers.push(await start());
  const subjects: Subject[] = [];
  for (const server of servers) subjects.push(await subjectOf(bench, server));
  const found = await compareThroughput(bench, subjects, [1, 16]);
  const loaded = servers.map((server) => {
    const collected = new Collected(server.name, 'after load');
    collected.add({ 'resident MB': server.memory.resident, 'peak MB': server.memory.peak });
    return collected.row;
  });
  await Promise.all(servers.map((server) => server.end()));
  return {
    name: 'prism',
    title,
    rows: [...starts.rows, ...loaded, ...found.rows],
    ratios: [...starts.ratios, ...ratiosOf(found.comparisons)],
    targets: [],
    notes: [
      'Prism checks no login, forgets every write and sends no events: speed is not the main difference',
      'with NODE_ENV=production Prism is two processes: memory and CPU time are those of both',
      ...found.notes,
    ],
  };
}

/** The scanner, and Prism as it comes and as a container would run it. */
async function startersOf(bench: Bench): Promise<readonly Starter[]> {
  const scanner = await startScanner(bench, 'prism');
  const description = join(bench.folder, 'openapi.json');
  writeFileSync(description, await scanner.get('/openapi.json'));
  await scanner.end();
  const startPrism = (name: string, env: Readonly<Record<string, string>>) => () =>
    Server.start(bench, {
      name,
      command: (port) => [
        process.execPath,
        prismProgram,
        'mock',
        '--host',
        '127.0.0.1',
        '--port',
        String(port),
        description,
      ],
      path: variablePath,
      env,
    });
  return [
    [ours, () => startScanner(bench, 'prism')],
    ['Prism', startPrism('Prism', {})],
    ['Prism, production', startPrism('Prism, production', { NODE_ENV: 'production' })],
  ];
}

async function measureStarts(bench: Bench, starters: readonly Starter[]) {
  const turns = starters.map(([name, start]) => ({ collected: new Collected(name, 'start'), start }));
  await inRounds(turns, bench.rounds, async ({ collected, start }, round) => {
    bench.progress(`start ${round + 1} of ${bench.rounds}: ${collected.subject}`);
    const server = await start();
    collected.add({ [startFigure]: server.firstAnswer, 'first MB': server.memory.resident });
    await server.end();
  });
  const [first, ...others] = turns.map(({ collected }) => collected);
  if (first === undefined) throw new Error('there is nobody to compare');
  return {
    rows: [first, ...others].map(({ row }) => row),
    ratios: others.map((other) => ({
      name: `${other.subject} to ${first.subject}: ${startFigure}`,
      spread: ratio(other.values(startFigure), first.values(startFigure)),
    })),
  };
}

/** Each answers in words of its own; what it answered first is what has to come each time. */
async function subjectOf(bench: Bench, server: Server): Promise<Subject> {
  const body = await server.get(variablePath);
  stringIn(objectIn(parse(body), 'data'), variable);
  return {
    server,
    load: (connections, seconds) =>
      get(bench, server, { path: variablePath, body }, { connections, seconds }),
  };
}
