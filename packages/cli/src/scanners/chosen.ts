import { counted, type LoginLevel } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import type { DeviceOptions } from '../options/command.js';
import { checkedUrl, loginLevelNamed } from './connection.js';
import type { Device } from './devices-content.js';
import { Passwords } from './passwords.js';
import type { Target } from './target.js';

/** The scanners that a command acts on. */
export interface Chosen<One = Target> {
  readonly targets: readonly [One, ...One[]];
  /**
   * True if several were named: by several words, a group or a pattern. Then all output has the name of its scanner.
   */
  readonly several: boolean;
}

/** A named scanner. */
interface Named {
  readonly label: string;
  readonly url: string;
  readonly device?: Device;
}

const defaultUrl = 'http://127.0.0.1:8080';

/**
 * Returns the scanners of the options, else of the environment, else the one on this machine. Each word is a URL or,
 * after an `@`, a name, a pattern of names or a group of the devices file. A URL of a fleet may end with a pattern. A
 * scanner that is named twice counts once.
 * @throws CommandFailure for an unknown name, URL or level; nothing has been sent then
 */
export async function chosenScanners(options: DeviceOptions): Promise<Chosen> {
  const { device: words = [], user } = options;
  const fallback = (fromEnvironment('AZIMUTH_DEVICE') ?? defaultUrl)
    .split(/\s+/)
    .filter((word) => word !== '');
  const level = user === undefined ? undefined : loginLevelNamed(user);
  const chosen = words.length > 0 ? words : fallback;
  const named = new Map<string, Named>();
  let several = chosen.length > 1;
  for (const word of chosen) {
    const found = await scannersNamed(word);
    several ||= found.several;
    for (const device of found.devices) {
      const url = await checkedUrl(device.url);
      if (!named.has(url)) named.set(url, device);
    }
  }
  const passwords = new Passwords(options.passwordFile, () => targetsText(targets));
  const [first, ...others] = [...named.values()].map((each) => createTarget(each, level, passwords));
  if (first === undefined) throw new CommandFailure('no scanner is named');
  const targets: readonly [Target, ...Target[]] = [first, ...others];
  return { targets, several };
}

/** Returns the one scanner that the options name. @throws CommandFailure if they name several */
export async function chosenScanner(options: DeviceOptions, command: string): Promise<Target> {
  const { targets } = await chosenScanners(options);
  if (targets.length === 1) return targets[0];
  throw new CommandFailure(
    `azimuth ${command} works with one scanner at a time; these are ${targets.length}: ${labelList(targets)}`,
  );
}

/** Returns `gate1, gate2, gate3 and 17 more`. */
export function labelList(targets: readonly Pick<Target, 'label'>[]): string {
  const labels = targets.map(({ label }) => label);
  return labels.length <= 5
    ? labels.join(', ')
    : `${labels.slice(0, 3).join(', ')} and ${labels.length - 3} more`;
}

async function inDevicesFile(word: string): Promise<{ devices: readonly Named[]; several: boolean }> {
  // A URL needs neither the file nor its parser.
  const [{ DevicesFile }, { selectDevices }] = await Promise.all([
    import('./devices-file.js'),
    import('./devices-content.js'),
  ]);
  const { path, content } = await DevicesFile.read();
  const { devices, several } = selectDevices(word, content, path);
  return { devices: devices.map((device) => ({ label: device.name, url: device.url, device })), several };
}

/**
 * Returns the scanners of a running fleet that match a pattern: `http://127.0.0.1:8000/scanners/23*` or
 * `…/scanners/hall/*`.
 */
const inFleet = /^((?:https?:\/\/)?[^/]+)\/scanners\/([^?#]*\*[^?#]*)$/i;

async function scannersNamed(word: string): Promise<{ devices: readonly Named[]; several: boolean }> {
  if (word.startsWith('@')) return inDevicesFile(word);
  const [, fleet, pattern] = inFleet.exec(word) ?? [];
  if (fleet === undefined || pattern === undefined) {
    return { devices: [{ label: word, url: word }], several: false };
  }
  const { FleetClient } = await import('./fleet-client.js');
  const client = new FleetClient(fleet);
  const scanners = await client.scanners(pattern);
  if (scanners.length === 0)
    throw new CommandFailure(`no scanner of the fleet at ${client.url} matches "${pattern}"`);
  const devices = scanners.map(({ serialNumber, path }) => ({ label: serialNumber, url: client.url + path }));
  return { devices, several: true };
}

function createTarget(
  { label, url, device }: Named,
  level: LoginLevel | undefined,
  passwords: Passwords,
): Target {
  const user = level ?? device?.user ?? loginLevelNamed(fromEnvironment('AZIMUTH_USER') ?? 'Service');
  return {
    label,
    url,
    httpsPort: device?.httpsPort,
    user,
    passwordOf: (of) => passwords.of(of, device),
    knownPasswordOf: (of) => passwords.known(of, device),
  };
}

/** Returns the subject of a question: the URL of the only scanner, or the names of several. */
export function targetsText(targets: readonly Target[]): string {
  const [first, ...others] = targets;
  return others.length === 0
    ? (first?.url ?? '')
    : `${counted(targets.length, 'scanner')} (${labelList(targets)})`;
}

/** Returns a variable of the environment; an empty one counts as missing. */
function fromEnvironment(name: string): string | undefined {
  return process.env[name] || undefined;
}
