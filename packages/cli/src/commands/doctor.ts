import { Mutex } from '@azimuth/async';
import { AnswerError, type Scanner, UnreachableError } from '@azimuth/client';
import { DiscoverError, discover, type FoundScanner } from '@azimuth/client/discover';
import { CommandFailure } from '../command-failure.js';
import { allFindings, type CheckResult, checkResults } from '../doctor/all-checks.js';
import type { Fix } from '../doctor/check.js';
import { fixesOffered } from '../doctor/fixes.js';
import { LocalPorts } from '../doctor/local-ports.js';
import { attemptsAt, type WantedAttempts } from '../doctor/logins.js';
import { observed, ownNetworks, unsavedNames } from '../doctor/observe.js';
import { findingLine, findingsJson, reportJson, reportLines } from '../doctor/report.js';
import { type ExaminedScanner, summaryLines } from '../doctor/summary.js';
import { whyUnreachable } from '../doctor/unreachable.js';
import { agrees, terminalOfCommand } from '../input/prompt.js';
import type { Command, DeviceOptions } from '../options/command.js';
import { print, printable } from '../output/output.js';
import { scannerAt, scannerWithLogin } from '../scanners/connection.js';
import { withScanners } from '../scanners/each-scanner.js';
import type { Target } from '../scanners/target.js';
import type { TargetOutput } from '../scanners/target-output.js';

/** Time to receive data and to watch the metrics, which a scanner makes once a second (ms). */
const watchMs = 1200;

/** Time of the search for scanners (ms). */
const searchMs = 1500;

export function defineCommand(command: Command): Command {
  return command
    .description(
      'Find out why no data arrives, and what else is wrong with a scanner. A line for each finding says what to do. Of several scanners, what they have in common is one line with their names. It changes nothing, and needs no password, unless an option says so. If there is a problem, the exit code is 1.',
    )
    .option('--all', 'also list what is fine, and what could not be looked at')
    .option('--fix', 'offer to fix what can be fixed safely, one question for each (needs a login)')
    .option('--login', 'log in once, to see whether the user level is enabled and the password right')
    .option(
      '--try-factory-passwords',
      'try the passwords of the factory. At most one failed login in a row; five lock the scanner for 30 s',
    )
    .option('--no-discover', 'do not search the networks for scanners with the same address')
    .action(() => examine(command.allOptions()))
    .withDeviceOptions()
    .withExamples(
      'azimuth doctor',
      'azimuth doctor @hall/*    (all scanners of a group of azimuth devices)',
      'azimuth doctor --fix',
      'azimuth doctor --login --try-factory-passwords --json',
    );
}

interface Options extends DeviceOptions, WantedAttempts {
  readonly all?: boolean;
  readonly fix?: boolean;
  readonly discover: boolean;
}

async function examine(options: Options): Promise<void> {
  const terminal = options.fix === true ? terminalOfCommand() : undefined;
  if (options.fix === true && terminal === undefined) {
    throw new CommandFailure('--fix asks before each change, and there is no terminal to ask at');
  }
  await withScanners(options, async (scanners) => {
    for (const target of scanners.targets) scannerAt(target); // Reports a legacy URL before it searches.
    const ports = new LocalPorts(watchMs);
    const neighbours = options.discover ? searched() : Promise.resolve(undefined);
    const examined = new Map<Target, ExaminedScanner>();
    const summed = scanners.several && options.json !== true && options.all !== true;
    const reports = await scanners.each((target, output) =>
      examineScanner(target, output, { options, ports, neighbours, summed: summed ? examined : undefined }),
    );
    if (summed) {
      const inOrder = scanners.targets.flatMap((target) => examined.get(target) ?? []);
      const lines = summaryLines(inOrder, behindAll(options));
      await print(`${lines.map(printable).join('\n')}\n`);
    }
    const questions = new Mutex();
    await scanners.each(
      async (target, output) => {
        const report = reports.get(target) ?? [];
        const whose = scanners.several ? `${target.label}: ` : '';
        const fixed =
          terminal === undefined
            ? []
            : await questions.run(() =>
                offered(target, output, report, (question) =>
                  agrees(printable(`${whose}${question}`), terminal),
                ),
              );
        requireHealth(report, fixed);
      },
      { live: true },
    );
  });
}

