import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfThere, writeAtOnce } from '../files/written-file.js';
import {
  type ArchivedFile,
  type ArchivePlace,
  endings,
  type ScannerToArchive,
  type Stored,
} from './archived-files.js';
import { dateIn } from './nightly.js';

const day = 86_400_000;

/** Names of the files that the archive itself has written. */
const ownName = /^(backup|site)-(\d{4}-\d{2}-\d{2})\.(?:json|yaml)$/;

export interface ArchiveFolderOptions {
  readonly folder: string;
  /** IANA name of the time zone of the dates in file names. */
  readonly zone: string;
  /** Days for which files are kept. The newest ones of a scanner are always kept. */
  readonly keepDays: number;
}

/** Keeps a file of each kind for each scanner and day: `hall-gate3/backup-2026-05-04.json`. */
export class ArchiveFolder implements ArchivePlace {
  readonly #options: ArchiveFolderOptions;

  constructor(options: ArchiveFolderOptions) {
    this.#options = options;
  }

  async store(scanner: ScannerToArchive, files: readonly ArchivedFile[], at: number): Promise<Stored> {
    const { folder, zone, keepDays } = this.#options;
    const own = join(folder, scanner.folder);
    const before = await newestSite(own);
    for (const { kind, content } of files) {
      await writeAtOnce(join(own, `${kind}-${dateIn(zone, at)}.${endings[kind]}`), content);
    }
    await removeOlder(own, dateIn(zone, at - keepDays * day));
    const site = files.find(({ kind }) => kind === 'site');
    return { changes: site === undefined ? [] : scanner.changes(before, site.content) };
  }
}

async function newestSite(folder: string): Promise<Uint8Array | undefined> {
  const newest = (await ownFiles(folder)).findLast((name) => name.startsWith('site-'));
  return newest === undefined ? undefined : readIfThere(join(folder, newest));
}

/** Removes the files of earlier days, except the newest ones. @param first day that is kept: `2026-05-04` */
async function removeOlder(folder: string, first: string): Promise<void> {
  const names = await ownFiles(folder);
  for (const kind of Object.keys(endings)) {
    const ofKind = names.filter((name) => name.startsWith(`${kind}-`));
    const old = ofKind.slice(0, -1).filter((name) => (ownName.exec(name)?.[2] ?? '') < first);
    for (const name of old) await rm(join(folder, name), { force: true });
  }
}

/** Returns the names of the files of the archive in a folder, the oldest first. */
async function ownFiles(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => ownName.test(name)).toSorted();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
