import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { azimuth } from '@azimuth/test-support/command-process';
import { temporaryFolder } from '@azimuth/test-support/files';
import { FleetProcess } from '@azimuth/test-support/fleet-process';
import { PostgresCluster } from '@azimuth/test-support/postgres-cluster';
import { SeededRandom } from '@azimuth/test-support/seeded-random';
import { until } from '@azimuth/test-support/waiting';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Disturber } from './campaign/disturber.js';
import { Recoveries } from './campaign/recoveries.js';
import { Witness } from './campaign/witness.js';
import { residentMegabytes, WorkerSlot } from './campaign/worker-slot.js';
import { WrittenScanner } from './campaign/written-scanner.js';

const shortKills = 4;
const kills = Number(process.env.AZIMUTH_FLEET_KILLS ?? shortKills);
const stops = Number(process.env.AZIMUTH_FLEET_STOPS ?? Math.ceil(kills / 20));
const seed = Number(process.env.AZIMUTH_FUZZ_SEED ?? Date.now() % 1_000_000);
const isLong = kills > shortKills;
const extent = { kill: kills, database: stops, pause: Math.ceil(kills / 4), drain: Math.ceil(kills / 10) };

const scannerCount = isLong ? 60 : 24;
const workerCount = 3;
const gatewayCount = 2;
/** s. */
const lease = 2;
/** ms after which a scanner counts as lost. */
const lostAfter = 60_000;
/** s: of each kill on average, and of each stop of the database; with a lot to spare. */
const timeout = 120 + kills * 12 + stops * 60;

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await PostgresCluster.start();
});
afterAll(() => cluster.remove());