/** Searches the scanners in the networks; undefined if this computer cannot search. */
async function searched(): Promise<readonly FoundScanner[] | undefined> {
  try {
    return await discover({ timeout: searchMs });
  } catch (error) {
    if (error instanceof DiscoverError) return undefined;
    throw error;
  }
}

interface Shared {
  readonly options: Options;
  readonly ports: LocalPorts;
  readonly neighbours: Promise<readonly FoundScanner[] | undefined>;
  /** Gets the findings, if those of several scanners are printed together. */
  readonly summed: Map<Target, ExaminedScanner> | undefined;
}

/**
 * Examines one scanner, and prints the findings. @throws UnreachableError, AnswerError after printing the likely
 * reasons
 */
async function examineScanner(
  target: Target,
  output: TargetOutput,
  { options, ports, neighbours, summed }: Shared,
): Promise<readonly CheckResult[]> {
  const scanner = scannerAt(target);
  const logIn = attemptsAt(target, options);
  try {
    const observation = await observed({
      scanner,
      behind: behind(target, options),
      ports,
      neighbours,
      unsaved: () => unsavedNames(scanner),
      watchMs,
      logIn,
    });
    const report = checkResults(observation);
    const { label } = target;
    if (summed !== undefined) {
      summed.set(target, { label, behind: behind(target, options), findings: allFindings(report) });
      return report;
    }
    await output.print(reportJson(target.url, report), () =>
      reportLines(report, options.all === true).map(printable),
    );
    return report;
  } catch (error) {
    if (!(error instanceof UnreachableError || error instanceof AnswerError)) throw error;
    const findings = whyUnreachable(error, scanner.url, ownNetworks(), await neighbours);
    if (summed !== undefined) {
      summed.set(target, { label: target.label, behind: behind(target, options), findings });
      throw error;
    }
    await output.print(
      { url: target.url, findings: findingsJson(findings), unseen: [], fine: [], absent: [] },
      () => findings.map(findingLine).map(printable),
    );
    throw error;
  }
}

/** Returns the options that send a suggested command to the same scanner; empty if the default does. */
function behind({ label, url }: Target, { device = [] }: Options): string {
  if (label !== url) return ` --device @${label}`;
  return device.length === 0 ? '' : ` --device ${url}`;
}

/** Returns the options that send a suggested command to all scanners of this one, quoted for a shell. */
function behindAll({ device = [] }: Options): string {
  return device.map((word) => ` --device ${/^[\w@:/.-]+$/.test(word) ? word : `'${word}'`}`).join('');
}

/** Offers the fixes of a report. @returns the fixed findings */
async function offered(
  target: Target,
  output: TargetOutput,
  report: readonly CheckResult[],
  ask: (question: string) => Promise<boolean>,
): Promise<readonly Fix[]> {
  let scanner: Promise<Scanner> | undefined;
  const fixed = await fixesOffered(allFindings(report), ask, () => {
    scanner ??= scannerWithLogin(target);
    return scanner;
  });
  const done = fixed.flatMap((each) => (each.done ? [each.fix] : []));
  if (done.length > 0) output.remark('changed, and not saved: a reboot takes it back; azimuth save keeps it');
  return done;
}

/** @throws CommandFailure if there are problems, except the fixed ones */
function requireHealth(report: readonly CheckResult[], mended: readonly Fix[]): void {
  const questions = new Set(mended.map(({ question }) => question));
  const problems = allFindings(report).filter(
    ({ severity, fix }) => severity === 'problem' && !questions.has(fix?.question ?? ''),
  );
  if (problems.length === 0) return;
  throw new CommandFailure(
    problems.length === 1 ? 'there is a problem' : `there are ${problems.length} problems`,
    'refused',
  );
}
