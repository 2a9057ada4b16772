import {
  type BackupContent,
  type ChangePlan,
  changePlan,
  currentValues,
  type OwnPart,
  otherUnit,
  ownVariables,
  type PlannedParameter,
  parametersIn,
  parametersToWrite,
  plannedChanges,
  type Scanner,
} from '@azimuth/client';
import { counted, everyRestorePart, restorePartOf, restores } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import { bytesOfFile, maxFileBytes } from '../input/bounded-file.js';
import { confirm, terminalOfCommand } from '../input/prompt.js';
import { backupPassphrase } from '../input/secrets.js';
import {
  type Command,
  clientTimeout,
  type TimeoutOptions,
  type TransferOptions,
} from '../options/command.js';
import { wholeNumberOption } from '../options/option-values.js';
import { printable, untilInterrupted } from '../output/output.js';
import {
  otherUnitText,
  readBackupContent,
  requireBackup,
  requirePassphrase,
  requireUndamaged,
  unreadableUnit,
} from '../restore/backup-file.js';
import { changedParameters, changeTable } from '../restore/changes.js';
import { targetsText } from '../scanners/chosen.js';
import { scannerAt, scannerWithLogin } from '../scanners/connection.js';
import { withScanners } from '../scanners/each-scanner.js';
import { filePerScanner, placeholdersText } from '../scanners/file-per-scanner.js';
import type { Target } from '../scanners/target.js';
import type { TargetOutput } from '../scanners/target-output.js';
import { applied, commandsFor, remindOfNetwork, requireApplied } from '../site/apply-run.js';

export function defineCommand(command: Command): Command {
  return command
    .description(
      'Set the working and the stored parameters to those of a backup file. The command shows what will change before it asks for confirmation. If the backup is of another scanner, this scanner keeps its name and its network settings, unless you say otherwise. Afterwards the command lists the parameters that could not be restored.',
    )
    .argument('<file>', `the backup file. ${placeholdersText}`)
    .option(
      '--with-network',
      'take the network settings of another scanner, too: address, ports, device search',
    )
    .option('--with-name', 'take the name of another scanner, too (LocationName)')
    .option(
      '--filter <n>',
      'have the scanner restore some parts only: 1 fields, 2 network, 4 everything else, or a sum of these',
      wholeNumberOption(0, everyRestorePart),
    )
    .action((file: string) => restore(file, command.allOptions()))
    .withDeviceOptions()
    .withPassphrase()
    .withYes()
    .withTimeout('how long the scanner may take to restore the file, with a reboot if there is one', 600)
    .withExamples(
      'azimuth restore gate3.json',
      'azimuth restore gate3.json --passphrase-file secret.txt --yes',
      'azimuth restore @hall/* backups/{scanner}.json    (to each scanner its own backup)',
      'azimuth restore gate3.json --filter 1    (fields and evaluations only)',
      'azimuth restore gate3.json --with-network --with-name    (this scanner replaces the one of the backup)',
    );
}

interface Options extends TransferOptions, TimeoutOptions {
  readonly withNetwork?: boolean;
  readonly withName?: boolean;
  readonly filter?: number;
}

/** A backup file as read. */
interface BackupFile {
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Its content; undefined if only the scanner can read it. */
  readonly content: BackupContent | undefined;
}

/** The plan of a restore for one scanner. */
interface Restore {
  readonly file: BackupFile;
  /** The changes, if they are known. */
  readonly changes: readonly PlannedParameter[];
  /** The parameters to write one by one; undefined if the scanner restores the whole file itself. */
  readonly plan: ChangePlan | undefined;
}

/**
 * Restores the parameters of a backup file, and lists those that could not be restored: exit code 1. A scanner
 * restores its own backup itself. If the backup is of another scanner, the parameters are written one by one, without
 * name and network. Before that, and before a question, a table on stderr shows the changes.
 */
async function restore(path: string, options: Options): Promise<void> {
  const passphrase = await backupPassphrase(options);
  const terminal = terminalOfCommand();
  const confirms = options.yes !== true;
  await withScanners(options, async (scanners) => {
    const files = await backupFiles(filePerScanner(path, scanners), passphrase);
    for (const target of scanners.targets) scannerAt(target); // Reports a wrong URL before any question.
    const question = `Replace the parameters of ${targetsText(scanners.targets)} by those of ${path}?`;
    if (confirms && terminal === undefined) await confirm(question, terminal);
    const planned = await scanners.each(async (target, output) => {
      const file = files.get(target);
      if (file === undefined) throw new RangeError(`no file for ${target.label}`);
      return plannedRestore(file, target, { options, output, asks: confirms, passphrase });
    });
    if (confirms && planned.size > 0) await confirm(question, terminal);
    await scanners.each(async (target, output) => {
      const restore = planned.get(target);
      if (restore === undefined) return;
      const { failed, ...result } = await restored(restore, target, output, { options, passphrase });
      const changes = restore.changes.map(({ name, from, to }) => ({ name, from, to }));
      await output.print({ failed, ...result, changes }, () => failed.map(printable));
      if (failed.length === 0) {
        output.done('restored and saved');
        return;
      }
      const count = counted(failed.length, 'parameter');
      throw new CommandFailure(`${count} could not be restored; all others were restored`, 'refused');
    });
  });
}