test(
  `a fleet whose workers are killed and paused, and whose database is stopped, loses no save (seed ${seed})`,
  async () => {
    const random = new SeededRandom(String(seed));
    const url = await cluster.database();
    const environment = { AZIMUTH_STORE: url, AZIMUTH_FLEET_KEY: 'a key of the campaign' };
    await azimuth(['fleet', 'migrate'], undefined, environment);
    const file = join(temporaryFolder(), 'fleet.yaml');
    writeFileSync(
      file,
      `groups: {hall: {count: ${scannerCount}, serial: "23####", parameters: {LocationName: "0"}}}`,
    );
    await azimuth(['fleet', 'apply', file], undefined, environment);
    const witness = await Witness.of(url);
    const gateways = await Promise.all(
      Array.from({ length: gatewayCount }, () => FleetProcess.gateway(environment)),
    );
    const memoryBefore = gateways.map(({ child }) => residentMegabytes(child.pid));
    const recoveries = new Recoveries();
    const slots = Array.from(
      { length: workerCount },
      () =>
        new WorkerSlot(
          () => FleetProcess.worker(environment, '--lease', String(lease)),
          (what) => recoveries.note(what),
        ),
    );
    let disturber: Disturber | undefined;
    const scanners = Array.from(
      { length: scannerCount },
      (_, index) =>
        new WrittenScanner(String(230_001 + index), {
          gateways: gateways.map((gateway) => gateway.url),
          witness,
          recoveries,
          random,
          saving: (serial) => disturber?.saving(serial),
        }),
    );
    disturber = new Disturber({ recoveries, cluster, slots, scanners, witness, random, lease: lease * 1000 });
    let isWritingOver = false;
    let isOver = false;
    const failures: string[] = [];
    const fail = async (error: unknown, scanner?: WrittenScanner) => {
      isWritingOver = true;
      isOver = true;
      const rows = scanner && (await witness.history(scanner.serial).catch(String));
      failures.push(
        [
          `seed ${seed}: ${scanner?.serial ?? ''}: ${error}`,
          ...(scanner?.history ?? []),
          ...recoveries.disturbances,
          rows,
        ].join('\n'),
      );
    };
    const working = slots.map((slot) => slot.run(() => isOver).catch((error: unknown) => fail(error)));
    const writing = scanners.map((scanner) =>
      scanner.run(() => isWritingOver).catch((error: unknown) => fail(error, scanner)),
    );
    const watching = setInterval(() => {
      const lost = scanners.find(({ away }) => away > lostAfter);
      if (lost !== undefined && !isOver) void fail(`it was not back after ${lostAfter / 1000} s`, lost);
      for (const { child, log } of gateways)
        if (!isOver && child.exitCode !== null) void fail(`a gateway has ended: ${log.text.slice(-2000)}`);
    }, 1000);
    const reporting = setInterval(
      () =>
        process.stderr.write(
          `${JSON.stringify(disturber?.done)} of ${JSON.stringify(extent)}, gateways ${gateways.map(({ child }) => residentMegabytes(child.pid))} MB\n`,
        ),
      60_000,
    );
    const began = performance.now();
    const allSave = () => savedOnceMore(scanners, () => isOver, fail);
    await allSave();
    await disturber.run(extent, () => isOver);
    const seconds = Math.round((performance.now() - began) / 1000);
    // All come back, and save once more.
    await allSave();
    isWritingOver = true;
    await Promise.all(writing);
    const { database: stopped } = disturber.done;
    if (failures.length === 0)
      await Promise.all(
        scanners.map((scanner) =>
          scanner.compareWithDatabase(stopped).catch((error: unknown) => fail(error, scanner)),
        ),
      );
    clearInterval(watching);
    clearInterval(reporting);
    const workers = slots.flatMap(({ current }) => residentMegabytes(current?.child.pid) ?? []);
    const memory = gateways.map(({ child }) => residentMegabytes(child.pid));
    process.stderr.write(
      `${[...recoveries.lines, ...recoveries.late, ...failures, 'now what the database has noted'].join('\n')}\n`,
    );
    const faults = await witness.faults(url);
    const counts = await witness.counts();
    isOver = true;
    for (const slot of slots) slot.end('SIGKILL');
    await Promise.all(working);
    await witness.close();
    const sum = (of: (scanner: WrittenScanner) => number) =>
      scanners.reduce((all, scanner) => all + of(scanner), 0);
    const { kill, drain, pause, database } = disturber.done;
    process.stdout.write(
      `${[
        `seed ${seed}, ${seconds} s: ${kill} kills, ${drain} drains, ${pause} pauses, ${database} stops of the database`,
        `${sum(({ attempts }) => attempts)} saves sent, ${sum(({ acknowledged }) => acknowledged.length)} acknowledged and compared; ${sum(({ unanswered }) => unanswered)} requests without an answer, ${sum(({ refusals }) => refusals)} refused`,
        `${counts.saves} saves in the database, ${counts.takeovers} takeovers by ${counts.owners} workers; ${faults.length === 0 ? 'none stale, no lease taken that was good' : faults.join(', ')}`,
        ...recoveries.lines,
        `${recoveries.again} times a scanner was hit again before it was back`,
        `${recoveries.late.length} times a scanner came back later than wanted`,
        ...recoveries.late.slice(0, 5),
        `memory: gateways ${memoryBefore} MB at the start, ${memory} MB at the end; workers ${workers} MB at the end`,
      ].join('\n')}\n`,
    );
    expect(failures.join('\n\n')).toBe('');
    expect(faults, `seed ${seed}`).toEqual([]);
    if (isLong) expect(recoveries.late, `seed ${seed}`).toEqual([]);
    expect(kill).toBeGreaterThanOrEqual(kills);
    expect(sum(({ acknowledged }) => acknowledged.length)).toBeGreaterThan(scannerCount * 2);
  },
  timeout * 1000,
);

/** Waits until each scanner has saved once more, and that was compared. */
async function savedOnceMore(
  scanners: readonly WrittenScanner[],
  isOver: () => boolean,
  fail: (error: unknown, scanner: WrittenScanner) => Promise<void>,
): Promise<void> {
  const before = new Map(scanners.map((scanner) => [scanner, scanner.acknowledged.length]));
  const missing = () => scanners.find((scanner) => scanner.acknowledged.length <= (before.get(scanner) ?? 0));
  try {
    await until(() => isOver() || missing() === undefined, lostAfter);
  } catch (error) {
    const lost = missing();
    if (lost === undefined) return;
    await fail(error, lost);
  }
}
