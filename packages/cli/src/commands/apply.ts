import { type ChangePlan, changePlan, isDone, type Scanner } from '@azimuth/client';
import { counted, type LoginLevel } from '@azimuth/model';
import { CommandFailure, exitCodes } from '../command-failure.js';
import { confirm, terminalOfCommand } from '../input/prompt.js';
import type { Command, RolloutOptions, TransferOptions } from '../options/command.js';
import { untilInterrupted } from '../output/output.js';
import { textDigest } from '../rollout/digest.js';
import { withRollout } from '../rollout/with-rollout.js';
import { labelList, targetsText } from '../scanners/chosen.js';
import { scannerAt, scannerWithLogin } from '../scanners/connection.js';
import { asDescribed } from '../scanners/described.js';
import type { Scanners } from '../scanners/each-scanner.js';
import type { Target } from '../scanners/target.js';
import {
  applied,
  appliedJson,
  commandsFor,
  remindOfMissing,
  remindOfNetwork,
  requireApplied,
} from '../site/apply-run.js';
import { planJson, planLines, skipText } from '../site/plan-text.js';
import { deviceArguments, SiteFile, scannersInFile, siteTextAt } from '../site/site-file.js';
import { siteOfTarget } from '../site/site-of-target.js';

export function defineCommand(command: Command): Command {
  return command
    .description(
      'Give scanners the parameters of a site file, and save them. The command shows what will change, and asks once. It writes the values, reads them back, and saves only then. If anything fails on a scanner, it writes the previous values of that scanner back, and saves nothing there.',
    )
    .argument('<file>', 'site file, made by azimuth export or by hand')
    .option('--dry-run', 'show what would change, and change nothing')
    .option(
      '--check',
      `show what differs from the file, and change nothing: if anything does, the exit code is ${exitCodes.differs.code}. It needs no password`,
    )
    .action((file: string) => apply(file, command.allOptions(), command.words))
    .withDeviceOptions()
    .withRollout()
    .withYes()
    .withProgress()
    .withExamples(
      'azimuth apply hall.yaml --dry-run',
      'azimuth apply hall.yaml --check    (for a nightly job)',
      'azimuth apply hall.yaml',
      'azimuth apply @gate3 hall.yaml --yes    (only this scanner of the file)',
      'azimuth apply hall.yaml --rolling 1     (one after the other; the first failure ends it)',
    );
}

interface Options extends TransferOptions, RolloutOptions {
  readonly dryRun?: boolean;
  readonly check?: boolean;
}

async function apply(path: string, options: Options, words: readonly string[]): Promise<void> {
  const text = await siteTextAt(path);
  const keys = scannersInFile(path, text);
  const named = options.device ?? (keys.length === 0 ? undefined : await deviceArguments(keys));
  const chosen: RolloutOptions = named === undefined ? options : { ...options, device: named };
  const subject = { command: 'apply', words, facts: { file: textDigest(text) } };
  await withRollout(chosen, subject, async (scanners) => {
    const site = await asDescribed(scanners.targets, (known) => new SiteFile(path, text, known));
    // A run that goes on has only the scanners that are left.
    if (options.device === undefined && options.resume === undefined)
      requireEach(keys, scanners.targets, path);
    const terminal = terminalOfCommand();
    const onlyShows = options.dryRun === true || options.check === true;
    const confirms = options.yes !== true && !onlyShows;
    if (confirms && terminal === undefined) await confirm('', terminal);
    const plans = await scanners.each(async (target, output) => {
      // The values are compared only, so it does not matter who may write them.
      const plan = await planFor(site, target, options.check === true ? undefined : target.user);
      if (onlyShows) await output.print(planJson(plan), () => planText(plan));
      else if (options.json !== true && !isDone(plan)) output.table(planText(plan).join('\n'));
      else remindOfMissing(plan, output);
      return plan;
    });
    if (options.check === true && ![...plans.values()].every(isDone)) {
      process.exitCode = exitCodes.differs.code;
    }
    if (onlyShows || plans.size === 0) return;
    const changing = [...plans].filter(([, plan]) => !isDone(plan)).map(([target]) => target);
    if (confirms && changing.length > 0) await confirm(questionFor(changing, scanners, plans), terminal);
    await untilInterrupted(async (signal) => {
      await scanners.change({
        isInForce: async (target) => isDone(await planFor(site, target, target.user)),
        act: async (target, output) => {
          // Between two steps, other values may have changed.
          const plan = scanners.inSteps ? await planFor(site, target, target.user) : plans.get(target);
          if (plan === undefined) return;
          const scanner: Scanner = isDone(plan) ? scannerAt(target) : await scannerWithLogin(target);
          const result = await applied(scanner, plan, { target, output, signal });
          const commands = commandsFor(result, target);
          await output.print({ ...planJson(plan), ...appliedJson(result) }, () => [
            ...commands,
            ...(result.failures.length === 0 ? [summary(plan, result.written.length)] : []),
          ]);
          await requireApplied(result);
          remindOfNetwork(result.written, output);
        },
      });
    });
  });
}

/**
 * @param level the level that has to be enough for the writes; undefined if nothing will be written
 * @throws CommandFailure if the scanner is another one than in the file, or a parameter cannot be written
 */
async function planFor(site: SiteFile, target: Target, level: LoginLevel | undefined): Promise<ChangePlan> {
  const { values } = await siteOfTarget(site, target);
  const plan = await changePlan(scannerAt(target), values, { level });
  const obstacles = plan.parameters.filter(({ act, skipped }) => act === 'skip' && skipped !== 'missing');
  if (obstacles.length > 0) {
    const denied = obstacles.every(({ skipped }) => skipped === 'level');
    throw new CommandFailure(
      `${obstacles.map(skipText).join('; ')}. Nothing was changed on this scanner`,
      denied ? 'denied' : 'usage',
    );
  }
  return plan;
}

function planText(plan: ChangePlan): readonly string[] {
  const lines = planLines(plan);
  return isDone(plan) ? ['nothing to change', ...lines.filter(isAboutSkipped(lines))] : lines;
}

/** If there is nothing to save, unsaved changes of others do not matter. */
function isAboutSkipped(lines: readonly string[]): (line: string, index: number) => boolean {
  const begin = lines.indexOf('left out:');
  return (_, index) => begin >= 0 && index >= begin;
}

function summary(plan: ChangePlan, written: number): string {
  if (isDone(plan)) return 'nothing to change';
  if (written === 0) return 'saved';
  return `${counted(written, 'parameter')} written and saved`;
}

function questionFor(
  changing: readonly Target[],
  { targets }: Scanners,
  plans: ReadonlyMap<Target, ChangePlan>,
): string {
  const failed = targets.filter((target) => !plans.has(target));
  const without = failed.length === 0 ? '' : ` (not to ${labelList(failed)}: failed)`;
  return `Write this to ${targetsText(changing)}${without}, and save it?`;
}

/** Refuses two names for one scanner: two sets of values would be written to it. */
function requireEach(keys: readonly string[], targets: readonly Target[], path: string): void {
  const labels = new Set(targets.map(({ label }) => label));
  const lost = keys.find((key) => !labels.has(key));
  if (keys.length === 0 || lost === undefined) return;
  throw new CommandFailure(`${path}: ${lost} is the same scanner as another one in the file`);
}