interface RestoreContext {
  readonly options: Options;
  readonly passphrase: string | undefined;
}

/** Restores, and reports the parameters that could not be restored. */
async function restored(
  { file, plan }: Restore,
  target: Target,
  output: TargetOutput,
  { options, passphrase }: RestoreContext,
): Promise<{ readonly failed: readonly string[]; readonly rebooted: boolean }> {
  const scanner = await scannerWithLogin(target);
  if (plan === undefined) {
    const { filter } = options;
    output.progress().stage('The scanner restores the backup');
    return scanner.restore(file.bytes, {
      ...clientTimeout(options),
      passphrase,
      filter,
    });
  }
  const result = await untilInterrupted((signal) => applied(scanner, plan, { target, output, signal }));
  if (result === undefined) throw new CommandFailure('stopped', 'refused');
  for (const command of commandsFor(result, target)) output.remark(command);
  await requireApplied(result);
  remindOfNetwork(result.written, output);
  const failed = plan.parameters.filter(({ act, skipped }) => act === 'skip' && skipped !== 'own');
  return { failed: failed.map(({ name }) => name), rebooted: false };
}

async function backupFiles(
  paths: ReadonlyMap<Target, string>,
  passphrase: string | undefined,
): Promise<ReadonlyMap<Target, BackupFile>> {
  const files = new Map<Target, BackupFile>();
  for (const [target, path] of paths) {
    const bytes = Uint8Array.from(await bytesOfFile(path, { limit: maxFileBytes.backup }));
    await requireBackup(path, bytes);
    requirePassphrase(path, bytes, passphrase);
    files.set(target, { path, bytes, content: await readBackupContent(bytes, passphrase) });
  }
  return files;
}

/**
 * Plans the restore for a scanner, and shows the plan if a person has to confirm it.
 * @throws CommandFailure if only the scanner can read the file, and it may be of another one
 */
async function plannedRestore(
  file: BackupFile,
  target: Target,
  { options, output, asks, passphrase }: RestoreContext & { output: TargetOutput; asks: boolean },
): Promise<Restore> {
  const { path, content } = file;
  const reader = scannerAt(target);
  const retained = retainedParts(options);
  if (content === undefined) {
    if (retained.length === 0) return { file, changes: [], plan: undefined };
    throw new CommandFailure(
      `${unreadableUnit(path)}. Nothing was changed. To restore it anyway, with network and name: --with-network --with-name`,
    );
  }
  const other = otherUnit(content, await currentValues(reader, ownVariables));
  if (other === undefined || retained.length === 0) {
    const showsChanges = asks || other !== undefined;
    const changes =
      showsChanges || options.json === true ? await changesBy(content, reader, options.filter) : [];
    if (showsChanges) output.table(changeTable(changes));
    return { file, changes, plan: undefined };
  }
  if (options.filter !== undefined) {
    throw new CommandFailure(
      `${otherUnitText(path, reader.url, other)}: --filter works only with --with-network and --with-name there`,
    );
  }
  await requireUndamaged(path, file.bytes, passphrase);
  const plan = await changePlan(reader, content.values, { level: target.user, retained });
  output.remark(`${otherUnitText(path, reader.url, other)}. ${retainedText(retained)}`);
  const changes = parametersToWrite(plan);
  output.table(changeTable(changes));
  return { file, changes, plan };
}

/** Returns the parts that a scanner keeps if the backup is of another one. */
function retainedParts({ withNetwork, withName }: Options): readonly OwnPart[] {
  return [
    ...(withNetwork === true ? [] : (['network'] as const)),
    ...(withName === true ? [] : (['name'] as const)),
  ];
}

function retainedText(retained: readonly OwnPart[]): string {
  const words = { network: 'network settings (--with-network)', name: 'name (--with-name)' };
  return `It keeps its ${retained.map((part) => words[part]).join(' and its ')}`;
}

/** Returns the changes if the scanner restores this content itself. */
async function changesBy(
  content: BackupContent,
  scanner: Pick<Scanner, 'readAny' | 'description'>,
  filter = 0,
): Promise<readonly PlannedParameter[]> {
  const known = await scanner.description.ofNames(content.values.keys());
  const now = await currentValues(scanner, parametersIn(content, known));
  return changedParameters(plannedChanges(content.values, now, { known })).filter(
    ({ variable }) => variable !== undefined && restores(filter, restorePartOf(variable)),
  );
}
