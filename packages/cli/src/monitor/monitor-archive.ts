import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Scanner } from '@azimuth/client';
import { backupRestore, builtInInterface, type KnownInterface, releaseOf } from '@azimuth/model';
import {
  Archive,
  type ArchivedFile,
  ArchiveFolder,
  type ArchivePlace,
  ArchiveRepository,
  type CommitAuthor,
  type Fetched,
  type LogEntry,
  type MonitorClock,
  NoGit,
  type ScannerToArchive,
} from '@azimuth/monitor';
import { CommandFailure, systemErrorText } from '../command-failure.js';
import { backupPassphrase } from '../input/secrets.js';
import type { DeviceOptions } from '../options/command.js';
import { remark } from '../output/output.js';
import { chosenScanners } from '../scanners/chosen.js';
import { scannerAt, scannerWithLogin } from '../scanners/connection.js';
import { DevicesFile } from '../scanners/devices-file.js';
import { type Target, targetFileName } from '../scanners/target.js';
import { exportedFrom } from '../site/exported-scanner.js';
import { siteChanges } from '../site/site-changes.js';
import { exportedText } from '../site/site-document.js';
import type { ArchiveContent } from './archive-section.js';

const day = 86_400_000;

/** Defaults of the section. */
const usual = { at: '02:30', spread: 3_600_000, keep: 90 * day } as const;

interface Means {
  readonly clock: MonitorClock;
  readonly log: (entry: LogEntry) => Promise<void>;
  readonly reportError: (error: unknown) => void;
  /** The options with which the scanners were named. */
  readonly options: DeviceOptions;
}

/** Opens the archive of a monitor. @throws CommandFailure if its folder cannot be used */
export async function openArchive(
  section: ArchiveContent,
  targets: readonly Target[],
  { clock, log, reportError, options }: Means,
): Promise<Archive> {
  const passphraseFile = section['passphrase-file'];
  const passphrase = await backupPassphrase(passphraseFile === undefined ? {} : { passphraseFile });
  const zone = section['time-zone'] ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [hour = 0, minute = 0] = (section.at ?? usual.at).split(':').map(Number);
  try {
    const { place, stateFolder } = await openPlace(section, zone);
    return await Archive.open({
      ...{ clock, log, reportError, place, stateFolder, time: { hour, minute, zone } },
      scanners: targets.map((target) => archivedScanner(target, options, passphrase)),
      spreadMinutes: (section.spread ?? usual.spread) / 60_000,
    });
  } catch (error) {
    if (error instanceof RangeError) throw new CommandFailure(`archive: ${error.message}`);
    if (!(error instanceof Error)) throw error;
    throw new CommandFailure(`${section.folder} cannot be the archive: ${systemErrorText(error)}`, 'refused');
  }
}

async function openPlace(
  { folder, git, author, keep }: ArchiveContent,
  zone: string,
): Promise<{ readonly place: ArchivePlace; readonly stateFolder: string }> {
  if (git ?? (await isThere(join(folder, '.git')))) {
    try {
      const repository = await ArchiveRepository.open({ folder, author: authorIn(author) });
      return { place: repository, stateFolder: repository.stateFolder };
    } catch (error) {
      if (!(error instanceof NoGit)) throw error;
      remark(`${error.message}: the archive in ${folder} is without commits, with a file for each day`);
    }
  }
  const keepDays = Math.ceil((keep ?? usual.keep) / day);
  return { place: new ArchiveFolder({ folder, zone, keepDays }), stateFolder: folder };
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function authorIn(text: string | undefined): CommitAuthor {
  const [, name = 'azimuth monitor', email = `azimuth@${hostname()}`] =
    /^(.*) <(.*)>$/.exec(text ?? '') ?? [];
  return { name, email };
}

function archivedScanner(
  target: Target,
  options: DeviceOptions,
  passphrase: string | undefined,
): ScannerToArchive {
  const { label } = target;
  let known: KnownInterface = builtInInterface;
  let isRemarked = false;
  return {
    ...{ name: label, folder: targetFileName(target) },
    fetch: async () => {
      // Passwords and addresses change over years: each night takes what the devices file has then.
      const now = await asNamedNow(target, options);
      const scanner = scannerAt(now);
      const exported = await exportedFrom(scanner, { key: label, changed: false, remark: () => undefined });
      known = await scanner.description.whole();
      const text = exportedText('', undefined, [exported], { known });
      const site: ArchivedFile = { kind: 'site', content: Buffer.from(text) };
      if (!(await makesBackups(scanner))) return { files: [site] };
      return withBackup(site, now, {
        passphrase,
        withoutPassword: () => {
          if (!isRemarked)
            remark(`${label}: no password of Service is known, so only its site file is archived`);
          isRemarked = true;
        },
      });
    },
    changes: (before, after) =>
      before === undefined
        ? []
        : siteChanges(
            label,
            [Buffer.from(before).toString('utf8'), Buffer.from(after).toString('utf8')],
            known,
          ),
  };
}

async function asNamedNow({ label, url }: Target, options: DeviceOptions): Promise<Target> {
  const { content } = await DevicesFile.read();
  const isNamed = content.devices.some(({ name }) => name === label);
  const { targets } = await chosenScanners({ ...options, device: [isNamed ? `@${label}` : url] });
  return targets[0];
}

async function makesBackups(scanner: Scanner): Promise<boolean> {
  const { Version } = await scanner.read('DeviceIdent');
  const { CreateParameterBackup } = backupRestore.members;
  return CreateParameterBackup.isIn({ release: releaseOf(Version), variant: 'full' });
}

/** Adds the backup. A scanner whose password nobody has told has none. */
async function withBackup(
  site: ArchivedFile,
  target: Target,
  {
    passphrase,
    withoutPassword,
  }: { readonly passphrase: string | undefined; readonly withoutPassword: () => void },
): Promise<Fetched> {
  try {
    if ((await target.knownPasswordOf('Service')) === undefined) {
      withoutPassword();
      return { files: [site] };
    }
    const scanner = await scannerWithLogin({ ...target, user: 'Service' });
    return { files: [{ kind: 'backup', content: await scanner.backup({ passphrase }) }, site] };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { files: [site], failure: error };
  }
}
