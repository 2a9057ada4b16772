import { CommandFailure } from '../command-failure.js';
import type { RolloutOptions } from '../options/command.js';
import { type Scanners, withScanners } from '../scanners/each-scanner.js';
import type { RolloutSubject } from './subject.js';

/**
 * Runs a command over the scanners that its options name: in steps with `--rolling` or `--resume`, else side by side.
 * @param act calls `change` of the scanners once
 * @throws CommandFailure for options that do not fit each other, and for a journal of another run
 */
export async function withRollout(
  options: RolloutOptions,
  subject: RolloutSubject,
  act: (scanners: Scanners) => Promise<void>,
): Promise<void> {
  if (options.rolling !== undefined || options.resume !== undefined) {
    const { runRollout } = await import('./rollout.js');
    await runRollout(options, subject, act);
    return;
  }
  const lost = (['pause', 'health', 'settle', 'journal'] as const).find(
    (name) => options[name] !== undefined,
  );
  if (lost !== undefined) throw new CommandFailure(`--${lost} needs --rolling: how many scanners at a time`);
  await withScanners(options, act);
}
