import { type ChangePlan, changePlan, isDone, type Scanner } from '@azimuth/client';
import { counted } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import { confirm, terminalOfCommand } from '../input/prompt.js';
import type { Command, DeviceOptions, TransferOptions } from '../options/command.js';
import { untilInterrupted } from '../output/output.js';
import { labelList, targetsText } from '../scanners/chosen.js';
import { scannerAt, scannerWithLogin } from '../scanners/connection.js';
import { asDescribed } from '../scanners/described.js';
import { type Scanners, withScanners } from '../scanners/each-scanner.js';
import type { Target } from '../scanners/target.js';
import { applied, appliedJson, commandsFor, remindOfNetwork, requireApplied } from '../site/apply-run.js';
import { planJson, planLines, skipText } from '../site/plan-text.js';
import { deviceArguments, SiteFile, scannersInFile, siteTextAt } from '../site/site-file.js';

export function defineCommand(command: Command): Command {
  return command
    .description(
      'Give scanners the parameters of a site file, and save them. The command shows what will change, and asks once. It writes the values, reads them back, and saves only then. If anything fails on a scanner, it writes the previous values of that scanner back, and saves nothing there.',
    )
    .argument('<file>', 'site file, made by azimuth export or by hand')
    .option('--dry-run', 'show what would change, and change nothing')
    .action((file: string) => apply(file, command.allOptions()))
    .withDeviceOptions()
    .withYes()
    .withProgress()
    .withExamples(
      'azimuth apply hall.yaml --dry-run',
      'azimuth apply hall.yaml',
      'azimuth apply @gate3 hall.yaml --yes    (only this scanner of the file)',
    );
}

interface Options extends TransferOptions {
  readonly dryRun?: boolean;
}

async function apply(path: string, options: Options): Promise<void> {
  const text = await siteTextAt(path);
  const keys = scannersInFile(path, text);
  const named = options.device ?? (keys.length === 0 ? undefined : await deviceArguments(keys));
  const chosen: DeviceOptions = named === undefined ? options : { ...options, device: named };
  await withScanners(chosen, async (scanners) => {
    const site = await asDescribed(scanners.targets, (known) => new SiteFile(path, text, known));
    if (options.device === undefined) requireEach(keys, scanners.targets, path);
    const terminal = terminalOfCommand();
    const confirms = options.yes !== true && options.dryRun !== true;
    if (confirms && terminal === undefined) await confirm('', terminal);
    const plans = await scanners.each(async (target, output) => {
      const plan = await planFor(site, target);
      if (options.dryRun === true) await output.print(planJson(plan), () => planText(plan));
      else if (options.json !== true && !isDone(plan)) output.table(planText(plan).join('\n'));
      return plan;
    });
    if (options.dryRun === true || plans.size === 0) return;
    const changing = [...plans].filter(([, plan]) => !isDone(plan)).map(([target]) => target);
    if (confirms && changing.length > 0) await confirm(questionFor(changing, scanners, plans), terminal);
    await untilInterrupted(async (signal) => {
      await scanners.each(async (target, output) => {
        const plan = plans.get(target);
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
      });
    });
  });
}

/** @throws CommandFailure if the scanner is another one than in the file, or a parameter cannot be written */
async function planFor(site: SiteFile, target: Target): Promise<ChangePlan> {
  const { path } = site.file;
  const siteScanner = site.scannerNamed(target.label, target.url);
  if (siteScanner === undefined) throw new CommandFailure(`${path} says nothing about ${target.label}`);
  const scanner = scannerAt(target);
  if (siteScanner.serial !== undefined) {
    const serial = await scanner.read('SerialNumber');
    if (serial !== siteScanner.serial) {
      throw new CommandFailure(
        `${target.url} is scanner ${serial}, and ${path} has the parameters of scanner ${siteScanner.serial}. If the scanner was replaced, change serial in the file, or remove it`,
      );
    }
  }
  const plan = await changePlan(scanner, siteScanner.values, { level: target.user });
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
