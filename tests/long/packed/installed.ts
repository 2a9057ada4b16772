import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const root = fileURLToPath(new URL('../../..', import.meta.url));
const limits = { timeout: 100_000, maxBuffer: 4 << 20 };

/** Without the settings of the command and of npm, and without a network. */
const environment = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(AZIMUTH|NODE|VITEST|npm)(_|$)/.test(name)),
  ),
  npm_config_offline: 'true',
};

/** Runs a program to its end; rejects with what it printed if it fails. */
export async function run(program: string, words: readonly string[], cwd: string): Promise<string> {
  const options = { ...limits, cwd, env: environment };
  const { stdout } = await promisify(execFile)(program, words, options).catch((error: unknown) => {
    throw new Error(`${program} ${words.join(' ')}: ${JSON.stringify(error)}`, { cause: error });
  });
  return stdout;
}

/** A new project in which the packed file was installed by a plain `npm install`. */
export class Project {
  readonly folder = mkdtempSync(join(tmpdir(), 'azimuth-packed-'));
  readonly project = join(this.folder, 'project');

  private constructor() {
    mkdirSync(this.project);
    // Without it, npm would install into a folder above, if there is a project.
    this.write('package.json', '{}');
  }

  static async install(): Promise<Project> {
    const made = new Project();
    await run(process.execPath, [join(root, 'scripts', 'pack.mjs'), made.folder], root);
    await run('npm', ['install', made.file], made.project);
    return made;
  }

  /** The packed file. */
  get file(): string {
    const [file = ''] = readdirSync(this.folder).filter((name) => name.endsWith('.tgz'));
    return join(this.folder, file);
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.project, name), text);
  }

  /** What a program of Node in the project prints. */
  node(...words: string[]): Promise<string> {
    return run(process.execPath, words, this.project);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
