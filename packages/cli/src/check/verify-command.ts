import { isSignedReport, type StatedReport, statedReports } from '@azimuth/check';
import { CommandFailure } from '../command-failure.js';
import { publicKeyIn } from '../firmware/keys.js';
import { readTextFile } from '../input/bounded-file.js';
import { Command } from '../options/command.js';
import { jsonText, print, printable } from '../output/output.js';

interface Options {
  readonly key?: string;
  readonly json?: boolean;
}

/** Largest report in bytes: some hundred scanners. */
const longestReport = 256 * 1024 * 1024;

/** The command `azimuth check verify`. */
export function verifyCommand(): Command {
  const command: Command = new Command('verify')
    .summary('verify the signature of a report')
    .description(
      'Verify that a JSON report was signed with a key, and was not changed since, and print what it is about. If it was not, the exit code is 1.',
    )
    .argument('<file>', 'the report, as azimuth check --report FILE --key PRIVATE.pem writes it')
    .option('--key <file>', 'file with the public Ed25519 key, in PEM')
    .option('--json', 'print JSON')
    .action((file: string) => verifyReport(file, command.allOptions()));
  return command.withExamples('azimuth check verify report.json --key public.pem');
}

async function verifyReport(file: string, { key, json = false }: Options): Promise<void> {
  if (key === undefined) throw new CommandFailure('--key: expected the file of a public key');
  const publicKey = await publicKeyIn('--key', key);
  const document = await jsonIn(file);
  if (!isSignedReport(document, publicKey))
    throw new CommandFailure(
      `${file}: is not signed with the key in ${key}, or was changed afterwards`,
      'refused',
    );
  const stated = statedReports(document);
  if (stated === undefined)
    throw new CommandFailure(`${file}: is signed, but is no report of azimuth check`, 'refused');
  const lines = json
    ? [jsonText(stated)]
    : [`${file}: signed with the key in ${key}`, ...stated.reports.map(line)];
  await print(lines.map((one) => `${printable(one)}\n`).join(''));
}

function line({ scanner, began, finished, counts }: StatedReport): string {
  const who = [scanner.name, scanner.version, scanner.serialNumber].filter((part) => part !== '').join(' ');
  const { pass, fail, warn } = counts;
  return `${who || 'a scanner'} at ${scanner.url}, ${began} to ${finished}: ${pass} passed, ${fail} failed, ${warn} warnings, ${counts['not-tested']} not tested`;
}

async function jsonIn(file: string): Promise<unknown> {
  const text = await readTextFile(file, { limit: longestReport });
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandFailure(`${file}: is not JSON`);
  }
}
