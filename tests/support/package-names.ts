import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../../packages', import.meta.url));

/**
 * Names of the folders of `packages`. A folder that contains only what was built is left out: git leaves it in an older clone
 * when the package moves.
 */
export const packageNames: readonly string[] = readdirSync(packages).filter((name) =>
  ['package.json', 'src'].some((part) => existsSync(join(packages, name, part))),
);
