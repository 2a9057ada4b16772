import { Mutex } from '@azimuth/async';
import type { LoginLevel } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import type { RolloutOptions } from '../options/command.js';
import { withRollout } from '../rollout/with-rollout.js';
import { scannerOfCommand } from '../scanners/command-environment.js';
import { scannerAt } from '../scanners/connection.js';
import { storedPath } from '../scanners/devices-content.js';
import { DevicesFile } from '../scanners/devices-file.js';
import type { Scanners } from '../scanners/each-scanner.js';
import { CommandKeeper, FileKeeper, type PasswordKeeper } from './password-keeper.js';
import { PasswordRotation } from './rotation.js';

/** The place for generated passwords. */
export interface GenerateOptions extends RolloutOptions {
  readonly store?: string;
  readonly storeCommand?: string;
  readonly showCommand?: string;
  readonly devices?: boolean;
}

/** Gives each scanner a password of its own, step by step. It is kept before it is set. */
export async function generatePasswords(
  level: LoginLevel,
  options: GenerateOptions,
  words: readonly string[],
): Promise<void> {
  const rotation = new PasswordRotation(keeperOf(options), level);
  const rolling = options.rolling ?? (options.resume === undefined ? 1 : undefined);
  const facts = { level, kept: options.store ?? options.storeCommand ?? '' };
  const subject = { command: 'password', words, facts };
  await withRollout({ ...options, rolling }, subject, async (scanners) => {
    for (const target of scanners.targets) scannerAt(target); // Reports a wrong URL before anything is set.
    const found = await devicesThatFind(options, level, scanners);
    await scanners.change({
      readBefore: async (target) => ({ proven: await rotation.provenAt(target) }),
      isInForce: async (target, before) => {
        if (!(await rotation.isInForce(target, before.proven))) return false;
        await found(target.label);
        return true;
      },
      act: async (target, output) => {
        await rotation.rotate(target);
        await found(target.label);
        await output.print({ level, kept: options.store ?? 'command' }, () => []);
        output.done(`${level} has a new password`);
      },
    });
  });
}

/** @throws CommandFailure for options that do not fit each other */
function keeperOf({ store, storeCommand, showCommand }: GenerateOptions): PasswordKeeper {
  if (store !== undefined && storeCommand === undefined && showCommand === undefined)
    return new FileKeeper(store);
  if (store === undefined && storeCommand !== undefined && showCommand !== undefined) {
    return new CommandKeeper(storeCommand, showCommand);
  }
  throw new CommandFailure(
    '--generate needs a place for the passwords: --store FILE, or --store-command and --show-command',
  );
}

/**
 * Returns the command for a devices file. A command that does not mention AZIMUTH_SCANNER runs once, for all scanners that
 * have it: a program that reads it would print the password of the first one, and all others would get that.
 */
function askedForEach(showCommand: string): string {
  return showCommand.includes(scannerOfCommand) ? showCommand : `export ${scannerOfCommand}; ${showCommand}`;
}

/**
 * Lets the devices file find the passwords, with `--devices`: the file of all passwords at once, and a command with
 * each scanner whose password is proven. What a scanner had before would be wrong from then on.
 * @returns what to do with a scanner whose password is proven
 */
async function devicesThatFind(
  { devices: isAsked = false, store, showCommand }: GenerateOptions,
  level: LoginLevel,
  { targets }: Scanners,
): Promise<(label: string) => Promise<void>> {
  if (!isAsked) return () => Promise.resolve();
  const { content, path } = await DevicesFile.read();
  const unnamed = targets.find(({ label }) => !content.devices.some(({ name }) => name === label));
  if (unnamed !== undefined) {
    throw new CommandFailure(
      `${unnamed.label} has no name in ${path}: --devices needs azimuth devices add NAME URL`,
    );
  }
  if (store !== undefined) {
    const file = await DevicesFile.read();
    file.setPasswords(storedPath(store));
    await file.write();
  }
  const changes = new Mutex();
  return (label) =>
    changes.run(async () => {
      const file = await DevicesFile.read();
      const device = file.content.devices.find(({ name }) => name === label);
      // The password that the device has of its own is of another level.
      if (store !== undefined && (device?.user ?? 'Service') !== level) return;
      file.setPasswordCommand(label, showCommand === undefined ? undefined : askedForEach(showCommand));
      await file.write();
    });
}
