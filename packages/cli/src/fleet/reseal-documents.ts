import { checkSchema, reseal } from '@azimuth/fleet/database';
import { CommandFailure } from '../command-failure.js';
import {
  databaseOf,
  fromDatabase,
  type KeyOptions,
  keysOf,
  type StoreOptions,
} from '../database/database-options.js';
import { print } from '../output.js';
import { logTo } from '../serve/log.js';

interface ResealOptions extends StoreOptions, KeyOptions {
  readonly json?: boolean;
}

/** `azimuth fleet reseal`: secret documents are sealed with the first key. @throws CommandFailure if some cannot be opened */
export async function runReseal(options: ResealOptions): Promise<void> {
  const keys = await keysOf(options);
  const log = logTo('lines');
  const database = databaseOf(options, 'azimuth fleet reseal', log, { connections: 1 });
  try {
    const { documents, changed, broken } = await fromDatabase(async () => {
      await checkSchema(database);
      return reseal(database, keys);
    });
    await print(
      options.json === true
        ? `${JSON.stringify({ documents, changed, broken: broken.length })}\n`
        : `${documents} secret documents, ${changed} of them were sealed with the first key now.\n`,
      new AbortController().signal,
    );
    if (broken.length > 0) throw new CommandFailure(broken.join('; '), 'refused');
  } finally {
    await database.close();
    await log.close();
  }
}
