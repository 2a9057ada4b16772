import {
  allIds,
  type CheckReport,
  casesFor,
  editionSubject,
  selectedBy,
  stages,
  tableLines,
  unknownIds,
} from '@azimuth/check';
import { newestRelease, type Release, type Variant } from '@azimuth/model';
import { nearestName } from '@azimuth/wording';
import { Option } from 'commander';
import { type CheckOptions, endpointOption, searchOption, stagesOf } from '../check/check-options.js';
import { checkedScanner, type SharedCheck } from '../check/check-scanner.js';
import { expectedScanner } from '../check/expected-scanner.js';
import { levelPasswords } from '../check/level-passwords.js';
import { caseLines } from '../check/listed-cases.js';
import { profileCommand } from '../check/profile-command.js';
import { ReportFiles, type ReportOptions } from '../check/report-files.js';
import { verifyCommand } from '../check/verify-command.js';
import { CommandFailure, exitCodes } from '../command-failure.js';
import { confirmLoss } from '../input/prompt.js';
import type { Command } from '../options/command.js';
import { collect, numberOption, releaseOption, variantOption } from '../options/option-values.js';
import { WordArgument } from '../options/word-argument.js';
import { jsonText, print, remark, untilInterrupted } from '../output/output.js';
import { programVersion } from '../program-version.js';
import { withScanners } from '../scanners/each-scanner.js';

/** Name and version of this program in reports and profiles. */
const tool = { name: 'azimuth', version: programVersion() };

export function defineCommand(command: Command): Command {
  command.addCommand(profileCommand(`${tool.name} ${tool.version}`));
  command.addCommand(verifyCommand());
  return command
    .description(
      `Check how far a scanner keeps the interface: ours, a real one, a product, or an emulator. Each case is one clause of the interface. By default it only reads. If a clause that a scanner must keep is not kept, the exit code is ${exitCodes.differs.code}. Ctrl-C puts back what was changed, and ends; a second one ends at once.`,
    )
    .addArgument(new WordArgument('[url...]', 'the scanners, as after --device', 'scanner'))
    .option('--write', 'also change variables, and put them back')
    .option('--lock', 'also lock logins for 30 s, with wrong passwords')
    .option('--reboot', 'also reboot')
    .option('--destructive', 'also restore defaults, and install firmware. It asks before')
    .option('--core <url>', 'also inject faults by this control port, and expect the scanner to tell them')
    .option('--only <pattern>', 'only cases with this id, area, or pattern with *; repeatable', collect)
    .option('--list', 'print the cases, and check nothing; with --json all of their data')
    .addOption(
      new Option('--release <release>', 'the release for --list (default: the newest)').argParser(
        releaseOption,
      ),
    )
    .addOption(
      new Option('--variant <variant>', 'the variant for --list (default: full)').argParser(variantOption),
    )
    .option('--profile <file>', 'expect what this profile states; azimuth check profile writes one')
    .option('--product <file>', 'expect the product that this file defines, as azimuth serve --product')
    .option(
      '--passwords <file>',
      'read passwords of user levels from this file: a line LEVEL=PASSWORD for each. That of Service also comes as for other commands',
    )
    .option('--https <url>', 'URL of HTTPS beside the one that is checked')
    .addOption(
      new Option(
        '--legacy-a <host:port>',
        'text interface of the legacy protocol (default: the port that the scanner states, at its host)',
      ).argParser(endpointOption),
    )
    .addOption(
      new Option(
        '--legacy-b <host:port>',
        'binary interface of the legacy protocol (default: likewise)',
      ).argParser(endpointOption),
    )
    .option('--no-legacy', 'do not use the legacy protocol')
    .addOption(
      new Option('--search [host]', 'also search the scanner at HOST[:PORT] (default: its host)').argParser(
        searchOption,
      ),
    )
    .option(
      '--receive-at <address>',
      'IPv4 address of this computer that streams are sent to (default: found out)',
    )
    .option('--no-streams', 'do not receive streams')
    .addOption(
      new Option(
        '--patience <seconds>',
        'leave out cases that have to wait for longer at once (default: 90)',
      ).argParser(numberOption(0, 86_400)),
    )
    .option('--firmware <file>', 'firmware that --destructive may install (default: none is installed)')
    .option('--report <file>', 'also write the report of all scanners as JSON')
    .option('--html <file>', 'also write it as a page, with all cases against all scanners')
    .option('--junit <file>', 'also write it as JUnit XML')
    .option('--sarif <file>', 'also write it as SARIF 2.1.0')
    .option('--key <file>', 'sign the JSON with this private Ed25519 key; azimuth check verify verifies it')
    .action((urls: readonly string[]) => check(urls, command.allOptions()))
    .withDeviceOptions()
    .withYes()
    .withForce()
    .withProgress()
    .withExamples(
      'azimuth check http://192.168.0.1',
      'azimuth check http://192.168.0.1 --write --password-file service.txt',
      'azimuth check @hall/* --only status --only "auth.*" --json',
      'azimuth check profile http://192.168.0.1 -o gate.json',
      'azimuth check http://192.168.0.1 --profile gate.json',
      'azimuth check @hall/* --html matrix.html --junit junit.xml --report report.json --key private.pem',
      'azimuth check verify report.json --key public.pem',
      'azimuth check --list --only legacy',
    );
}

