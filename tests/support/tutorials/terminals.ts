import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { isAsExpected, type Typed } from './tutorial.js';

/** Time in which a program has to print what is expected. */
const longestStart = 20_000;

/** The first terminal: its folder and its environment stay from one command to the next. */
export class Shell {
  constructor(
    public cwd: string,
    public env: NodeJS.ProcessEnv,
  ) {}

  /** Runs a command, and gives all that it prints. */
  async run(command: string): Promise<string> {
    const script = `{ ${command}\n} 2>&1; { pwd; env -0; } >&3`;
    const child = spawn('bash', ['--norc', '-c', script], {
      cwd: this.cwd,
      env: this.env,
      stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    });
    const [, stdout, , state] = child.stdio;
    if (stdout === null || !(state !== null && state !== undefined && 'read' in state))
      throw new Error('no output to read');
    const [printed, after] = await Promise.all([text(stdout), text(state), once(child, 'close')]);
    const [folder = ''] = after.split('\n', 1);
    const variables = after.slice(folder.length + 1).split('\0');
    this.cwd = folder;
    this.env = Object.fromEntries(
      variables.filter(Boolean).map((line) => {
        const at = line.indexOf('=');
        return [line.slice(0, at), line.slice(at + 1)];
      }),
    );
    return printed;
  }
}

/** A terminal that a program keeps busy. */
export class BusyTerminal {
  #child: ChildProcess | undefined;
  #printed = '';

  /** Ends what runs here, as Ctrl-C does, and starts the next program. Gives what it has printed when it is as expected. */
  async start({ command, output }: Pick<Typed, 'command' | 'output'>, { cwd, env }: Shell): Promise<string> {
    await this.end();
    this.#printed = '';
    const child = spawn('bash', ['--norc', '-c', `{ ${command}\n} 2>&1`], {
      ...{ cwd, env, detached: true },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    child.stdout.on('data', (data) => {
      this.#printed += String(data);
    });
    const signal = AbortSignal.timeout(longestStart);
    while (!isAsExpected(this.#printed, output)) {
      try {
        await once(child.stdout, 'data', { signal });
      } catch {
        return this.#printed;
      }
    }
    return this.#printed;
  }

  async end(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    // The whole group, as a terminal does.
    process.kill(-child.pid, 'SIGINT');
    await closed;
  }
}
