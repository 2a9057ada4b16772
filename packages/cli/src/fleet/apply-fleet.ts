import { applyFleet, checkSchema } from '@azimuth/fleet/database';
import { counted } from '@azimuth/model';
import type { StoreOptions } from '../database/database-options.js';
import { jsonText, print } from '../output/output.js';
import { packedFleet } from './applied-fleet.js';
import { withDatabase } from './with-database.js';

interface ApplyOptions extends StoreOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `azimuth fleet apply`: what the file says is what the workers run from now on. */
export async function runApply(path: string, options: ApplyOptions): Promise<void> {
  const { yaml, files, units } = await packedFleet(path);
  if (options.dryRun === true) {
    await print(
      options.json === true
        ? `${jsonText({ scanners: units.length, files: files.size })}\n`
        : `${path} is right: ${counted(units.length, 'scanner')}, ${counted(files.size, 'file')}. Nothing was applied.\n`,
    );
    return;
  }
  const scanners = units.map(({ serial, group }) => ({ serial, group }));
  const applied = await withDatabase(options, 'azimuth fleet apply', { connections: 1 }, async (database) => {
    await checkSchema(database);
    return applyFleet(database, { yaml, files, scanners });
  });
  const { version, added, removed, kept } = applied;
  const stays =
    removed === 0 ? '' : ' What a removed scanner has stored stays, and it finds it if it comes back.';
  await print(
    options.json === true
      ? `${jsonText(applied)}\n`
      : `Version ${version} of the fleet: ${counted(Number(added), 'scanner')} added, ${removed} removed, ${kept} kept.${stays}\n`,
  );
}
