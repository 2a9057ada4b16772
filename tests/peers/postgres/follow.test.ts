import type { ScannerFacts } from '@azimuth/fleet';
import { applyFleet, shardOf } from '@azimuth/fleet/database';
import { Worker } from '@azimuth/fleet/worker';
import { readyScene } from '@azimuth/simulation/world';
import { PostgresCluster } from '@azimuth/test-support/postgres-cluster';
import { until } from '@azimuth/test-support/waiting';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { fleetIn, key, nameIn, open, serialsFrom, silent } from './some-fleet.js';

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await PostgresCluster.start();
});
afterAll(() => cluster.remove());

const scene = readyScene('empty-room');
const shards = 4;
const serials = serialsFrom(23_000_001, 12);
const [first = ''] = serials;
const isBeside = (serial: string) => shardOf(serial, shards) === shardOf(first, shards);
/** One in the shard of the first one, and one in another. */
const second = serials.slice(1).find(isBeside) ?? '';
const other = serials.find((serial) => !isBeside(serial)) ?? '';

function scanner(serial: string, group = 'hall'): ScannerFacts {
  return { serial, group, variant: 'full', scene, seed: 0, parameters: {} };
}

/** A worker in this process, and what its fleet should be. @param log gets the messages that are not errors */
async function following(
  url: string,
  capacity = 100,
  log: (message: string, facts: unknown) => void = () => {},
) {
  const fleets = new Map<string, readonly ScannerFacts[]>();
  const [database, forLeases] = [open(url), open(url, { connections: 2 })];
  const worker = await Worker.start({
    ...{ database, forLeases, keys: [key], url: 'http://127.0.0.1:1', capacity },
    log: { ...silent, info: log, warn: log },
    ...{ leaseMilliseconds: 2000, maxConnections: 64, bootMilliseconds: 100 },
    read: async ({ yaml }) => fleets.get(yaml) ?? [],
  });
  onTestFinished(async () => {
    await worker.close();
    await Promise.all([database.close(), forLeases.close()]);
  });
  const running = () =>
    [...worker.fleet.scanners.values()].map(({ facts }) => `${facts.serial} ${facts.group}`);
  return {
    worker,
    async apply(yaml: string, ...scanners: readonly ScannerFacts[]) {
      fleets.set(yaml, scanners);
      await applyFleet(database, { yaml, files: new Map(), scanners });
    },
    /** Waits until exactly these run. */
    async runs(...wanted: readonly ScannerFacts[]) {
      const listed = wanted.map(({ serial, group }) => `${serial} ${group}`).toSorted();
      await expect.poll(() => running().toSorted()).toEqual(listed);
    },
  };
}

/** A fleet of which power-ons cannot be counted while their scanners are in the table `failing`. */
async function failingFleet(): Promise<string> {
  const url = await fleetIn(cluster, serials, shards);
  await cluster.sql(
    `CREATE TABLE failing (serial text);
    CREATE SEQUENCE tries;
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF EXISTS (SELECT FROM failing WHERE serial = NEW.serial) THEN
        PERFORM nextval('tries');
        RAISE 'no room';
      END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER fail BEFORE INSERT ON azimuth.power_ons FOR EACH ROW EXECUTE FUNCTION fail();`,
    nameIn(url),
  );
  return url;
}

test('scanners that a power cycle has left off are switched on when the database takes it again, and no others', async () => {
  const url = await failingFleet();
  const { apply, runs, worker } = await following(url);
  await apply('one', scanner(first), scanner(second), scanner(other));
  await runs(scanner(first), scanner(second), scanner(other));
  const { fleet } = worker;
  await cluster.sql(`INSERT INTO failing VALUES ('${first}')`, nameIn(url));
  await fleet.switchOff(fleet.virtualMatching(second));
  const cycled = [first, other].flatMap((serial) => fleet.virtualMatching(serial));
  await expect(fleet.powerCycle(cycled)).rejects.toThrow('no room');
  expect(fleet.states).toMatchObject({ off: 3 });
  await until(async () => Number(await cluster.sql('SELECT last_value FROM tries', nameIn(url))) > 2);
  await cluster.sql('DELETE FROM failing', nameIn(url));
  await until(() => fleet.states.off === 1);
  expect(fleet.scanners.get(second)?.state).toBe('off');
});

test('a power-on that fails keeps no other shard waiting, and is made good when the database takes it again', async () => {
  const url = await failingFleet();
  const { apply, runs } = await following(url);
  await apply('one', scanner(first), scanner(second), scanner(other));
  await runs(scanner(first), scanner(second), scanner(other));
  await cluster.sql(`INSERT INTO failing VALUES ('${first}')`, nameIn(url));
  const next = [scanner(first, 'gate'), scanner(other, 'gate')];
  await apply('two', ...next);
  // The first one is off, and is tried more than once.
  await runs(scanner(other, 'gate'));
  await until(async () => Number(await cluster.sql('SELECT last_value FROM tries', nameIn(url))) > 1);
  await cluster.sql('DELETE FROM failing', nameIn(url));
  await runs(...next);
  await apply('three', scanner(other, 'gate'));
  await runs(scanner(other, 'gate'));
});

test('a worker says that all workers together are too small for the fleet, and when they are not any more', async () => {
  const said: string[] = [];
  const note = (message: string, facts: unknown) => said.push(`${message} ${JSON.stringify(facts)}`);
  const { apply } = await following(await fleetIn(cluster, serials, shards), 11, note);
  const hasSaid = (text: string) => expect.poll(() => said.join('\n')).toContain(text);
  await hasSaid('start more workers, or raise --capacity {"scanners":12,"capacity":11,"workers":1}');
  await apply('fewer', ...serials.slice(1).map((serial) => scanner(serial)));
  await hasSaid('can run all scanners of the fleet {"scanners":11,"capacity":11,"workers":1}');
});
