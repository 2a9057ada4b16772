import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { isObject } from '@azimuth/model';
import { Reader } from '@azimuth/test-support/serve-process';
import { onTestFinished } from 'vitest';

const bin = fileURLToPath(new URL('../../../packages/cli/bin/azimuth.js', import.meta.url));

/** `azimuth gui` that runs. */
export interface GuiCommand {
  /** Of its pages. */
  readonly url: string;
  /** Ends it as Ctrl-C does, and waits until it has ended. */
  end(): Promise<void>;
}

/** `azimuth gui` for these scanners, ended with the test at the latest. */
export async function startGuiCommand(...urls: readonly string[]): Promise<GuiCommand> {
  const child = spawn(process.execPath, [bin, 'gui', '--port', '0', '--json', ...urls], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const end = async (signal: 'SIGINT' | 'SIGTERM') => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await exited;
  };
  onTestFinished(() => end('SIGTERM'));
  const reader = new Reader(child.stdout);
  await reader.until((text) => text.includes('\n'));
  const line: unknown = JSON.parse(reader.text.split('\n')[0] ?? '');
  return { url: isObject(line) ? String(line.url) : '', end: () => end('SIGINT') };
}

/** `azimuth gui` for these scanners, ended with the test. @returns the URL of its pages */
export async function guiCommand(...urls: readonly string[]): Promise<string> {
  return (await startGuiCommand(...urls)).url;
}
