import { randomBytes } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { backupContent } from '@azimuth/client';
import { sameJson } from '@azimuth/model';
import { writeAtOnce } from '../files/written-file.js';
import {
  type ArchivedFile,
  type ArchivePlace,
  endings,
  type ScannerToArchive,
  type Stored,
} from './archived-files.js';
import { commitMessage } from './commit-message.js';
import { type CommitAuthor, Git, textOf } from './git.js';

export interface ArchiveRepositoryOptions {
  /** The folder of the work tree. It becomes one if it is none. */
  readonly folder: string;
  readonly author: CommitAuthor;
  /** Name or path of git. */
  readonly program?: string | undefined;
}

/**
 * Keeps the newest file of each kind for each scanner in a git work tree: `hall-gate3/backup.json`. What changes is a
 * commit. Files of others, and what they have staged, are not in it.
 */
export class ArchiveRepository implements ArchivePlace {
  readonly #options: ArchiveRepositoryOptions;
  readonly #git: Git;
  #gitFolder = '';

  private constructor(options: ArchiveRepositoryOptions) {
    this.#options = options;
    this.#git = new Git(options.folder, options.author, options.program);
  }

  /** Opens a work tree. @throws NoGit, Error if git refuses the folder */
  static async open(options: ArchiveRepositoryOptions): Promise<ArchiveRepository> {
    const { folder } = options;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const repository = new ArchiveRepository(options);
    const isThere = await stat(join(folder, '.git')).then(
      () => true,
      () => false,
    );
    // A template could bring hooks.
    if (!isThere) await repository.#git.call(['init', '--quiet', '--template=', '--initial-branch=main']);
    repository.#gitFolder = resolve(folder, await repository.#git.line(['rev-parse', '--git-dir']));
    return repository;
  }

  /** A folder for files that belong to no commit. */
  get stateFolder(): string {
    return this.#gitFolder;
  }

  async store(scanner: ScannerToArchive, files: readonly ArchivedFile[]): Promise<Stored> {
    const { folder } = this.#options;
    const head = await this.#head();
    const before = new Map(
      await Promise.all(
        files.map(async ({ kind }) => [kind, await this.#committed(head, pathOf(scanner, kind))] as const),
      ),
    );
    const isOld = before.get('site') !== undefined;
    const site = files.find(({ kind }) => kind === 'site');
    const changes = site === undefined ? [] : scanner.changes(before.get('site'), site.content);
    const contents = new Map(
      files.map((file) => {
        const { kind, content } = file;
        const isSameSite = isOld && changes.length === 0;
        return [pathOf(scanner, kind), saysTheSame(file, before.get(kind), isSameSite) ?? content];
      }),
    );
    for (const [path, content] of contents) await writeAtOnce(join(folder, path), content);
    await this.#commit(head, contents, commitMessage(scanner.name, { isFirst: !isOld, changes }));
    return { changes: isOld ? changes : [] };
  }

  /**
   * Commits files if they differ from those of the last commit. It works on an index of its own, and on the bytes as they
   * are: so no filter and no hook runs, and what others have staged is not in the commit.
   */
  async #commit(
    head: string | undefined,
    contents: ReadonlyMap<string, Uint8Array>,
    message: string,
  ): Promise<void> {
    const index = join(this.#gitFolder, `azimuth-archive.${randomBytes(4).toString('hex')}.index`);
    const git = this.#git.withIndex(index);
    try {
      if (head !== undefined) await git.call(['read-tree', head]);
      const entries: string[] = [];
      for (const [path, content] of contents) {
        const blob = await git.line(['hash-object', '-w', '--no-filters', '--stdin'], content);
        entries.push('--cacheinfo', `100644,${blob},${path}`);
      }
      await git.call(['update-index', '--add', ...entries]);
      const tree = await git.line(['write-tree']);
      if (head === undefined || tree !== (await git.line(['rev-parse', `${head}^{tree}`]))) {
        const parents = head === undefined ? [] : ['-p', head];
        const commit = await git.line(['commit-tree', tree, ...parents, '-F', '-'], Buffer.from(message));
        // Fails if somebody has committed meanwhile: the next try begins with that commit.
        await git.call(['update-ref', 'HEAD', commit, head ?? '']);
      }
      // An earlier try may have ended before this line: the next commit of a person would take its commit back.
      await this.#git.call(['update-index', '--add', ...entries]);
    } finally {
      await rm(index, { force: true });
    }
  }

  /** Returns the last commit; undefined before the first one. */
  async #head(): Promise<string | undefined> {
    const { code, stdout } = await this.#git.result(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
    return code === 0 ? textOf(stdout) : undefined;
  }

  /** Returns a file as it was committed last; undefined if it never was. */
  async #committed(head: string | undefined, path: string): Promise<Uint8Array | undefined> {
    if (head === undefined) return undefined;
    const { code, stdout } = await this.#git.result(['cat-file', 'blob', `${head}:./${path}`]);
    return code === 0 ? stdout : undefined;
  }
}

function pathOf({ folder }: ScannerToArchive, kind: ArchivedFile['kind']): string {
  return `${folder}/${kind}.${endings[kind]}`;
}

/**
 * Returns the committed file if a new one says nothing else: a backup may have the time at which it was made, and an
 * encrypted one never has the same bytes twice.
 * @param isSameSite true if the site file of the scanner has the same values
 */
function saysTheSame(
  { kind, content }: ArchivedFile,
  before: Uint8Array | undefined,
  isSameSite: boolean,
): Uint8Array | undefined {
  if (kind !== 'backup' || before === undefined) return undefined;
  const [old, now] = [backupContent(before), backupContent(content)];
  if (old === undefined && now === undefined) return isSameSite ? before : undefined;
  if (old === undefined || now === undefined) return undefined;
  const isSame =
    old.version === now.version &&
    old.serialNumber === now.serialNumber &&
    sameJson(Object.fromEntries(old.values), Object.fromEntries(now.values));
  return isSame ? before : undefined;
}
