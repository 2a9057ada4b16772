import { applyFleet, Database, DatabaseStore, Leases, migrate, scannersOf } from '@azimuth/fleet/database';
import { Latencies } from '../load/latencies.js';
import { type Bench, Collected, type Measurement } from '../measurement.js';
import { PostgresCluster, postgresPrograms } from '../processes/postgres-cluster.js';
import { inRounds, ratio } from '../statistics.js';

const title =
  'A save of a scanner in PostgreSQL, which checks the owner, and the bare upsert of the same bytes';
const scanners = 1000;
/** As large as the stored parameters of a scanner. */
const documentBytes = 6147;
const name = 'parameters.json';
const log = { info() {}, warn() {}, error() {} };

/** Documents of many scanners, without owners. */
export const bareTable = `CREATE TABLE bare (serial text, name text, content bytea COMPRESSION lz4, PRIMARY KEY (serial, name))`;
export const bareUpsert = {
  name: 'bare-upsert',
  text: `INSERT INTO bare (serial, name, content) VALUES ($1, $2, $3)
    ON CONFLICT (serial, name) DO UPDATE SET content = excluded.content`,
};

interface Subject {
  readonly collected: Collected;
  readonly inFlight: number;
  /** Saves a document of a scanner. */
  readonly save: (serial: string, content: Buffer) => Promise<unknown>;
}

/** Fenced saves and bare upserts, with 1 and 16 in flight, in turns. */
export async function measurePostgres(bench: Bench): Promise<Measurement> {
  if (postgresPrograms() === undefined) {
    const notes = ['left out: PostgreSQL is not installed (Debian: apt-get install postgresql)'];
    return { name: 'postgres', title, rows: [], ratios: [], targets: [], notes };
  }
  const cluster = await PostgresCluster.start();
  const database = new Database({ url: await cluster.database(), log, program: 'azimuth bench' });
  try {
    const { serials, store } = await fleetIn(database);
    await database.query({ name: 'bare-table', text: bareTable });
    const storages = new Map(serials.map((serial) => [serial, store.unit(serial)]));
    const pairs = [1, 16].map((inFlight) => {
      const condition = `${inFlight} in flight`;
      const fenced: Subject = {
        collected: new Collected('fenced save', condition),
        inFlight,
        save: (serial, content) => storages.get(serial)?.write(name, content) ?? Promise.resolve(),
      };
      const bare: Subject = {
        collected: new Collected('bare upsert', condition),
        inFlight,
        save: (serial, content) => database.query(bareUpsert, [serial, name, content]),
      };
      return [fenced, bare] as const;
    });
    const subjects = pairs.flat();
    // The first saves of all insert.
    for (const { save } of pairs[0] ?? []) for (const serial of serials) await save(serial, documentOf(0));
    await inRounds(subjects, bench.rounds, async (subject, round) => {
      const { subject: who, condition } = subject.collected;
      bench.progress(`round ${round + 1} of ${bench.rounds}: ${who}, ${condition}`);
      subject.collected.add(await savesOf(subject, serials, bench.seconds));
    });
    return {
      name: 'postgres',
      title,
      rows: subjects.map(({ collected }) => collected.row),
      ratios: pairs.flatMap(([fenced, bare]) =>
        ['save p50 ms', 'save p99 ms', 'saves/s'].map((figure) => ({
          name: `fenced save to bare upsert, ${fenced.inFlight} in flight: ${figure}`,
          spread: ratio(fenced.collected.values(figure), bare.collected.values(figure)),
        })),
      ),
      targets: [],
      notes: [
        `${documentBytes} bytes, ${scanners} scanners, 16 connections; the server is on the same machine`,
      ],
    };
  } finally {
    await database.close();
    await cluster.remove();
  }
}

async function fleetIn(database: Database): Promise<{ serials: readonly string[]; store: DatabaseStore }> {
  await migrate(database);
  const serials = Array.from({ length: scanners }, (_, index) => String(23_000_001 + index));
  await applyFleet(database, {
    yaml: '',
    files: new Map(),
    scanners: serials.map((serial) => ({ serial, group: 'all' })),
  });
  const leases = new Leases(database, { milliseconds: 3_600_000 });
  await leases.take(1000);
  const shards = new Map((await scannersOf(database)).map(({ serial, shard }) => [serial, shard]));
  const store = new DatabaseStore({
    database,
    owner: leases.owner,
    leaseOf: (serial) => leases.of(shards.get(serial) ?? -1),
    keys: ['a key of the benchmark'],
    log,
  });
  return { serials, store };
}

async function savesOf(
  { save, inFlight }: Subject,
  serials: readonly string[],
  seconds: number,
): Promise<Record<string, number>> {
  const latencies = new Latencies();
  const begun = performance.now();
  const end = begun + seconds * 1000;
  let next = 0;
  const saving = async () => {
    while (performance.now() < end) {
      next++;
      const content = documentOf(next);
      const sent = performance.now();
      await save(serials[next % serials.length] ?? '', content);
      latencies.add(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, saving));
  const elapsed = (performance.now() - begun) / 1000;
  return {
    'save p50 ms': latencies.quantile(0.5),
    'save p99 ms': latencies.quantile(0.99),
    'saves/s': latencies.total / elapsed,
  };
}

/** JSON that differs each time, as that of parameters does. */
function documentOf(number: number): Buffer {
  let text = `{"written":${number}`;
  for (let index = 0; text.length < documentBytes; index++)
    text += `,"Parameter${index}":${(((number + index) * 2654435761) % 100_000) / 100}`;
  return Buffer.from(text.slice(0, documentBytes));
}
