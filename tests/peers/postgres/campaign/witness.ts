import { parametersDocument } from '@azimuth/device/documents';
import { Database } from '@azimuth/fleet/database';
import { latch } from '@azimuth/test-support/waiting';
import { silent } from '../some-fleet.js';

/** ms: the witness waits for a database that is away. */
const repeatFor = 120_000;

/**
 * Triggers that note each save of parameters, and each takeover of a shard, in the transaction that does it. The counter of a
 * save is what was stored in LocationName.
 */
const notes = `
CREATE TABLE saves (id bigserial PRIMARY KEY, at timestamptz DEFAULT clock_timestamp(), serial text, epoch integer,
  number bigint, shard_epoch integer, owner text, counter integer);
CREATE INDEX saves_of_scanner ON saves (serial, id);
CREATE FUNCTION note_save() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO saves (serial, epoch, number, shard_epoch, owner, counter)
  SELECT NEW.serial, NEW.epoch, NEW.number, s.epoch, s.owner,
    substring(convert_from(NEW.content, 'UTF8') FROM '"LocationName":\\s*"(\\d+)"')::integer
  FROM azimuth.scanners u JOIN azimuth.shards s USING (shard) WHERE u.serial = NEW.serial;
  RETURN NULL; END $$;
CREATE TRIGGER note_save AFTER INSERT OR UPDATE ON azimuth.documents FOR EACH ROW
  WHEN (NEW.name = '${parametersDocument}') EXECUTE FUNCTION note_save();
CREATE TABLE takeovers (id bigserial PRIMARY KEY, at timestamptz DEFAULT clock_timestamp(), shard integer, epoch integer,
  owner text, owner_before text, was_free boolean);
CREATE FUNCTION note_takeover() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO takeovers (shard, epoch, owner, owner_before, was_free) VALUES (NEW.shard, NEW.epoch, NEW.owner, OLD.owner,
    OLD.owner IS NULL OR OLD.expires_at <= clock_timestamp());
  RETURN NULL; END $$;
CREATE TRIGGER note_takeover AFTER UPDATE ON azimuth.shards FOR EACH ROW
  WHEN (OLD.epoch IS DISTINCT FROM NEW.epoch OR NEW.owner IS NOT NULL AND OLD.owner IS DISTINCT FROM NEW.owner)
  EXECUTE FUNCTION note_takeover();`;

/** What must not be, and a row for each time that it was. */
const faults: Readonly<Record<string, string>> = {
  'saves of an owner that had lost the shard': 'SELECT * FROM saves WHERE epoch <> shard_epoch',
  'saves that came behind a newer one, or again, or brought back an older value': `SELECT * FROM (
    SELECT *, lag(epoch) OVER each AS epoch_before, lag(number) OVER each AS number_before,
      lag(counter) OVER each AS counter_before, lag(at) OVER each AS before
    FROM saves WINDOW each AS (PARTITION BY serial ORDER BY id)) s
    WHERE (epoch, number) <= (epoch_before, number_before) OR counter < counter_before`,
  // A worker may take its own shard again, in a new epoch: the answer to its first statement was lost.
  'takeovers from another owner whose lease was good':
    'SELECT * FROM takeovers WHERE NOT was_free AND owner IS DISTINCT FROM owner_before',
  'takeovers without an epoch of their own': `SELECT t.* FROM takeovers t
    LEFT JOIN azimuth.epochs e ON e.epoch = t.epoch AND e.shard = t.shard AND e.owner = t.owner WHERE e.epoch IS NULL`,
  'epochs without a takeover, or with several': `SELECT e.*, times FROM azimuth.epochs e
    LEFT JOIN (SELECT epoch, count(*) AS times FROM takeovers GROUP BY epoch) t USING (epoch)
    WHERE t.times IS DISTINCT FROM 1`,
  'epochs that do not rise': `SELECT * FROM (
    SELECT *, lag(began_at) OVER (PARTITION BY shard ORDER BY epoch) AS before FROM azimuth.epochs) e
    WHERE began_at < before`,
};

type Owned = Readonly<{ shard: number; owner: string }>;

/** Sees in the database who owns what, and what was saved. */
export class Witness {
  readonly #database: Database;
  readonly #shards: ReadonlyMap<string, number>;
  /** When the epochs of each shard began: ms since 1970. */
  readonly #began = new Map<number, number[]>();
  #owners: ReadonlyMap<number, string> = new Map();
  #lastEpoch = 0;
  #seenAt = 0;
  #ended = false;
  #looking: Promise<void> = Promise.resolve();
  #next = latch();

  private constructor(database: Database, shards: ReadonlyMap<string, number>) {
    this.#database = database;
    this.#shards = shards;
  }

  /** Before the first worker starts. */
  static async of(url: string): Promise<Witness> {
    const database = new Database({ url, log: silent, program: 'witness', connections: 2 });
    await database.query({ name: '', text: notes });
    const rows = await database.query<{ serial: string; shard: number }>({
      name: 'w-scanners',
      text: 'SELECT serial, shard FROM azimuth.scanners',
    });
    const witness = new Witness(database, new Map(rows.map(({ serial, shard }) => [serial, shard])));
    witness.#looking = witness.#look();
    return witness;
  }

