import { randomBytes } from 'node:crypto';
import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Scanner, workingParameters } from '@azimuth/client';
import {
  allParameters,
  extensionPrefix,
  leastVariantWith,
  type Product,
  parametersOf,
  releaseOf,
  type Variant,
} from '@azimuth/model';
import { Option } from 'commander';
import { cloneReadme, makeTwin, notCloned, type Original } from '../clone/twin.js';
import { CommandFailure } from '../command-failure.js';
import type { Command, DeviceOptions } from '../options/command.js';
import { numberOption } from '../options/option-values.js';
import { printable } from '../output/output.js';
import { chosenScanner } from '../scanners/chosen.js';
import { scannerAt } from '../scanners/connection.js';
import { eachScanner } from '../scanners/each-scanner.js';
import { chosenProduct } from '../serve/chosen-product.js';
import { record } from './record.js';

/** The recording in the folder of a twin. */
const recording = 'seen.azrec';

export function defineCommand(command: Command): Command {
  return command
    .description(
      'Make a virtual scanner with the parameters, the release and, if the scanner tells them, the fields of a scanner: its twin. The folder has a README, which says how to start the twin and what it does not have. Passwords are never cloned. Reading needs no login.',
    )
    .usage('[options] [url] <folder>')
    .argument('[url]', 'URL of the scanner, in place of --device')
    .argument(
      '[folder]',
      'the folder of the twin. It must not exist, or be empty; the folder that it is in must exist',
    )
    .option('--product <file>', 'product of the scanner: an ES module or a JSON file; see docs/product.md')
    .option('--same-serial', 'give the twin the serial number of the scanner (default: a number of its own)')
    .addOption(
      new Option('--seconds <number>', 'also record what the scanner sees, for the twin to replay').argParser(
        numberOption(0.1, 3600),
      ),
    )
    .option('--aim', 'with --seconds: make the scanner send to this computer meanwhile (needs a login)')
    .action(async (first: string | undefined, second: string | undefined) => {
      const options = command.allOptions<Options>();
      if (first === undefined || (second === undefined && /^https?:/i.test(first))) {
        throw new CommandFailure("missing required argument 'folder'");
      }
      if (second === undefined) await clone(first, options, command);
      else await clone(second, { ...options, device: [...(options.device ?? []), first] }, command);
    })
    .withDeviceOptions()
    .withExamples(
      'azimuth clone http://192.168.0.1 twin',
      'azimuth clone @gate3 twin --same-serial',
      'azimuth clone http://192.168.0.1 twin --seconds 10 --aim    (it replays what the scanner saw)',
      'azimuth serve --data twin    (starts the twin)',
    );
}

interface Options extends DeviceOptions {
  readonly product?: string;
  readonly sameSerial?: boolean;
  readonly seconds?: number;
  readonly aim?: boolean;
}

async function clone(folder: string, options: Options, command: Command): Promise<void> {
  if (options.aim === true && options.seconds === undefined) {
    throw new CommandFailure('--aim is for a recording: add --seconds 10');
  }
  const product = await chosenProduct(command, options.product, { option: 'firmware', typed: undefined });
  await chosenScanner(options, 'clone');
  await requireNew(folder);
  await eachScanner(options, async (target, output) => {
    const scanner = scannerAt(target);
    const { Version: version } = await scanner.read('DeviceIdent');
    const serial = await scanner.read('SerialNumber');
    const original = await readOriginal(scanner, version, product);
    const hasFields = original.values.has(`${extensionPrefix}fields`);
    // The folder gets its name when it is complete.
    const unfinished = `${resolve(folder)}.${randomBytes(4).toString('hex')}.part`;
    try {
      const twin = await makeTwin(unfinished, original, options.sameSerial === true ? serial : undefined);
      if (options.seconds !== undefined) {
        await record(join(unfinished, recording), { ...options, json: false, seconds: options.seconds });
      }
      const start = startCommand(folder, original.variant, options);
      const facts = { url: target.url, serial, version, twin, command: start, hasFields };
      const readme = cloneReadme({ ...facts, hasRecording: options.seconds !== undefined, at: new Date() });
      await writeFile(join(unfinished, 'README.md'), readme);
      await rm(folder, { recursive: true, force: true });
      await rename(unfinished, folder);
      const missing = notCloned({ twin, hasFields });
      const { serialNumber, macAddress } = twin.identity;
      await output.print({ folder, serialNumber, macAddress, command: start, notCloned: missing }, () => [
        `${folder} is a twin of scanner ${serial}, with the serial number ${serialNumber}. Start it with:`,
        `  ${start}`,
        'It does not have:',
        ...missing.map((line) => `  ${printable(line)}`),
      ]);
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
  });
}

/** @throws CommandFailure if the scanner is not of this product, or has a version that the product does not have */
async function readOriginal(
  scanner: Scanner,
  version: string,
  product: Product | undefined,
): Promise<Original> {
  const values = await workingParameters(scanner);
  const { scanner: described } = scanner.description.known;
  if (product === undefined) {
    const release = described?.release ?? releaseOf(version);
    const variant = leastVariantWith(allParameters.filter(({ name }) => values.has(name)));
    return { release, product, variant, values, parameters: allParameters };
  }
  const { name: expected } = product;
  const name = described?.product;
  if (described === undefined || name !== expected)
    throw new CommandFailure(
      `--product: the scanner is not of the product ${expected}${name === undefined ? '' : `, but of ${printable(name)}`}`,
    );
  const known = product.releases.find((release) => release.version === described.version);
  if (known === undefined) {
    throw new CommandFailure(
      `--product: the file has no version ${printable(described.version ?? version)} of the scanner`,
    );
  }
  const { variant } = described;
  const edition = { release: known.base, version: known.version, variant, product };
  return { release: known.version, product, variant, values, parameters: parametersOf(edition) };
}

function startCommand(folder: string, variant: Variant, { product, seconds }: Options): string {
  return [
    `azimuth serve --data ${folder}`,
    ...(product === undefined ? [] : [`--product ${product}`]),
    ...(variant === 'full' ? [] : [`--variant ${variant}`]),
    ...(seconds !== undefined ? [`--replay ${join(folder, recording)}`] : []),
  ].join(' ');
}

/**
 * @throws CommandFailure if the folder is not empty: its content may be the only copy of another scanner. Also if the
 * parent folder does not exist: this is usually a typing error
 */
async function requireNew(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new CommandFailure(`${folder} cannot be used: ${error.message}`);
  });
  if (entries === undefined) await requireParent(folder);
  else if (entries.length > 0)
    throw new CommandFailure(`${folder} is not empty: name a new folder for the twin`);
}

async function requireParent(folder: string): Promise<void> {
  const parent = dirname(resolve(folder));
  await stat(parent).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw new CommandFailure(`${parent} cannot be used: ${error.message}`);
    throw new CommandFailure(`there is no folder ${parent}: make it first, or name another one for the twin`);
  });
}
