import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@azimuth/fleet/database';
import pg from 'pg';
import { Latencies } from '../load/latencies.js';

const table = `CREATE TABLE IF NOT EXISTS bare
  (serial text, name text, content bytea COMPRESSION lz4, PRIMARY KEY (serial, name))`;
const upsert = {
  name: 'bare-upsert',
  text: `INSERT INTO bare (serial, name, content) VALUES ($1, $2, $3)
    ON CONFLICT (serial, name) DO UPDATE SET content = excluded.content`,
};

interface Saved {
  readonly serial: string;
  readonly content: Buffer;
}

/** What saves cost at least: a plain client that writes the same bytes into a table of its own, with no owner and no lease. */
export class BareUpserts {
  readonly #client: pg.Client;
  readonly #saved: readonly Saved[];
  #turn = 0;

  private constructor(client: pg.Client, saved: readonly Saved[]) {
    this.#client = client;
    this.#saved = saved;
  }

  /** @param database in which scanners have saved their parameters */
  static async open(url: string, database: Database): Promise<BareUpserts> {
    const saved = await database.query<{ serial: string; content: Buffer }>({
      name: 'saved-parameters',
      text: `SELECT serial, content FROM azimuth.documents WHERE name = 'parameters.json' AND content IS NOT NULL LIMIT 500`,
    });
    if (saved.length === 0) throw new Error('no scanner has saved anything');
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(table);
    const upserts = new BareUpserts(client, saved);
    await upserts.measure(0.5);
    return upserts;
  }

  async measure(seconds: number): Promise<Record<string, number>> {
    const latencies = new Latencies();
    const until = performance.now() + seconds * 1000;
    while (performance.now() < until) {
      const one = this.#saved[this.#turn++ % this.#saved.length];
      if (one === undefined) break;
      const sent = performance.now();
      await this.#client.query({ ...upsert, values: [one.serial, 'parameters.json', one.content] });
      latencies.add(performance.now() - sent);
    }
    return { 'p50 ms': latencies.quantile(0.5), 'p99 ms': latencies.quantile(0.99) };
  }

  close(): Promise<void> {
    return this.#client.end();
  }
}

/** Transactions of this database that are committed, without this question. */
export async function statementsIn(database: Database): Promise<number> {
  // Processes report what they have done after a second without work, at the latest.
  await pause(1500);
  const [row] = await database.query<{ count: number }>({
    name: 'commits',
    text: 'SELECT xact_commit::float8 AS count FROM pg_stat_database WHERE datname = current_database()',
  });
  return row?.count ?? Number.NaN;
}
