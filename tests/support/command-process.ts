import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { service } from './client.js';
import type { ScannerProcess } from './scanner-process.js';

const bin = fileURLToPath(new URL('../../packages/cli/bin/azimuth.js', import.meta.url));

export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

/** Runs the command in its own process. */
export async function azimuth(
  argv: readonly string[],
  scanner?: ScannerProcess,
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('AZIMUTH_'));
  const child = spawn(process.execPath, [bin, ...argv], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...Object.fromEntries(inherited),
      AZIMUTH_DEVICE: `http://127.0.0.1:${scanner?.httpPort}`,
      AZIMUTH_PASSWORD: service.password,
      ...env,
    },
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { stdout, stderr, code: Number(code) };
}

/** A success without output. */
export const quiet: Outcome = { stdout: '', stderr: '', code: 0 };
