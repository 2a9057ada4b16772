import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ours, startScanner, variable, variablePath } from '../compared-servers.js';
import { objectIn, parse, stringIn } from '../json.js';
import { get } from '../loads.js';
import { type Bench, Collected, type Measurement } from '../measurement.js';
import { root } from '../processes/child-program.js';
import { Server } from '../processes/server.js';
import { inRounds, ratio } from '../statistics.js';
import { compareThroughput, ratiosOf, type Subject } from './throughput.js';

const title = `Prism, which serves a mock of our own OpenAPI description: GET ${variablePath}`;
const startFigure = 'first answer ms';

type Starter = readonly [name: string, start: () => Promise<Server>];

/** A mock of the published description as the alternative: start, memory and reads. */
export async function measurePrism(bench: Bench): Promise<Measurement> {
  const problem = installPrism(bench.progress);
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

/** The scanner, and Prism with its defaults and as a container runs it. */
async function startersOf(bench: Bench): Promise<readonly Starter[]> {
  const scanner = await startScanner(bench, 'prism');
  const description = join(bench.folder, 'openapi.json');
  writeFileSync(description, await scanner.get('/openapi.json'));
  await scanner.end();
  const production = 'Prism, production';
  return [
    [ours, () => startScanner(bench, 'prism')],
    ['Prism', () => startPrism(bench, description)],
    [production, () => startPrism(bench, description, production, { NODE_ENV: 'production' })],
  ];
}

/** Prism as a mock of an OpenAPI description. @param description path of its file */
export function startPrism(
  bench: Bench,
  description: string,
  name = 'Prism',
  env: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const mock = [process.execPath, prismProgram, 'mock', '--host', '127.0.0.1'];
  const command = (port: number) => [...mock, '--port', String(port), description];
  return Server.start(bench, { name, command, path: variablePath, env });
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

/** The replies of the servers differ. Every reply has to equal the first one of its server. */
async function subjectOf(bench: Bench, server: Server): Promise<Subject> {
  const body = await server.get(variablePath);
  stringIn(objectIn(parse(body), 'data'), variable);
  return {
    server,
    load: (connections, seconds) =>
      get(bench, server, { paths: [variablePath], body }, { connections, seconds }),
  };
}

const folder = join(root, 'bench', 'prism');
const lock = join(folder, 'package-lock.json');
const stamp = join(folder, 'node_modules', '.installed');

/** Prism's program. */
export const prismProgram = join(folder, 'node_modules', '@stoplight', 'prism-cli', 'dist', 'index.js');

/** Installs Prism unless it is installed. Returns undefined, or why that failed. */
export function installPrism(progress: (text: string) => void): string | undefined {
  const wanted = readFileSync(lock, 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return undefined;
  progress('installing Prism');
  const { status, error, stderr } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    encoding: 'utf8',
    // With the variables of `npm run`, npm would install into the root of the repository.
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))),
    shell: process.platform === 'win32',
  });
  if (error !== undefined) return error.message;
  if (status !== 0) return stderr.trim().split('\n').slice(-3).join(' ');
  writeFileSync(stamp, wanted);
  return undefined;
}
