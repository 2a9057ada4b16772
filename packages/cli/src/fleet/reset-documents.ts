import { checkSchema, resetCredentials } from '@azimuth/fleet/database';
import { counted } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import { type KeyOptions, keysOf, type StoreOptions } from '../database/database-options.js';
import { print } from '../output/output.js';
import { passwordsOfEnvironment } from '../serve/service-options.js';
import { withDatabase } from './with-database.js';

/** `azimuth fleet reset-passwords`. @throws CommandFailure if the fleet lacks one of the scanners */
export async function runResetPasswords(
  typed: readonly string[],
  options: StoreOptions & KeyOptions,
): Promise<void> {
  const serials = [...new Set(typed)];
  const keys = await keysOf(options);
  const name = 'azimuth fleet reset-passwords';
  const unknown = await withDatabase(options, name, { connections: 1 }, async (database) => {
    await checkSchema(database);
    return resetCredentials(database, keys, serials, passwordsOfEnvironment(process.env));
  });
  const count = serials.length - unknown.length;
  if (count > 0)
    await print(
      `The passwords of ${counted(count, 'scanner')} were reset. They count from the next power-on of each: azimuth fleet power-cycle SERIAL\n`,
    );
  if (unknown.length > 0)
    throw new CommandFailure(`the fleet has no scanner ${unknown.join(', ')}`, 'refused');
}
