import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { productReference } from '@azimuth/model/reference';
import { CommandFailure } from '../command-failure.js';
import type { Command } from '../options/command.js';
import { print } from '../output/output.js';
import { readProduct } from '../serve/product-file.js';

interface Options {
  readonly product: string;
  readonly firmware?: string;
  readonly out: string;
}

export function defineCommand(command: Command): Command {
  return command
    .description(
      'Write the reference of a product of your own: every variable, method and file that its scanners have.',
    )
    .requiredOption('--product <file>', 'product: an ES module or a JSON file; see docs/product.md')
    .option('--firmware <version>', 'version of the product (default: the newest)')
    .option('--out <folder>', 'folder for interface.md', 'reference')
    .action(() => writeReference(command.optsWithGlobals<Options>()))
    .withExamples(
      'azimuth reference --product acme.mjs',
      'azimuth reference --product acme.mjs --firmware 5.0.0',
    );
}

async function writeReference({ product: path, firmware, out }: Options): Promise<void> {
  const product = await readProduct(path);
  const versions = product.releases.map(({ version }) => version);
  if (firmware !== undefined && !versions.includes(firmware))
    throw new CommandFailure(`--firmware: expected ${versions.join(', ')}, got "${firmware}"`);
  await mkdir(out, { recursive: true });
  const file = join(out, 'interface.md');
  await writeFile(file, productReference(product, firmware));
  print(`${file}\n`);
}
