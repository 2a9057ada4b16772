import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isObject } from '../json.js';
import { atMost, type Bench, Collected, type Measurement } from '../measurement.js';
import { cpuSeconds } from '../proc.js';
import { root } from '../processes/child-program.js';
import { Server } from '../processes/server.js';

const name = 'azimuth fleet';
const adopted = 1000;
const firstSerial = 23_450_001;
/** Of the scanners that stand for real ones: each has an address of its own. */
const firstAddress = '127.20.0.1';
const addressOf = (index: number) => `127.20.${Math.floor((index + 1) / 256)}.${(index + 1) % 256}`;
/** Registrations for events are 200 ms apart: after this many seconds, all of them are over. */
const settlingSeconds = 240;
/** Between two looks at a scanner with events pass five minutes: in this time, 400 of them are asked. */
const restSeconds = 120;
const mostSecondsUntilOnline = 120;

const untilOnline = 'all online s';
const resident = 'resident MB';
const peak = 'peak MB';
const busy = 'at rest: % of a core';

/** 1000 scanners that a fleet has adopted, with scanners of another process in their place: memory and CPU time at rest. */
export async function measureFleetAdopted(bench: Bench): Promise<Measurement> {
  const collected = new Collected(name, `${adopted} adopted scanners with events`);
  bench.progress(`${collected.condition}: takes ${(settlingSeconds + restSeconds) / 60} minutes`);
  collected.add(await figuresOf(bench));
  return {
    name: 'fleet-adopted',
    title: 'Real scanners that a fleet has adopted',
    rows: [collected.row],
    ratios: [],
    targets: [
      atMost('1000 adopted scanners', 'MB', 150, collected.median(resident)),
      atMost('1000 adopted scanners at rest', '% of a core', 5, collected.median(busy)),
    ],
    notes: [],
  };
}

async function figuresOf(bench: Bench): Promise<Record<string, number>> {
  const devices = await start(bench, 'devices', {
    count: adopted,
    serial: '########',
    first: firstSerial,
    address: firstAddress,
    'as-device': true,
  });
  const urls = Object.fromEntries(
    Array.from({ length: adopted }, (_, index) => [
      String(firstSerial + index),
      `http://${addressOf(index)}:8080`,
    ]),
  );
  const began = performance.now();
  const fleet = await start(bench, 'adopting', { urls });
  while ((await onlineIn(fleet)) < adopted) {
    if (performance.now() - began > mostSecondsUntilOnline * 1000)
      throw new Error(`only ${await onlineIn(fleet)} scanners are online`);
    await pause(500);
  }
  const online = (performance.now() - began) / 1000;
  await pause(settlingSeconds * 1000);
  const before = cpuSeconds(fleet.pid);
  await pause(restSeconds * 1000);
  const share = ((cpuSeconds(fleet.pid) - before) / restSeconds) * 100;
  const { memory } = fleet;
  const left = await onlineIn(fleet);
  if (left < adopted) throw new Error(`only ${left} scanners are still online`);
  await fleet.end();
  await devices.end();
  return { [untilOnline]: online, [resident]: memory.resident, [peak]: memory.peak, [busy]: share };
}

/** Starts a fleet with one group. */
function start(bench: Bench, group: string, members: Readonly<Record<string, unknown>>): Promise<Server> {
  const file = join(bench.folder, `${group}.yaml`);
  writeFileSync(file, JSON.stringify({ groups: { [group]: members } }));
  const command = join(root, 'packages', 'cli', 'bin', 'azimuth.js');
  const words = ['fleet', 'run', file, '--json', '--data', join(bench.folder, group)];
  return Server.start(bench, {
    name: `${name} ${group}`,
    command: (port) => [process.execPath, command, ...words, '--port', String(port)],
    path: '/fleet',
  });
}

async function onlineIn(fleet: Server): Promise<number> {
  const overview: unknown = JSON.parse(await fleet.get('/fleet'));
  const states = isObject(overview) ? overview.states : undefined;
  return isObject(states) && typeof states.online === 'number' ? states.online : 0;
}
