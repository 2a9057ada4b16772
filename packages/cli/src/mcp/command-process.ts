import { spawn } from 'node:child_process';

/** Limits of what a command prints, in bytes. */
export const mostOutputBytes = 256 * 1024;
export const mostPictureBytes = 4 * 1024 * 1024;
const mostErrorBytes = 16 * 1024;

/** Time in ms that an interrupted command has to restore what it changed. */
const endsWithin = 2000;

export interface CommandLimits {
  readonly seconds: number;
  /** Bytes on its standard output. */
  readonly outputBytes: number;
}

/** End of a command: its exit code, or why it was interrupted. */
export type CommandEnd =
  | { readonly exitCode: number }
  | { readonly interrupted: 'cancelled' | 'time' | 'output' };

export interface CommandResult {
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly end: CommandEnd;
}

interface CommandRun {
  /** Words in front of those of the command: the file of the program, for Node. */
  readonly program: readonly string[];
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly standardInput?: string | undefined;
  readonly limits: CommandLimits;
  readonly signal: AbortSignal;
}

/** Runs a command in a process of its own, without a shell. It ends within its limits, or when the signal is aborted. */
export function runCommand({
  program,
  words,
  environment,
  standardInput,
  limits,
  signal,
}: CommandRun): Promise<CommandResult> {
  const child = spawn(process.execPath, [...program, ...words], {
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  const bytes = { stdout: 0, stderr: 0 };
  let interrupted: 'cancelled' | 'time' | 'output' | undefined;
  let killing: NodeJS.Timeout | undefined;
  const interrupt = (why: NonNullable<typeof interrupted>) => {
    if (interrupted !== undefined) return;
    interrupted = why;
    child.kill('SIGTERM');
    killing = setTimeout(() => child.kill('SIGKILL'), endsWithin).unref();
  };
  const cancel = () => interrupt('cancelled');
  const timer = setTimeout(() => interrupt('time'), limits.seconds * 1000);
  child.stdout.on('data', (chunk: Buffer) => {
    bytes.stdout += chunk.length;
    if (bytes.stdout > limits.outputBytes) interrupt('output');
    else stdout.push(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    if (bytes.stderr < mostErrorBytes) stderr.push(chunk.subarray(0, mostErrorBytes - bytes.stderr));
    bytes.stderr += chunk.length;
  });
  // A command that does not read its input closes it.
  child.stdin.on('error', () => undefined);
  child.stdin.end(standardInput);
  signal.addEventListener('abort', cancel);
  if (signal.aborted) cancel();
  return new Promise((resolve, reject) => {
    const ended = () => {
      clearTimeout(timer);
      clearTimeout(killing);
      signal.removeEventListener('abort', cancel);
    };
    child.once('error', (error) => {
      ended();
      reject(error);
    });
    child.once('close', (code) => {
      ended();
      resolve({
        stdout: Buffer.concat(stdout),
        stderr: Buffer.concat(stderr).toString(),
        end: interrupted === undefined ? { exitCode: code ?? 1 } : { interrupted },
      });
    });
  });
}
