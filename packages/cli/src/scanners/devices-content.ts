import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { isLoginLevel, isObject, type LoginLevel, loginLevels, nearestName } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';

/** A scanner of the devices file. */
export interface Device {
  /** `gate3` or `hall/gate3`. */
  readonly name: string;
  readonly url: string;
  /** The level to log in at; undefined if the file states none. */
  readonly user?: LoginLevel;
  /** The file with the password of that level, absolute. */
  readonly passwordFile?: string;
  /** The command that prints the password of that level: a line for a shell or without one, or its words. */
  readonly passwordCommand?: string | readonly string[];
}

/** What the devices file says. */
export interface DevicesContent {
  readonly devices: readonly Device[];
  /** The explicit groups: names of devices by the name of the group. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
}

const part = '[A-Za-z0-9][A-Za-z0-9._-]*';
const name = new RegExp(`^${part}(/${part})*$`);
const longestName = 64;
const members = ['url', 'user', 'password-file', 'password-command'] as const;

/**
 * A name for a scanner or a group as it is stored: without an `@` in front.
 * @throws CommandFailure for a name that is not allowed
 */
export function checkedName(typed: string): string {
  const bare = typed.replace(/^@/, '');
  if (name.test(bare) && bare.length <= longestName) return bare;
  throw new CommandFailure(
    `"${typed}" cannot be a name: expected letters, digits, "-", "_" and ".", in groups with "/", for example hall/gate3`,
  );
}

/**
 * What the devices file says.
 * @param path of the file, for messages and for the paths in it
 * @throws CommandFailure that names the place in the file
 */
export function checkedContent(path: string, json: unknown): DevicesContent {
  const wrong = (at: string, why: string): CommandFailure => new CommandFailure(`${path}: ${at}: ${why}`);
  const content = json ?? {};
  if (!isObject(content)) throw wrong('the file', 'expected devices and groups');
  refuseUnknown(content, ['devices', 'groups'], (member) => wrong(member, 'there is no such member'));
  const devices = Object.entries(sectionOf(content.devices, 'devices')).map(([device, entry]) =>
    deviceOf(device, entry),
  );
  const names = new Set(devices.map((device) => device.name));
  const groups = new Map(
    Object.entries(sectionOf(content.groups, 'groups')).map(([group, list]) => [group, groupOf(group, list)]),
  );
  return { devices, groups };

  function sectionOf(section: unknown, at: string): Readonly<Record<string, unknown>> {
    if (section === undefined || section === null) return {};
    if (isObject(section) && !Array.isArray(section)) return section;
    throw wrong(at, 'expected names, each with its members');
  }

  function deviceOf(device: string, entry: unknown): Device {
    const at = `devices.${device}`;
    if (!name.test(device)) throw wrong(at, 'the name is not allowed');
    if (!isObject(entry)) throw wrong(at, 'expected at least url');
    refuseUnknown(entry, members, (member) => wrong(`${at}.${member}`, unknownMember(member)));
    const { url, user } = entry;
    if (typeof url !== 'string' || url === '') throw wrong(`${at}.url`, 'expected the URL of the scanner');
    if (/^[a-z]+:\/\/[^/]*@/i.test(url))
      throw wrong(`${at}.url`, 'a user or a password does not belong here');
    if (user !== undefined && !(typeof user === 'string' && isLoginLevel(user))) {
      throw wrong(`${at}.user`, `expected one of ${loginLevels.join(', ')}`);
    }
    return {
      name: device,
      url,
      user,
      ...passwordOf(entry, at),
    };
  }

  function passwordOf(entry: Readonly<Record<string, unknown>>, at: string): Partial<Device> {
    const { 'password-file': file, 'password-command': command } = entry;
    if (file !== undefined && command !== undefined) {
      throw wrong(at, 'expected password-file or password-command, not both');
    }
    if (file !== undefined) {
      if (typeof file !== 'string' || file === '') throw wrong(`${at}.password-file`, 'expected a path');
      return { passwordFile: resolve(dirname(path), file.replace(/^~(?=\/|$)/, homedir())) };
    }
    if (command === undefined) return {};
    if (typeof command === 'string' && command.trim() !== '') return { passwordCommand: command };
    const isWord = (word: unknown): word is string => typeof word === 'string';
    if (Array.isArray(command) && command.length > 0 && command.every(isWord)) {
      return { passwordCommand: command };
    }
    throw wrong(`${at}.password-command`, 'expected a command, or a list of its words');
  }

  function groupOf(group: string, list: unknown): readonly string[] {
    const at = `groups.${group}`;
    if (!name.test(group)) throw wrong(at, 'the name is not allowed');
    if (names.has(group)) throw wrong(at, 'a device has the same name');
    if (!Array.isArray(list)) throw wrong(at, 'expected a list of names');
    return list.map((listed: unknown) => {
      if (typeof listed !== 'string' || !names.has(listed))
        throw wrong(at, `there is no device ${JSON.stringify(listed)}`);
      return listed;
    });
  }
}

/** The place of a file of the user, so that it works from every folder. */
export function storedPath(file: string): string {
  const home = join(homedir(), '/');
  const absolute = resolve(file);
  return absolute.startsWith(home) ? `~/${absolute.slice(home.length)}` : absolute;
}

function refuseUnknown(
  entry: Readonly<Record<string, unknown>>,
  known: readonly string[],
  failure: (member: string) => CommandFailure,
): void {
  const unknown = Object.keys(entry).find((member) => !known.includes(member));
  if (unknown !== undefined) throw failure(unknown);
}

function unknownMember(member: string): string {
  if (/^pass/i.test(member) && nearestName(member, members) === undefined) {
    return 'a password does not belong in this file: name a password-file or a password-command';
  }
  const meant = nearestName(member, members);
  return `there is no such member${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}

/** The devices that a word means. */
interface Selection {
  readonly devices: readonly Device[];
  /** Could the word mean several? True for groups and patterns, even if there is only one. */
  readonly several: boolean;
}

/**
 * What `@gate3`, `@hall/*`, `@night` or `@*` means: a device, a pattern of names, or a group. A group is a list of the
 * file, or all names that begin with it and a slash.
 * @param word with or without the `@`
 * @param path of the file, for messages
 * @throws CommandFailure if it means nothing
 */
export function selectionOf(word: string, { devices, groups }: DevicesContent, path: string): Selection {
  const name = word.replace(/^@/, '');
  const device = devices.find((each) => each.name === name);
  if (device !== undefined) return { devices: [device], several: false };
  const found = devices.filter(chosenBy(name, groups.get(name)));
  if (found.length > 0) return { devices: found, several: true };
  throw new CommandFailure(
    `${absence(name, { devices, groups })} in ${path}${remedy(name, { devices, groups })}`,
  );
}

function chosenBy(name: string, listed: readonly string[] | undefined): (device: Device) => boolean {
  if (listed !== undefined) {
    const names = new Set(listed);
    return (device) => names.has(device.name);
  }
  if (!name.includes('*')) return (device) => device.name.startsWith(`${name}/`);
  const parts = name.split('*').map((part) => part.replaceAll(/[^\w/-]/g, '\\$&'));
  const pattern = new RegExp(`^${parts.join('.*')}$`);
  return (device) => pattern.test(device.name);
}

function absence(name: string, { groups }: DevicesContent): string {
  if (groups.has(name)) return `the group @${name} is empty`;
  return name.includes('*') ? `no scanner matches @${name}` : `there is no scanner or group @${name}`;
}

function remedy(name: string, { devices, groups }: DevicesContent): string {
  if (devices.length === 0) return ': add a scanner with azimuth devices add NAME URL';
  const meant = nearestName(name, [...devices.map((device) => device.name), ...groups.keys()]);
  return meant === undefined ? '; azimuth devices list shows all' : `; did you mean @${meant}?`;
}