  /** The id of the process that owns a scanner, as far as it was seen. */
  ownerOf(serial: string): number | undefined {
    const owner = this.#owners.get(this.#shards.get(serial) ?? Number.NaN);
    // Host, process id, and a random part.
    return owner === undefined ? undefined : Number(owner.split('-').at(-2));
  }

  /** Has anybody taken the scanner over between these times? It waits until the database can tell. */
  async wasTakenOver(serial: string, from: number, to: number): Promise<boolean> {
    await this.sees(to);
    const began = this.#began.get(this.#shards.get(serial) ?? Number.NaN) ?? [];
    return began.some((at) => at >= from - 5 && at <= to + 5);
  }

  /** Waits until all that was before is seen. */
  async sees(at: number): Promise<void> {
    while (this.#seenAt <= at && !this.#ended) await this.#next.opened;
  }

  /**
   * What must not be, and is: how often, and the first rows of each kind. After a long campaign, that is looked for among
   * millions of rows.
   */
  async faults(url: string): Promise<readonly string[]> {
    const patient = { statementMilliseconds: 600_000 };
    const database = new Database({ url, log: silent, program: 'verdict', connections: 1, ...patient });
    const found: string[] = [];
    for (const [what, text] of Object.entries(faults)) {
      const counting = `SELECT count(*)::integer AS count, (array_agg(to_jsonb(f)))[1:5] AS first FROM (${text}) f`;
      const [row] = await database.query<{ count: number; first: unknown }>({ name: '', text: counting });
      if (row?.count !== 0) found.push(`${row?.count} ${what}: ${JSON.stringify(row?.first)}`);
    }
    await database.close();
    return found;
  }

  async counts(): Promise<Readonly<Record<'saves' | 'takeovers' | 'owners', number>>> {
    const text = `SELECT (SELECT count(*) FROM saves)::integer AS saves, (SELECT count(*) FROM takeovers)::integer AS takeovers,
      (SELECT count(DISTINCT owner) FROM azimuth.epochs)::integer AS owners`;
    const [row] = await this.#database.query<Record<'saves' | 'takeovers' | 'owners', number>>({
      name: '',
      text,
    });
    return row ?? { saves: 0, takeovers: 0, owners: 0 };
  }

  /** The counters that were stored for a scanner, in their order; the last one is what is stored now. */
  async saved(serial: string): Promise<readonly number[]> {
    const text = 'SELECT counter FROM saves WHERE serial = $1 ORDER BY id';
    const rows = await this.#database.query<{ counter: number }>({ name: 'w-saved', text }, [serial]);
    return rows.map(({ counter }) => counter);
  }

  /** How often somebody has taken the shard of a scanner. */
  async takeovers(serial: string): Promise<number> {
    const text = 'SELECT count(*)::integer AS count FROM azimuth.epochs WHERE shard = $1';
    const shard = this.#shards.get(serial);
    const [row] = await this.#database.query<{ count: number }>({ name: 'w-takeovers', text }, [shard]);
    return row?.count ?? 0;
  }

  /** The last saves of a scanner and the last epochs of its shard, in lines. */
  async history(serial: string): Promise<string> {
    const shard = this.#shards.get(serial);
    const lines = `SELECT line FROM (
        (SELECT at, format('%s save of %s, epoch %s, number %s, by %s', at, counter, epoch, number, owner) AS line
          FROM saves WHERE serial = $1 ORDER BY id DESC LIMIT 20)
        UNION ALL
        (SELECT at, format('%s epoch %s, %s after %s', at, epoch, owner, owner_before) FROM takeovers
          WHERE shard = $2 ORDER BY id DESC LIMIT 20)) l ORDER BY at`;
    const rows = await this.#database.query<{ line: string }>(
      { name: 'w-history', text: lines },
      [serial, shard],
      { repeatFor: 10_000 },
    );
    return rows.map(({ line }) => line).join('\n');
  }

  async close(): Promise<void> {
    this.#ended = true;
    this.#toldAll();
    await this.#looking;
    await this.#database.close();
  }

  #toldAll(): void {
    this.#next.open();
    this.#next = latch();
  }

  async #look(): Promise<void> {
    while (!this.#ended) {
      const at = Date.now();
      const epochs = await this.#query<{ epoch: number; shard: number; at: number }>(
        `SELECT epoch, shard, extract(epoch FROM began_at)::float8 * 1000 AS at FROM azimuth.epochs
        WHERE epoch > $1::integer - 1000 ORDER BY epoch`,
        [this.#lastEpoch],
      );
      const owners = await this.#query<Owned>(
        'SELECT shard, owner FROM azimuth.shards WHERE owner IS NOT NULL AND expires_at > clock_timestamp()',
      );
      if (epochs === undefined || owners === undefined) continue;
      for (const { epoch, shard, at: began } of epochs) {
        const all = this.#began.get(shard) ?? [];
        if (!all.includes(began)) this.#began.set(shard, [...all, began].slice(-50));
        this.#lastEpoch = Math.max(this.#lastEpoch, epoch);
      }
      this.#owners = new Map(owners.map(({ shard, owner }) => [shard, owner]));
      this.#seenAt = at;
      this.#toldAll();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** @returns undefined if it was ended while the database was away */
  async #query<R extends Record<string, unknown>>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<readonly R[] | undefined> {
    try {
      return await this.#database.query<R>({ name: '', text }, values, { repeatFor });
    } catch (error) {
      if (this.#ended) return undefined;
      throw error;
    }
  }
}
