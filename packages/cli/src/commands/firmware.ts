import { generateKeyPairSync } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Container,
  isSignedBy,
  type Pieces,
  writeContainer,
  writeSigned,
} from '@azimuth/device/firmware';
import { deviceFamily, largestFirmware, newestRelease, releases } from '@azimuth/model';
import { Option } from 'commander';
import { CommandFailure } from '../command-failure.js';
import { privateKeyIn, publicKeyIn, readFirmware, systemMessage, writeNewFile } from '../firmware/keys.js';
import { Command, type DeviceOptions } from '../options/command.js';
import { numberOption } from '../options/option-values.js';
import { jsonText, printable } from '../output/output.js';
import { chosenProduct } from '../serve/chosen-product.js';
import { formattedLines } from '../values/format-value.js';

/** `azimuth firmware`: keys and firmware files, without a scanner. See docs/firmware.md for their format. */
export function defineCommand(command: Command): Command {
  command.description('Make, sign and inspect firmware files for virtual scanners.');
  for (const part of [keygenCommand(), buildCommand(), signCommand(), inspectCommand()]) {
    command.addCommand(part);
  }
  return command.withExamples(
    'azimuth firmware keygen --out keys',
    `azimuth firmware build --release ${newestRelease} --out F.spk`,
    'azimuth firmware sign F.spk --key keys/firmware-private.pem --out F.spk.signed',
    'azimuth firmware inspect F.spk.signed --key keys/firmware-public.pem',
    'azimuth serve --firmware 2.3.1 --firmware-key keys/firmware-public.pem',
  );
}

function keygenCommand(): Command {
  const command = new Command('keygen')
    .summary('make a pair of keys')
    .description(
      'Make a pair of Ed25519 keys: a private key to sign firmware files, and a public key with which scanners check them.',
    )
    .requiredOption('--out <folder>', 'folder for firmware-private.pem and firmware-public.pem')
    .option('--force', 'replace existing keys')
    .action(({ out, force = false }: { out: string; force?: boolean }) => keygen(out, force));
  return command.withExamples(
    'azimuth firmware keygen --out keys',
    'azimuth serve --firmware-key keys/firmware-public.pem',
  );
}

function buildCommand(): Command {
  const command = new Command('build')
    .summary('make an unsigned firmware file')
    .description('Make an unsigned firmware file.')
    .addOption(
      new Option(
        '--release <release>',
        'release that a scanner runs after it has installed the file; with --product, a version of the product',
      )
        .choices(releases)
        .argParser((value: string) => value)
        .makeOptionMandatory(),
    )
    .requiredOption('--out <file>', 'file to write (.spk)')
    .option('--device-type <type>', `device type that the file is for (default: ${deviceFamily})`)
    .option('--product <file>', 'product that the file is for, as for azimuth serve')
    .addOption(
      new Option('--size <bytes>', 'length of a generated payload (default: a few bytes)').argParser(
        numberOption(0, largestFirmware),
      ),
    )
    .option('--payload <file>', 'file with the payload (default: the payload is generated)')
    .action((options: BuildOptions) => build(options, command));
  return command.withExamples(
    `azimuth firmware build --release ${newestRelease} --out F.spk`,
    `azimuth firmware build --release ${newestRelease} --size 100000000 --out large.spk`,
    'azimuth firmware build --release 5.0.1 --product product.mjs --out F.spk',
  );
}

function signCommand(): Command {
  const command = new Command('sign')
    .summary('sign a firmware file')
    .description('Sign a firmware file.')
    .argument('<file>', 'unsigned firmware file')
    .requiredOption('--key <file>', 'private key (PEM)')
    .option('--out <file>', 'file to write (default: <file>.signed)')
    .action((file: string, { key, out }: { key: string; out?: string }) =>
      sign(file, key, out ?? `${file}.signed`),
    );
  return command.withExamples(
    'azimuth firmware sign F.spk --key keys/firmware-private.pem --out F.spk.signed',
  );
}

function inspectCommand(): Command {
  const command = new Command('inspect')
    .summary('check a firmware file, and show its content')
    .description('Check a firmware file, and show its content.')
    .argument('<file>', 'firmware file, signed or not')
    .option('--key <file>', 'public key (PEM) with which the signature is checked')
    .option('--json', 'print JSON')
    .action((file: string, { key }: { key?: string }) =>
      inspect(file, key, command.allOptions<DeviceOptions>().json === true),
    );
  return command.withExamples(
    'azimuth firmware inspect F.spk',
    'azimuth firmware inspect F.spk.signed --key keys/firmware-public.pem --json',
  );
}

