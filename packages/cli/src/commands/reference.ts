import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { productReference } from '@azimuth/model/reference';
import type { Command } from '../options/command.js';
import { print } from '../output/output.js';
import { chosenProduct } from '../serve/chosen-product.js';

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
    .action(() => writeReference(command.optsWithGlobals<Options>(), command))
    .withExamples(
      'azimuth reference --product acme.mjs',
      'azimuth reference --product acme.mjs --firmware 5.0.0',
    );
}

async function writeReference({ product: path, firmware, out }: Options, command: Command): Promise<void> {
  const product = await chosenProduct(command, path, { option: 'firmware', typed: firmware });
  if (product === undefined) return;
  await mkdir(out, { recursive: true });
  const file = join(out, 'interface.md');
  await writeFile(file, productReference(product, firmware));
  print(`${file}\n`);
}
