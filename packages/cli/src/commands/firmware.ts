import { deviceFamily, newestRelease, releases } from '@azimuth/model';
import { Command, Option } from 'commander';
import { deviceOptions, withExamples } from '../options.js';
import { numberOption } from '../serve/option-values.js';

/** 100 MiB: what PUT /update takes. */
const largestFile = 100 * 1024 * 1024;

/** `azimuth firmware`: keys and firmware files, without a scanner. docs/firmware.md tells what is in them. */
export function firmwareCommand(): Command {
  const command = new Command('firmware').description(
    'make, sign and inspect firmware files for scanners of ours',
  );
  for (const part of [keygenCommand(), buildCommand(), signCommand(), inspectCommand()]) {
    command.addCommand(part);
  }
  return withExamples(
    command,
    'azimuth firmware keygen --out keys',
    `azimuth firmware build --release ${newestRelease} --out F.spk`,
    'azimuth firmware sign F.spk --key keys/firmware-private.pem --out F.spk.signed',
    'azimuth firmware inspect F.spk.signed --key keys/firmware-public.pem',
    'azimuth serve --firmware 2.3.1 --firmware-key keys/firmware-public.pem',
  );
}

function keygenCommand(): Command {
  const command = new Command('keygen')
    .description(
      'make a pair of Ed25519 keys: the private one signs, the public one is what a scanner trusts',
    )
    .requiredOption('--out <folder>', 'where to put firmware-private.pem and firmware-public.pem')
    .option('--force', 'replace keys that are there')
    .action(async ({ out, force = false }: { out: string; force?: boolean }) => {
      const { keygen } = await import('../firmware/keygen.js');
      await keygen(out, force);
    });
  return withExamples(command, 'azimuth firmware keygen --out keys');
}

function buildCommand(): Command {
  const command = new Command('build')
    .description('make an unsigned firmware file')
    .addOption(
      new Option('--release <release>', 'what a scanner is once it is installed')
        .choices(releases)
        .makeOptionMandatory(),
    )
    .requiredOption('--out <file>', 'the file to write, .spk')
    .option('--device-type <type>', 'the device type that it is for', deviceFamily)
    .addOption(
      new Option('--size <bytes>', 'length of the payload; a few bytes where nothing is said').argParser(
        numberOption(0, largestFile),
      ),
    )
    .option('--payload <file>', 'the payload, in place of one of ours')
    .action(
      async (options: {
        release: string;
        out: string;
        deviceType: string;
        size?: number;
        payload?: string;
      }) => {
        const { build } = await import('../firmware/build.js');
        await build(options);
      },
    );
  return withExamples(
    command,
    `azimuth firmware build --release ${newestRelease} --out F.spk`,
    `azimuth firmware build --release ${newestRelease} --size 100000000 --out large.spk`,
  );
}

function signCommand(): Command {
  const command = new Command('sign')
    .description('sign a firmware file')
    .argument('<file>', 'the unsigned file')
    .requiredOption('--key <file>', 'the private key, PEM')
    .option('--out <file>', 'the file to write (default: <file>.signed)')
    .action(async (file: string, { key, out }: { key: string; out?: string }) => {
      const { sign } = await import('../firmware/sign.js');
      await sign(file, key, out ?? `${file}.signed`);
    });
  return withExamples(
    command,
    'azimuth firmware sign F.spk --key keys/firmware-private.pem --out F.spk.signed',
  );
}

function inspectCommand(): Command {
  const command = new Command('inspect')
    .description('check a firmware file and tell what is in it')
    .argument('<file>', 'the file, signed or not')
    .option('--key <file>', 'the public key, PEM: is the signature made by its owner?')
    .option('--json', 'print JSON, for machines')
    .action(async (file: string, { key }: { key?: string }) => {
      const { inspect } = await import('../firmware/inspect.js');
      await inspect(file, key, deviceOptions(command).json === true);
    });
  return withExamples(
    command,
    'azimuth firmware inspect F.spk',
    'azimuth firmware inspect F.spk.signed --key keys/firmware-public.pem --json',
  );
}