interface Options extends CheckOptions, ReportOptions {
  readonly json?: boolean;
  readonly profile?: string;
  readonly release?: Release;
  readonly variant?: Variant;
}

async function check(urls: readonly string[], given: Options): Promise<void> {
  const device = [...urls, ...(given.device ?? [])];
  const options: Options = { ...given, ...(device.length === 0 ? {} : { device }) };
  assertKnown(options.only ?? []);
  if (options.list === true) {
    await list(options);
    return;
  }
  const files = await ReportFiles.at(options, tool);
  const expected = await expectedScanner(options);
  const passwords = options.passwords === undefined ? {} : await levelPasswords(options.passwords);
  if (options.destructive === true) await confirmDestruction(options);
  const reports = await untilInterrupted(async (signal) => {
    const remind = () =>
      remark('interrupted: putting back what was changed; another Ctrl-C ends at once, and leaves it');
    signal.addEventListener('abort', remind, { once: true });
    return reportsOf(options, files, { options, expected, passwords, signal });
  });
  const worst = worstOf(reports ?? []);
  if (worst !== undefined) process.exitCode = exitCodes[worst].code;
}

/** Checks all scanners, and prints and writes their reports: those that can be checked, also if others cannot. */
async function reportsOf(
  options: Options,
  files: ReportFiles,
  shared: SharedCheck,
): Promise<readonly CheckReport[]> {
  const reports: CheckReport[] = [];
  await withScanners(options, async (scanners) => {
    const done = await scanners.each(async (target, output) => {
      const report = await checkedScanner(target, output, shared);
      if (options.json !== true) await output.print(undefined, () => tableLines(report));
      return report;
    });
    reports.push(...scanners.targets.flatMap((target) => done.get(target) ?? []));
    if (reports.length === 0) return;
    try {
      await files.write(reports);
    } finally {
      if (options.json === true) await print(files.json(reports));
    }
  });
  return reports;
}

/** Returns the exit code of reports; undefined if every scanner keeps what it must, and everything is put back. */
function worstOf(reports: readonly CheckReport[]): 'differs' | 'refused' | undefined {
  if (reports.some(({ counts }) => counts.fail > 0)) return 'differs';
  const isIncomplete = reports.some(({ ended, leftovers }) => ended !== undefined || leftovers.length > 0);
  return isIncomplete ? 'refused' : undefined;
}

async function list(options: Options): Promise<void> {
  const { release = newestRelease, variant = 'full', only = [], json = false } = options;
  const permitted = stagesOf(options).size > 1 ? stagesOf(options) : new Set(stages);
  const cases = casesFor(editionSubject(release, variant)).filter(
    ({ id, stage }) => permitted.has(stage) && selectedBy(only)(id),
  );
  const lines = json ? [jsonText(cases)] : caseLines(cases);
  await print(`${lines.join('\n')}\n`);
}

/** Ends the command if a pattern fits no case of any release. */
function assertKnown(patterns: readonly string[]): void {
  const [wrong] = unknownIds(patterns);
  if (wrong === undefined) return;
  const ids = allIds();
  const near = nearestName(wrong, [...ids, ...new Set(ids.map((id) => id.replace(/\..*/, '')))]);
  const question = near === undefined ? '; azimuth check --list shows all' : `; did you mean ${near}?`;
  throw new CommandFailure(`--only: no case is named ${wrong}${question}`);
}

function confirmDestruction(options: Options): Promise<void> {
  return confirmLoss(
    'this resets all parameters, fields and passwords, installs firmware and reboots. Variables are put back afterwards; fields, passwords and logs are not',
    'Check destructively?',
    options,
  );
}
