import { NotDoneError } from '@azimuth/client';
import { type LoginLevel, levelNames, loginLevels } from '@azimuth/model';
import { Command, type DeviceOptions } from '../options/command.js';
import { canLogIn, loginLevelNamed, scannerAt, scannerWithLogin } from '../scanners/connection.js';
import { eachScanner } from '../scanners/each-scanner.js';
import type { Target } from '../scanners/target.js';
import { methodNamed } from '../values/endpoint-names.js';
import { formattedLines } from '../values/format-value.js';

export function defineCommand(command: Command): Command {
  command
    .description(
      'List the user levels. A scanner does not report which of them are enabled. To find out for one level, give it with --user, and its password: the command tries to log in.',
    )
    .action(() => listUsers(command.allOptions()));
  command.addCommand(switchCommand('enable', true)).addCommand(switchCommand('disable', false));
  return command
    .withDeviceOptions()
    .withExamples(
      'azimuth users',
      'azimuth users --user Maintenance --password-file main.txt',
      'azimuth users enable AuthorizedClient',
      'azimuth users disable Maintenance',
    );
}

function switchCommand(name: string, enabled: boolean): Command {
  const command = new Command(name)
    .summary(`${name} a user level`)
    .description(
      `${enabled ? 'Enable' : 'Disable'} a user level. Only Service can do this. The change is saved at once.`,
    )
    .argument('<level>', 'Maintenance or AuthorizedClient')
    .action((level: string) => switchUser(level, enabled, command.allOptions()));
  return command.withDeviceOptions().withExamples(`azimuth users ${name} Maintenance`);
}

interface User {
  readonly level: LoginLevel;
  /** True if enabled; null if it is not known. */
  readonly enabled: boolean | null;
  readonly note: string;
}

/** Prints the user levels of REST, the highest first. */
async function listUsers(options: DeviceOptions): Promise<void> {
  await eachScanner(options, async (target, output) => {
    const { Version } = await scannerAt(target).read('DeviceIdent');
    const tried = await triedLevel(target);
    const users = loginLevels
      .toReversed()
      .map((level) => (tried?.level === level ? tried : withoutTrying(level, Version)));
    await output.print(users, () =>
      formattedLines(users.map(({ level, enabled, note }) => [level, `${stateText(enabled)}  ${note}`])),
    );
  });
}

/** Switches a user level of REST on or off. */
async function switchUser(name: string, isEnabled: boolean, options: DeviceOptions): Promise<void> {
  const userLevel = levelNames.indexOf(loginLevelNamed(name));
  await eachScanner(options, async (target, output) => {
    const scanner = await scannerWithLogin(target);
    const method = 'EnableUserLevel';
    const refusal = methodNamed(method).refusalIn(await scanner.call(method, { userLevel, isEnabled }));
    if (refusal !== undefined) throw NotDoneError.refused(method, refusal, `${name} has not changed`);
    output.done(`${name} is ${isEnabled ? 'on' : 'off'}, and saved`);
  });
}

/**
 * Tries to log in at the level of `--user` if its password is known without a question. A failed login counts for the
 * lock.
 */
async function triedLevel(target: Target): Promise<User | undefined> {
  if ((await target.knownPasswordOf(target.user)) === undefined) return undefined;
  const scanner = await scannerWithLogin(target);
  if (scanner.user === 'Service') return undefined;
  const enabled = await canLogIn(scanner);
  const note = enabled ? 'logged in' : 'off, or the password is wrong';
  return { level: scanner.user, enabled: enabled ? true : null, note };
}

function withoutTrying(level: LoginLevel, version: string): User {
  if (level === 'Service') return { level, enabled: true, note: 'cannot be switched off' };
  if (isBefore210(version)) return { level, enabled: true, note: 'cannot be switched off before 2.1.0' };
  return { level, enabled: null, note: 'off by default' };
}

function isBefore210(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < 2 || (major === 2 && minor < 1);
}

function stateText(enabled: boolean | null): string {
  return enabled === null ? 'unknown' : enabled ? 'on     ' : 'off    ';
}
