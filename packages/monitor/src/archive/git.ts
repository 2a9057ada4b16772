import { execFile } from 'node:child_process';
import { devNull } from 'node:os';

/** Longest time (ms) for one call of git. */
const timeout = 60_000;

/** Largest output (bytes) of one call: a file of the archive. */
const mostOutput = 32 * 1024 * 1024;

/** Settings that let a repository run no program of its own. */
const settings = {
  'core.hooksPath': devNull,
  'core.fsmonitor': 'false',
  'commit.gpgSign': 'false',
} as const;

/** Result of a call. */
export interface GitResult {
  /** The exit code. */
  readonly code: number;
  readonly stdout: Uint8Array;
  readonly stderr: string;
}

/** This computer has no git. */
export class NoGit extends Error {
  override readonly name = 'NoGit';
}

export interface CommitAuthor {
  readonly name: string;
  readonly email: string;
}

/** Calls git in a folder: without a shell, and without the settings of the user and of the computer. */
export class Git {
  readonly #folder: string;
  readonly #author: CommitAuthor;
  readonly #program: string;

  readonly #index: string | undefined;

  /**
   * @param program name or path of git
   * @param index file of an index of its own; by default, that of the work tree
   */
  constructor(folder: string, author: CommitAuthor, program = 'git', index?: string) {
    this.#folder = folder;
    this.#author = author;
    this.#program = program;
    this.#index = index;
  }

  /** Returns the same with an index of its own. */
  withIndex(index: string): Git {
    return new Git(this.#folder, this.#author, this.#program, index);
  }

  /** Calls git, and returns its output as one line. @throws as `call` */
  async line(words: readonly string[], input?: Uint8Array): Promise<string> {
    return textOf(await this.call(words, input));
  }

  /** Calls git. A path in `words` means itself: it has no patterns. @throws Error that names the reason if git fails */
  async call(words: readonly string[], input?: Uint8Array): Promise<Uint8Array> {
    const { code, stdout, stderr } = await this.result(words, input);
    if (code === 0) return stdout;
    throw new Error(`git ${words[0]} failed with exit code ${code}: ${firstLine(stderr)}`);
  }

  /** Calls git, also if another exit code than 0 is expected. @throws NoGit, or Error if it takes too long */
  result(words: readonly string[], input?: Uint8Array): Promise<GitResult> {
    const { name, email } = this.#author;
    const given = { ...settings, 'user.name': name, 'user.email': email };
    const options = Object.entries(given).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
    return new Promise((resolve, reject) => {
      const child = execFile(
        this.#program,
        [...options, ...words],
        {
          cwd: this.#folder,
          env: environment(this.#index),
          encoding: 'buffer',
          timeout,
          maxBuffer: mostOutput,
        },
        (error, stdout, stderr) => {
          if (error === null) resolve({ code: 0, stdout, stderr: '' });
          else if (error.code === 'ENOENT') reject(new NoGit(`there is no program ${this.#program}`));
          else if (typeof error.code === 'number') {
            resolve({ code: error.code, stdout, stderr: stderr.toString('utf8') });
          } else reject(new Error(`git ${words[0]} did not end in time`, { cause: error }));
        },
      );
      // Git may end before it has read everything; its exit code tells.
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(input);
    });
  }
}

/** Variables such as GIT_DIR would lead to another repository. */
function environment(index: string | undefined): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  return {
    ...Object.fromEntries(own),
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_TERMINAL_PROMPT: '0',
    GIT_LITERAL_PATHSPECS: '1',
    ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
  };
}

/** Returns an output as a text without the line feed at its end. */
export function textOf(output: Uint8Array): string {
  return Buffer.from(output).toString('utf8').replace(/\n$/, '');
}

function firstLine(text: string): string {
  return (text.split('\n').find((line) => line !== '') ?? '').slice(0, 200);
}
