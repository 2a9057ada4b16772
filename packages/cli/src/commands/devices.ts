import { counted } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import { Command } from '../options/command.js';
import { WordArgument } from '../options/word-argument.js';
import { jsonText, printable } from '../output/output.js';
import { tableLines } from '../output/table.js';
import { checkedUrl, loginLevelNamed } from '../scanners/connection.js';
import { checkedName, type Device, selectDevices, storedPath } from '../scanners/devices-content.js';
import { DevicesFile } from '../scanners/devices-file.js';
import { TargetOutput } from '../scanners/target-output.js';
import { formattedLines } from '../values/format-value.js';
import { importCommand } from './devices-import.js';

/** `azimuth devices`: names for scanners, in a file of the user. No scanner is contacted. */
export function defineCommand(command: Command): Command {
  command.description(
    'Give scanners names, and put them into groups. Every command takes these names: azimuth get @gate3 LocationName. They are kept in ~/.config/azimuth/devices.yaml, or in the file that AZIMUTH_DEVICES names. No scanner is contacted.',
  );
  for (const part of [
    addCommand(),
    listCommand(),
    showCommand(),
    removeCommand(),
    groupCommand(),
    importCommand(),
  ]) {
    command.addCommand(part);
  }
  return command.withExamples(
    'azimuth devices add gate3 http://192.168.0.3',
    'azimuth devices add hall/gate4 http://192.168.0.4 --password-command "pass show scanners"',
    'azimuth devices import netbox.csv --dry-run',
    'azimuth devices list',
    'azimuth get @hall/* LocationName',
  );
}

function addCommand(): Command {
  const command = new Command('add')
    .summary('give a scanner a name')
    .description(
      'Give a scanner a name. A name with a slash puts it into a group: hall/gate4 is in the group hall. The password itself is never stored.',
    )
    .argument('<name>', 'name, for example gate3 or hall/gate4')
    .argument('<url>', 'URL of the scanner: http(s)://HOST[:PORT]')
    .option('--user <level>', 'the user level that commands log in as (default: Service)')
    .option('--password-file <file>', 'file with the password of this level')
    .option(
      '--password-command <command>',
      'command that prints the password of this level as its first line',
    )
    .option('--force', 'replace a scanner of the same name')
    .action((name: string, url: string, options: AddOptions) => add(name, url, options));
  return command.withExamples(
    'azimuth devices add gate3 http://192.168.0.3',
    'azimuth devices add hall/gate4 http://192.168.0.4 --user AuthorizedClient --password-file hall.txt',
    'azimuth devices add gate5 http://192.168.0.5 --password-command "pass show scanners/gate5"',
  );
}

function listCommand(): Command {
  const command = new Command('list')
    .summary('list scanners with their URLs and groups')
    .description('List scanners with their URLs, user levels and groups.')
    .addArgument(
      new WordArgument('[name]', 'only these: a name, a pattern such as hall/*, or a group', 'deviceName'),
    )
    .option('--json', 'print JSON')
    .action((word: string | undefined) =>
      list(word ?? '*', command.optsWithGlobals<JsonOption>().json === true),
    );
  return command.withExamples('azimuth devices list', 'azimuth devices list hall/* --json');
}

function showCommand(): Command {
  const command = new Command('show')
    .summary('show what is stored about a scanner')
    .description('Show what is stored about a scanner, and which groups it is in.')
    .addArgument(new WordArgument('<name>', 'name of the scanner', 'deviceName'))
    .option('--json', 'print JSON')
    .action((name: string) => show(name, command.optsWithGlobals<JsonOption>().json === true));
  return command.withExamples('azimuth devices show gate3');
}

function removeCommand(): Command {
  const command = new Command('remove')
    .summary('remove the names of scanners')
    .description('Remove the names of scanners. The scanners themselves are not contacted.')
    .addArgument(new WordArgument('<name...>', 'names of scanners, or patterns such as hall/*', 'deviceName'))
    .action((names: string[]) => remove(names));
  return command.withExamples('azimuth devices remove gate3 hall/gate4', 'azimuth devices remove hall/*');
}

function groupCommand(): Command {
  const command = new Command('group')
    .summary('put scanners into a group of your choice')
    .description(
      'Put scanners into a group, in place of those that were in it. A scanner may be in several groups. Without scanners, the command prints who is in the group.',
    )
    .addArgument(new WordArgument('<group>', 'name of the group, for example night', 'deviceName'))
    .addArgument(
      new WordArgument('[name...]', 'names of scanners, patterns such as hall/*, or groups', 'deviceName'),
    )
    .option('--remove', 'remove the group; its scanners keep their names')
    .action((name: string, members: string[], { remove: removes = false }: { remove?: boolean }) =>
      group(name, members, removes),
    );
  return command.withExamples(
    'azimuth devices group night gate3 hall/*',
    'azimuth devices group night',
    'azimuth devices group night --remove',
    'azimuth reboot @night',
  );
}

interface JsonOption {
  readonly json?: boolean;
}

interface AddOptions {
  readonly user?: string;
  readonly passwordFile?: string;
  readonly passwordCommand?: string;
  readonly force?: boolean;
}

