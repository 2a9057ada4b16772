/** Where a database is, without who connects and with which password. For errors and logs. */
export interface DatabasePlace {
  readonly host: string;
  readonly port: number;
  readonly database: string;
}

/** What stands in place of a URL that is none. It is not repeated: it may contain a password. */
const expected =
  'postgres://USER@HOST:PORT/DATABASE, with the password in the environment variable PGPASSWORD';

/** The URL of a database cannot be used. */
export class BadDatabaseUrl extends Error {
  override readonly name = 'BadDatabaseUrl';
}

/**
 * The place that a URL names. What it leaves out comes from the environment, as with all programs of PostgreSQL.
 * @throws BadDatabaseUrl, which never contains the URL
 */
export function placeOf(url: string): DatabasePlace {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^postgres(ql)?:$/.test(parsed.protocol))
    throw new BadDatabaseUrl(`The URL of the database cannot be read: expected ${expected}`);
  const { PGHOST = 'localhost', PGPORT = '5432', PGDATABASE, PGUSER } = process.env;
  return {
    // A folder with a socket is given as `?host=/run/postgresql`.
    host: parsed.searchParams.get('host') ?? (parsed.hostname || PGHOST),
    port: Number(parsed.port || PGPORT),
    database: decoded(parsed.pathname.slice(1)) || PGDATABASE || decoded(parsed.username) || PGUSER || '',
  };
}

export function nameOf({ host, port, database }: DatabasePlace): string {
  return `The database ${database === '' ? '' : `${database} `}at ${host}:${port}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new BadDatabaseUrl(`The URL of the database has a part with a wrong % sign: expected ${expected}`);
  }
}
