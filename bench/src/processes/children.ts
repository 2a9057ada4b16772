import { type ChildProcess, type StdioOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

/** Time (ms) for a process to end after SIGTERM. */
const timeout = 5000;

/** A started process, the leader of its own process group. */
export type Child = ChildProcess & { readonly pid: number };

const running = new Set<Child>();

// An interrupted run leaves no process behind.
process.once('exit', () => {
  for (const child of running) signal(child, 'SIGKILL');
});
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => process.exit(1));

/** Servers have one core and the load another, so that neither takes time from the other. */
export const cores = { server: 0, load: 1 } as const;

export const pins = availableParallelism() > 1 && spawnSync('taskset', ['--version']).error === undefined;

interface Start {
  /** Undefined for all of them. */
  readonly core: number | undefined;
  readonly command: readonly string[];
  readonly stdio: StdioOptions;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a process on one core, or on all, without the settings for scanners and Node in the environment. */
export function start({ core, command, stdio, env = {} }: Start): Child {
  const [program = '', ...args] =
    pins && core !== undefined ? ['taskset', '-c', String(core), ...command] : command;
  const child = spawn(program, args, { stdio, env: { ...environment(), ...env }, detached: true });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program} could not be started`);
  const started = Object.assign(child, { pid });
  running.add(started);
  child.once('exit', () => running.delete(started));
  return started;
}

/** Ends a process and its descendants, and waits for it. */
export async function end(child: Child): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  const timer = setTimeout(() => signal(child, 'SIGKILL'), timeout);
  signal(child, 'SIGTERM');
  await exited;
  clearTimeout(timer);
}

function signal({ pid }: Child, name: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, name);
  } catch {
    // It has already ended.
  }
}

function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(AZIMUTH_|NODE_|npm_|VITEST)/i.test(name)),
  );
}