async function add(typed: string, url: string, options: AddOptions): Promise<void> {
  const { passwordFile, passwordCommand, force = false } = options;
  const name = checkedName(typed);
  await checkedUrl(url);
  if (passwordFile !== undefined && passwordCommand !== undefined) {
    throw new CommandFailure('give --password-file or --password-command, not both');
  }
  const user = options.user === undefined ? undefined : loginLevelNamed(options.user);
  const file = await DevicesFile.read();
  const { devices, groups } = file.content;
  if (groups.has(name)) throw new CommandFailure(`${name} is the name of a group in ${file.path}`);
  const before = devices.find((device) => device.name === name);
  if (before !== undefined && !force) {
    throw new CommandFailure(`${name} is there already, for ${before.url}: use --force to replace it`);
  }
  file.setDevice(name, {
    url,
    user,
    'password-file': passwordFile === undefined ? undefined : storedPath(passwordFile),
    'password-command': passwordCommand,
  });
  await file.write();
  reportAtTerminal(`@${name} is ${url} now, in ${file.path}`);
}

async function list(word: string, json: boolean): Promise<void> {
  const { content, path } = await DevicesFile.read();
  if (content.devices.length === 0 && word === '*') {
    if (json) process.stdout.write('[]\n');
    else process.stderr.write(`azimuth: no scanner has a name yet: azimuth devices add NAME URL\n`);
    return;
  }
  const devices = selectDevices(word, content, path).devices;
  const groupsByDevice = groupsBy(content.groups);
  if (json) {
    process.stdout.write(`${jsonText(devices.map((device) => described(device, groupsByDevice(device))))}\n`);
    return;
  }
  const rows = [
    ['NAME', 'URL', 'USER', 'PASSWORD', 'GROUPS'],
    ...devices.map((device) => [
      `@${device.name}`,
      device.url,
      device.user ?? '-',
      passwordText(device) ?? '-',
      groupsByDevice(device).join(', ') || '-',
    ]),
  ];
  process.stdout.write(`${tableLines(rows, { own: true }).join('\n')}\n`);
}

async function show(typed: string, json: boolean): Promise<void> {
  const file = await DevicesFile.read();
  const device = onlyDevice(typed, file);
  const description = described(device, groupsBy(file.content.groups)(device));
  const lines = formattedLines(
    Object.entries(description).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, printable(Array.isArray(value) ? value.join(', ') : String(value))]],
    ),
  );
  process.stdout.write(json ? `${jsonText(description)}\n` : `${lines.join('\n')}\n`);
}

async function remove(names: readonly string[]): Promise<void> {
  const file = await DevicesFile.read();
  for (const name of names) {
    if (file.content.groups.has(name.replace(/^@/, ''))) {
      throw new CommandFailure(`${name} is a group: azimuth devices group ${name} --remove`);
    }
  }
  const selected = names.flatMap((name) =>
    name.includes('*') ? selectDevices(name, file.content, file.path).devices : [onlyDevice(name, file)],
  );
  const removed = [...new Map(selected.map((device) => [device.name, device])).values()];
  for (const { name } of removed) file.removeDevice(name);
  await file.write();
  reportAtTerminal(`removed ${deviceNames(removed)} from ${file.path}`);
}

async function group(typed: string, members: readonly string[], removes: boolean): Promise<void> {
  const name = checkedName(typed);
  const file = await DevicesFile.read();
  const { content, path } = file;
  if (content.devices.some((device) => device.name === name)) {
    throw new CommandFailure(`${name} is the name of a scanner in ${path}`);
  }
  if (removes) {
    if (members.length > 0) throw new CommandFailure('give names of scanners or --remove, not both');
    if (!content.groups.has(name)) throw new CommandFailure(`there is no group ${name} in ${path}`);
    file.removeGroup(name);
    await file.write();
    reportAtTerminal(`removed the group ${name}`);
    return;
  }
  if (members.length === 0) {
    const { devices } = selectDevices(name, content, path);
    process.stdout.write(devices.map((device) => `@${device.name}\n`).join(''));
    return;
  }
  const chosen = members.flatMap((member) => selectDevices(member, content, path).devices);
  const unique = [...new Set(chosen.map((device) => device.name))];
  file.setGroup(name, unique);
  await file.write();
  reportAtTerminal(`@${name} is ${unique.map((member) => `@${member}`).join(', ')} now`);
}

/** Reports a change to a person at a terminal. */
function reportAtTerminal(text: string): void {
  new TargetOutput({}).done(text);
}

/** Returns the device of exactly this name. @throws CommandFailure if there is none */
function onlyDevice(typed: string, { content, path }: DevicesFile): Device {
  const { devices, several } = selectDevices(typed, content, path);
  const [device] = devices;
  if (device !== undefined && !several) return device;
  throw new CommandFailure(
    `${typed} means ${counted(devices.length, 'scanner')}, and one is expected: ${deviceNames(devices)}`,
  );
}

function deviceNames(devices: readonly Device[]): string {
  return devices.map(({ name }) => `@${name}`).join(', ');
}

function groupsBy(groups: ReadonlyMap<string, readonly string[]>): (device: Device) => readonly string[] {
  const byDevice = new Map<string, string[]>();
  for (const [group, members] of groups) {
    for (const name of new Set(members)) {
      const known = byDevice.get(name);
      if (known === undefined) byDevice.set(name, [group]);
      else known.push(group);
    }
  }
  return ({ name }) => byDevice.get(name) ?? [];
}

function described(device: Device, groups: readonly string[]) {
  const { name, url, user, passwordFile, passwordCommand } = device;
  return { name, url, user, passwordFile, passwordCommand, groups };
}

function passwordText({ passwordFile, passwordCommand }: Device): string | undefined {
  if (passwordFile !== undefined) return 'file';
  return passwordCommand === undefined ? undefined : 'command';
}