/**
 * Makes a pair of keys in a folder: the private one is readable for its owner alone (mode 0600).
 * @throws CommandFailure if a key exists and `force` is not given: without it, no update of its signed files could be
 * signed again.
 */
async function keygen(folder: string, force: boolean): Promise<void> {
  const privateFile = join(folder, 'firmware-private.pem');
  const publicFile = join(folder, 'firmware-public.pem');
  const existing = [privateFile, publicFile].find((file) => existsSync(file));
  if (existing !== undefined && !force) {
    throw new CommandFailure(`${existing} already exists; use --force to replace it`);
  }
  const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const { makeFolder } = await import('@azimuth/device/documents');
  await makeFolder(folder).catch((error: Error) => {
    throw new CommandFailure(`${folder}: the folder cannot be created: ${systemMessage(error)}`);
  });
  await writeNewFile(privateFile, [Buffer.from(privateKey)], 0o600);
  await writeNewFile(publicFile, [Buffer.from(publicKey)]);
  process.stdout.write(`${privateFile}\n${publicFile}\n`);
}

interface BuildOptions {
  readonly release: string;
  readonly out: string;
  readonly deviceType?: string;
  /** File with a product of one's own. */
  readonly product?: string;
  /** Length of a generated payload in bytes. */
  readonly size?: number;
  /** A file with the payload. */
  readonly payload?: string;
}

/**
 * Writes an unsigned firmware file. A virtual scanner uses only the release; it ignores the payload.
 * @throws CommandFailure
 */
async function build(options: BuildOptions, command: Command): Promise<void> {
  const { release, out, size, payload } = options;
  if (size !== undefined && payload !== undefined) {
    throw new CommandFailure('--size and --payload cannot be used together');
  }
  const recipient = await recipientOf(options, command);
  const text = `Azimuth firmware ${release} for ${recipient.deviceType}\n`;
  const pieces =
    payload === undefined ? () => repeated(text, size ?? text.length) : () => filePieces(payload);
  await writeNewFile(out, writeContainer({ ...recipient, release }, pieces));
}

/**
 * Returns the device type and the product that a file is for.
 * @throws CommandFailure for a release that they do not have
 */
async function recipientOf({ release, deviceType, product: path }: BuildOptions, command: Command) {
  const product = await chosenProduct(command, path, { option: 'release', typed: release });
  if (product === undefined) return { deviceType: deviceType ?? deviceFamily };
  return { deviceType: deviceType ?? product.deviceType, product: product.name };
}

const pieceBytes = 64 * 1024;

/** Yields a text, repeated up to this many bytes. */
async function* repeated(text: string, bytes: number): AsyncGenerator<Uint8Array> {
  const block = Buffer.from(text.repeat(Math.ceil(pieceBytes / text.length)));
  for (let left = bytes; left > 0; left -= block.length) yield block.subarray(0, left);
}

function filePieces(file: string): Pieces {
  return createReadStream(file);
}

/**
 * Writes the same firmware file with a signature.
 * @throws CommandFailure if the file is not complete, or signed already
 */
async function sign(file: string, key: string, out: string): Promise<void> {
  const privateKey = await privateKeyIn('--key', key);
  const { seal, signature } = await readFirmware(file);
  if (signature !== undefined) throw new CommandFailure(`${file} is already signed`);
  await writeNewFile(out, writeSigned(createReadStream(file), seal, privateKey));
}

type Signature = 'none' | 'good' | 'not by this key' | 'not checked: no --key';

/**
 * Prints the content of a complete firmware file, and checks its signature with a key.
 * @throws CommandFailure if it is damaged, or, after printing, if the signature was not made with the key
 */
async function inspect(file: string, key: string | undefined, json: boolean): Promise<void> {
  const container = await readFirmware(file);
  const signature = await judged(container, key);
  const { deviceType, product, release, payloadBytes, payloadSha256 } = container.manifest;
  const named = product === undefined ? {} : { product };
  const contents = { release, deviceType, ...named, payloadBytes, payloadSha256, hash: 'good', signature };
  const text = json
    ? jsonText(contents)
    : formattedLines(Object.entries(contents).map(([name, value]) => [name, printable(String(value))])).join(
        '\n',
      );
  process.stdout.write(`${text}\n`);
  if (key !== undefined && signature !== 'good') {
    throw new CommandFailure(
      `${file}: ${signature === 'none' ? 'not signed' : 'the signature is not by the key'}`,
    );
  }
}

async function judged({ seal, signature }: Container, key: string | undefined): Promise<Signature> {
  const publicKey = key === undefined ? undefined : await publicKeyIn('--key', key);
  if (signature === undefined) return 'none';
  if (publicKey === undefined) return 'not checked: no --key';
  return isSignedBy(seal, signature, publicKey) ? 'good' : 'not by this key';
}
