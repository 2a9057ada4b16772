import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type LoginLevel, loginLevels } from '@azimuth/model';
import { nearestName } from '@azimuth/wording';
import { isScalar } from 'yaml';
import { z } from 'zod';
import { CommandFailure } from '../command-failure.js';
import type { YamlFile } from '../yaml/yaml-file.js';
import { members, parsedNode, text, unknownMember, wholeNumber } from '../yaml/yaml-form.js';
import { namesMeantBy } from './name-patterns.js';

/** A scanner of the devices file. */
export interface Device {
  /** `gate3` or `hall/gate3`. */
  readonly name: string;
  readonly url: string;
  /** Its serial number; undefined if the file states none. */
  readonly serial?: string | undefined;
  /** The level to log in at; undefined if the file states none. */
  readonly user?: LoginLevel | undefined;
  /** The port of HTTPS, if it is not 443. */
  readonly httpsPort?: number | undefined;
  /** The file with the password of that level, an absolute path. */
  readonly passwordFile?: string | undefined;
  /** The command that prints the password of that level: a line for a shell or without one, or its words. */
  readonly passwordCommand?: string | readonly string[] | undefined;
  /** The file with the passwords of all devices, an absolute path. */
  readonly passwords?: string | undefined;
}

/** Content of the devices file. */
export interface DevicesContent {
  readonly devices: readonly Device[];
  /** The explicit groups: names of devices by the name of the group. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
}

const part = '[A-Za-z0-9][A-Za-z0-9._-]*';
const name = new RegExp(`^${part}(/${part})*$`);
const maxNameLength = 64;

const names = z.string().regex(name, { error: 'the name is not allowed' });

/** Returns the form of a section of the file: entries by name. */
function section<Entry extends z.ZodType>(entry: Entry, expected: string) {
  return z.record(names, entry, {
    error: ({ code }) => (code === 'invalid_key' ? 'the name is not allowed' : expected),
  });
}

const urlExpected = 'expected the URL of the scanner';
const commandExpected = 'expected a command, or a list of its words';

const path = z.string({ error: 'expected a path' }).min(1, { error: 'expected a path' });

const deviceForm = members('expected at least url', {
  url: z
    .string({ error: urlExpected })
    .min(1, { error: urlExpected })
    // No message repeats it: it may contain a password.
    .refine((url) => !/^[a-z]+:\/\/[^/]*@/i.test(url), {
      error: 'a user or a password does not belong here',
    }),
  user: z.enum(loginLevels, { error: `expected one of ${loginLevels.join(', ')}` }).optional(),
  serial: text.optional(),
  'https-port': wholeNumber(1, 65_535).optional(),
  'password-file': path.optional(),
  'password-command': z
    .union([z.string().regex(/\S/), z.array(z.string()).min(1)], { error: commandExpected })
    .optional(),
}).refine((device) => device['password-file'] === undefined || device['password-command'] === undefined, {
  error: 'expected password-file or password-command, not both',
});

/** The form of the devices file. An empty section may be missing. */
const devicesForm = members('expected devices and groups', {
  passwords: path.optional(),
  devices: section(deviceForm, 'expected names, each with its members').nullish(),
  groups: section(
    z.array(z.string({ error: 'expected a list of names' }), { error: 'expected a list of names' }),
    'expected names, each with its members',
  ).nullish(),
}).check(({ value: { devices, groups }, issues }) => {
  const known = new Set(Object.keys(devices ?? {}));
  const report = (path: (string | number)[], message: string, input: unknown) =>
    issues.push({ code: 'custom', path: ['groups', ...path], message, input });
  for (const [group, list] of Object.entries(groups ?? {})) {
    if (known.has(group)) report([group], 'a device has the same name', group);
    for (const [index, listed] of list.entries())
      if (!known.has(listed)) report([group, index], `there is no device ${JSON.stringify(listed)}`, listed);
  }
});

/**
 * Returns a name of a scanner or a group for the file: without an `@` in front.
 * @throws CommandFailure for an invalid name
 */
export function checkedName(typed: string): string {
  const bare = typed.replace(/^@/, '');
  if (name.test(bare) && bare.length <= maxNameLength) return bare;
  throw new CommandFailure(
    `"${typed}" cannot be a name: expected letters, digits, "-", "_" and ".", in groups with "/", for example hall/gate3`,
  );
}

/** Parses the devices file. @throws FileMistakes with all mistakes in it */
export function devicesIn(file: YamlFile): DevicesContent {
  const { contents } = file.document;
  const content =
    contents === null || (isScalar(contents) && contents.value === null)
      ? {}
      : parsedNode(file, devicesForm, contents, { unknown: noMember });
  file.throwMistakes();
  const { devices, groups, passwords } = content ?? {};
  return {
    devices: Object.entries(devices ?? {}).map(([device, entry]) => ({
      ...{ name: device, url: entry.url, user: entry.user, serial: entry.serial },
      httpsPort: entry['https-port'],
      passwordFile: absolute(file.path, entry['password-file']),
      passwordCommand: entry['password-command'],
      passwords: absolute(file.path, passwords),
    })),
    groups: new Map(Object.entries(groups ?? {})),
  };
}

function absolute(path: string, passwordFile: string | undefined): string | undefined {
  if (passwordFile === undefined) return undefined;
  return resolve(dirname(path), passwordFile.replace(/^~(?=\/|$)/, homedir()));
}

/** Returns the absolute path of a file of the user: it works from every folder. */
export function storedPath(file: string): string {
  const home = join(homedir(), '/');
  const absolute = resolve(file);
  return absolute.startsWith(home) ? `~/${absolute.slice(home.length)}` : absolute;
}

/** Returns the message about an unknown member. */
function noMember(member: string, known: readonly string[]): string {
  const near = nearestName(member, known);
  if (/^pass/i.test(member) && near === undefined)
    return `a password does not belong in this file ("${member}"): name a password-file or a password-command`;
  return unknownMember(member, known);
}

/** The devices of a word. */
interface Selection {
  readonly devices: readonly Device[];
  /** True if the word can mean several: for groups and patterns, even with only one device. */
  readonly several: boolean;
}

/**
 * Returns the devices of `@gate3`, `@hall/*`, `@night` or `@*`: a device, a pattern of names, or a group. A group is a
 * list of the file, or all names that begin with it and a slash.
 * @param word with or without the `@`
 * @param path of the file, for messages
 * @throws CommandFailure if there are none
 */
export function selectDevices(word: string, { devices, groups }: DevicesContent, path: string): Selection {
  const name = word.replace(/^@/, '');
  const device = devices.find((each) => each.name === name);
  if (device !== undefined) return { devices: [device], several: false };
  const matching = devices.filter(chosenBy(name, groups.get(name)));
  if (matching.length > 0) return { devices: matching, several: true };
  throw new CommandFailure(
    `${absence(name, { devices, groups })} in ${path}${remedy(name, { devices, groups })}`,
  );
}

function chosenBy(name: string, listed: readonly string[] | undefined): (device: Device) => boolean {
  if (listed !== undefined) {
    const names = new Set(listed);
    return (device) => names.has(device.name);
  }
  const means = namesMeantBy(name);
  return (device) => means(device.name);
}

function absence(name: string, { groups }: DevicesContent): string {
  if (groups.has(name)) return `the group @${name} is empty`;
  return name.includes('*') ? `no scanner matches @${name}` : `there is no scanner or group @${name}`;
}

function remedy(name: string, { devices, groups }: DevicesContent): string {
  if (devices.length === 0) return ': add a scanner with azimuth devices add NAME URL';
  const suggestion = nearestName(name, [...devices.map((device) => device.name), ...groups.keys()]);
  return suggestion === undefined ? '; azimuth devices list shows all' : `; did you mean @${suggestion}?`;
}
