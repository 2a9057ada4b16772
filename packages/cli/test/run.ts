import { vi } from 'vitest';
import { main } from '../src/main.js';

export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** Runs the command within this process, and returns its output and its exit code. */
export function azimuth(...argv: readonly string[]): Promise<Outcome> {
  return outcomeOf(main, argv);
}

/** Runs one of the programs of the command within this process. */
export async function outcomeOf(program: typeof main, argv: readonly string[]): Promise<Outcome> {
  const printed = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      printed[name] += typeof text === 'string' ? text : Buffer.from(text).toString();
      return true;
    }),
  );
  process.exitCode = undefined;
  try {
    await program(argv);
    return { ...printed, exitCode: Number(process.exitCode ?? 0) };
  } finally {
    process.exitCode = undefined;
    for (const spy of spies) spy.mockRestore();
  }
}
