// Appends to a log for ever, and prints the text of each entry that was acknowledged, a line each.
// Arguments: the folder, the first number, and the URL of a database if the log is in one.
import { Database } from '@azimuth/fleet/database';
import { FolderLog, type LogStore, systemClock } from '@azimuth/monitor';
import { DatabaseLog } from '@azimuth/monitor/database';

const [, , folder = '', first = '0', url] = process.argv;
const report = (text: string) => process.stderr.write(`${text}\n`);
const ignore = () => undefined;

function open(): Promise<LogStore> {
  const common = { folder, clock: systemClock, report };
  if (url === undefined) return FolderLog.open({ ...common, fileBytes: 20_000 });
  const log = { info: ignore, warn: ignore, error: ignore };
  const database = new Database({ url, program: 'appending', log, connections: 2 });
  return DatabaseLog.open({ ...common, database, monitor: 'hall', keepDays: 400 });
}

const store = await open();
for (let number = Number(first); ; ) {
  const together = Array.from({ length: 1 + (number % 7) }, () => number++);
  await Promise.all(
    together.map(async (each) => {
      await store.append({ kind: 'monitor', at: Date.now(), scanner: '', text: String(each) });
      process.stdout.write(`${each}\n`);
    }),
  );
}
