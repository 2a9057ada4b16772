import { checkSchema, reseal } from '@azimuth/fleet/database';
import { CommandFailure } from '../command-failure.js';
import { type KeyOptions, keysOf, type StoreOptions } from '../database/database-options.js';
import { jsonText, print } from '../output/output.js';
import { withDatabase } from './with-database.js';

interface ResealOptions extends StoreOptions, KeyOptions {
  readonly json?: boolean;
}

/** `azimuth fleet reseal`: secret documents are sealed with the first key. @throws CommandFailure if some cannot be opened */
export async function runReseal(options: ResealOptions): Promise<void> {
  const keys = await keysOf(options);
  const resealed = await withDatabase(
    options,
    'azimuth fleet reseal',
    { connections: 1 },
    async (database) => {
      await checkSchema(database);
      return reseal(database, keys);
    },
  );
  const { documents, changed, broken } = resealed;
  await print(
    options.json === true
      ? `${jsonText({ documents, changed, broken: broken.length })}\n`
      : `${documents} secret documents; ${changed} were resealed with the first key.\n`,
  );
  if (broken.length > 0) throw new CommandFailure(broken.join('; '), 'refused');
}
