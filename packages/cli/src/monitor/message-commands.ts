import { ClientError } from '@azimuth/client';
import type { CommandRights, MqttCommand } from '@azimuth/monitor';
import { CommandFailure } from '../command-failure.js';
import { scannerWithLogin } from '../scanners/connection.js';
import type { Target } from '../scanners/target.js';

/** Seconds for which the lamps of a scanner blink. */
const blinkSeconds = 30;

/**
 * Returns what messages may do with scanners, at the level and with the password of each.
 * @throws CommandFailure if the password of a scanner is not known: nobody is there to be asked
 */
export async function commandRights(
  allowed: readonly MqttCommand[],
  targets: readonly Target[],
): Promise<CommandRights> {
  for (const target of targets) await passwordOf(target);
  const byName = new Map(targets.map((target) => [target.label, target]));
  return {
    allowed,
    scanners: [...byName.keys()],
    carryOut: async (name, command) => {
      const target = byName.get(name);
      if (target !== undefined) await carryOut(target, command);
    },
  };
}

/** @throws Error with a message that has no secrets */
async function carryOut(target: Target, command: MqttCommand): Promise<void> {
  try {
    const scanner = await scannerWithLogin({ ...target, passwordOf: () => passwordOf(target) });
    if (command === 'reboot') await scanner.call('RebootDevice');
    else await scanner.call('FindMe', { uiDuration: blinkSeconds });
  } catch (error) {
    if (error instanceof ClientError || error instanceof CommandFailure) throw error;
    throw new Error('an internal error', { cause: error });
  }
}

async function passwordOf(target: Target): Promise<string> {
  const password = await target.knownPasswordOf(target.user);
  if (password !== undefined) return password;
  throw new CommandFailure(
    `commands over MQTT need the password of ${target.user} at ${target.label}: name a password-file in the devices file, or give --password-file`,
  );
}
