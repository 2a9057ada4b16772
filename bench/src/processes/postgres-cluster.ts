import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chown, mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './child-program.js';
import { freePort } from './free-port.js';

const execute = promisify(execFile);

/** The user who runs the server if this process is root, which PostgreSQL refuses to be run by. Debian's package makes it. */
const unprivileged = 'postgres';

/** Folders in which Debian has the programs of the server, one for each version. */
const versions = '/usr/lib/postgresql';

/** The folder with `initdb` and `pg_ctl`; undefined if PostgreSQL is not installed. */
export function postgresPrograms(): string | undefined {
  const debian = existsSync(versions)
    ? readdirSync(versions)
        .toSorted((one, other) => Number(other) - Number(one))
        .map((version) => join(versions, version, 'bin'))
    : [];
  const folders = [...debian, ...(process.env.PATH ?? '').split(delimiter)];
  return folders.find((folder) => ['initdb', 'pg_ctl'].every((name) => existsSync(join(folder, name))));
}

/** A PostgreSQL server of its own, on a free port of loopback, with data that go with it. */
export class PostgresCluster {
  readonly port: number;
  readonly #programs: string;
  readonly #folder: string;
  readonly #settings: readonly string[];
  #databases = 0;

  private constructor(programs: string, folder: string, port: number, settings: readonly string[]) {
    this.#programs = programs;
    this.#folder = folder;
    this.port = port;
    this.#settings = settings;
  }

  /** @param settings of the server, as `work_mem=4MB` */
  static async start(settings: readonly string[] = []): Promise<PostgresCluster> {
    const programs = postgresPrograms();
    if (programs === undefined) throw new Error('PostgreSQL is not installed: no initdb found');
    const folder = await mkdtemp(join(tmpdir(), 'azimuth-postgres-'));
    if (process.getuid?.() === 0) {
      const [uid, gid] = await Promise.all(
        ['-u', '-g'].map(async (which) => Number((await execute('id', [which, unprivileged])).stdout)),
      );
      if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid);
    }
    const cluster = new PostgresCluster(programs, folder, await freePort(), settings);
    await cluster.#makeData();
    await cluster.start();
    return cluster;
  }

  /** A new database: an empty one, or a copy of another one that nobody is connected to. */
  async database(copied = 'template1'): Promise<string> {
    this.#databases++;
    const name = `test_${this.#databases}`;
    await this.sql(`CREATE DATABASE ${name} TEMPLATE ${copied}`);
    return this.url(name);
  }

  url(database: string, user = 'postgres'): string {
    return `postgres://${user}@127.0.0.1:${this.port}/${database}`;
  }

  /** Runs SQL as the superuser. */
  async sql(text: string, database = 'postgres'): Promise<string> {
    const { stdout } = await this.#run('psql', [
      ...['-h', '127.0.0.1', '-p', String(this.port), '-U', 'postgres', '-d', database],
      ...['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-c', text],
    ]);
    return stdout.trim();
  }

  async start(): Promise<void> {
    const options = [
      `-p ${this.port} -k ${this.#folder} -c listen_addresses=127.0.0.1 -c shared_buffers=32MB`,
      ...['max_connections=200', ...this.#settings].map((setting) => `-c ${setting}`),
    ].join(' ');
    await this.#run('pg_ctl', ['start', '-w', '-D', this.#data, '-l', this.#log, '-o', options]);
  }

  /** Ends it: as a crash would, or when all connections have been closed for it. */
  async stop(how: 'immediate' | 'fast' = 'immediate'): Promise<void> {
    await this.#run('pg_ctl', ['stop', '-w', '-D', this.#data, '-m', how]);
  }

  /** Makes the server offer TLS, too, from its next start on. PEM. */
  async useCertificate(certificate: string, key: string): Promise<void> {
    const { uid, gid } = await stat(this.#data);
    for (const [name, content] of Object.entries({ 'server.crt': certificate, 'server.key': key })) {
      const path = join(this.#data, name);
      await writeFile(path, content, { mode: 0o600 });
      await chown(path, uid, gid);
    }
    await this.sql('ALTER SYSTEM SET ssl = on');
  }

  /** Stops it if it runs, and removes all that it has stored. */
  async remove(): Promise<void> {
    if (existsSync(join(this.#data, 'postmaster.pid'))) await this.stop();
    await rm(this.#folder, { recursive: true });
  }

  get log(): string {
    return readFileSync(this.#log, 'utf8');
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  get #log(): string {
    return join(this.#folder, 'log');
  }

  /** The files of `initdb` are cached for all servers of its version: a copy takes a tenth of the time. */
  async #makeData(): Promise<void> {
    const { stdout } = await this.#run('initdb', ['--version']);
    const cache = join(root, '.cache');
    const cached = join(cache, stdout.trim().replaceAll(/[^\w.]+/g, '-'));
    if (existsSync(cached)) {
      await execute('cp', ['-a', cached, this.#data]);
      return;
    }
    const options = ['--no-locale', '-E', 'UTF8', '-A', 'trust', '-U', 'postgres', '--no-sync'];
    await this.#run('initdb', ['-D', this.#data, ...options]);
    await mkdir(cache, { recursive: true });
    const copy = await mkdtemp(`${cached}-`);
    await execute('cp', ['-a', `${this.#data}/.`, copy]);
    // Another process may have been quicker.
    await rename(copy, cached).catch(() => rm(copy, { recursive: true }));
  }

  /** No pipe: the server inherits the streams of pg_ctl, and a pipe would keep this process waiting. */
  async #run(program: string, args: readonly string[]): Promise<{ readonly stdout: string }> {
    const path = join(this.#programs, program);
    const [command, ...words] =
      process.getuid?.() === 0 ? ['runuser', '-u', unprivileged, '--', path, ...args] : [path, ...args];
    if (program !== 'pg_ctl') return execute(command, words, { cwd: this.#folder });
    const child = spawn(command, words, { cwd: this.#folder, stdio: 'ignore' });
    const [code] = await once(child, 'exit');
    if (code !== 0)
      throw new Error(`${program} ${args[0] ?? ''} ended with ${code}: ${this.log.slice(-2000)}`);
    return { stdout: '' };
  }
}
