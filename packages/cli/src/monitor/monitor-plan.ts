import { resolve } from 'node:path';
import type { Limits } from '@azimuth/monitor';
import { isMap } from 'yaml';
import { readSecret } from '../input/secrets.js';
import { allowedHosts } from '../options/allowed-hosts.js';
import type { DeviceOptions } from '../options/command.js';
import { chosenScanners } from '../scanners/chosen.js';
import type { Target } from '../scanners/target.js';
import { keyText } from '../yaml/yaml-file.js';
import type { ArchiveContent } from './archive-section.js';
import { limitsOf } from './limits-section.js';
import { type MonitorContent, type MonitorFile, readMonitorFile } from './monitor-file.js';
import type { MonitorLogOptions } from './monitor-log.js';
import { WatchedNames } from './watched-names.js';

const day = 86_400_000;

/** Decisions of the command line and the monitor file together. */
export interface MonitorPlan {
  readonly content: MonitorContent;
  readonly targets: readonly [Target, ...Target[]];
  readonly host: string;
  readonly port: number;
  /** Names by which the port may be requested besides its own ones. */
  readonly allowedHosts: readonly string[];
  /** Seconds. */
  readonly interval: number;
  /** Seconds in which all parameters are read once. */
  readonly parameters: number;
  readonly limitsOf: (target: Target) => Limits;
  readonly log: MonitorLogOptions;
  readonly archive: ArchiveContent | undefined;
  /** Path of the site file. */
  readonly site: string | undefined;
  /** The options with which the scanners were named. */
  readonly options: DeviceOptions;
  readonly names: WatchedNames;
}

export interface MonitorFlags extends DeviceOptions, MonitorLogOptions {
  readonly host?: string;
  readonly port?: number;
  readonly allowedHost?: readonly string[];
  /** Seconds. */
  readonly interval?: number;
  /** Folder of the archive. */
  readonly archive?: string;
  /** Path of the site file. */
  readonly site?: string;
}

/** Values that count if neither the command line nor the file says them. */
export const usual = { host: '127.0.0.1', port: 9464, interval: 10, parameters: 300 } as const;

/**
 * Joins the command line and the monitor file: the command line wins.
 * @param path of the file; undefined if there is none
 * @throws CommandFailure, FileMistakes
 */
export async function monitorPlan(path: string | undefined, flags: MonitorFlags): Promise<MonitorPlan> {
  const file = path === undefined ? undefined : await readMonitorFile(path);
  const content = file?.content ?? {};
  const { targets } = await chosenScanners({ ...flags, device: flags.device ?? content.devices ?? [] });
  const names = await WatchedNames.of(targets);
  if (file !== undefined) requireKnownNames(file, names);
  return {
    content,
    targets,
    names,
    host: flags.host ?? content.http?.host ?? usual.host,
    port: flags.port ?? content.http?.port ?? usual.port,
    allowedHosts:
      flags.allowedHost === undefined
        ? (content.http?.['allowed-hosts'] ?? [])
        : allowedHosts(flags.allowedHost),
    log: await logOptions(flags, content),
    archive:
      flags.archive === undefined ? content.archive : { ...content.archive, folder: resolve(flags.archive) },
    site: flags.site ?? content.site,
    options: flags,
    parameters: content.parameters ?? usual.parameters,
    interval: flags.interval ?? content.interval ?? usual.interval,
    limitsOf: ({ label }) => limitsOf(content.limits, (word) => names.named(word).has(label)),
  };
}

/** Returns where the log is: as the command line says, else as the file does. */
async function logOptions(
  { log: folder, store, keep, name }: MonitorFlags,
  content: MonitorContent,
): Promise<MonitorLogOptions> {
  const keepMs = content.log?.keep ?? content.store?.keep;
  const kept = keep ?? (keepMs === undefined ? undefined : Math.ceil(keepMs / day));
  const isTyped = folder !== undefined || store !== undefined;
  const place = isTyped ? { log: folder, store } : await placeIn(content);
  return { ...place, keep: kept, name: name ?? content.name };
}

async function placeIn({ log, store }: MonitorContent): Promise<MonitorLogOptions> {
  if (store === undefined) return { log: log?.folder };
  return { store: await readSecret(store['url-file'], 'database URL') };
}

/** A misspelled group would leave its scanners with the limits of all, or an output without entries. */
function requireKnownNames({ content, yaml }: MonitorFile, names: WatchedNames): void {
  const root = yaml.document.contents;
  const check = (word: string, node: unknown) => {
    if (names.named(word).size === 0) yaml.report(node, names.unknown(word));
  };
  const special = yaml.resolved(yaml.nodeAt(root, '.limits.for'));
  for (const word of Object.keys(content.limits?.for ?? {}))
    check(word, isMap(special) ? special.items.find(({ key }) => keyText(key) === word)?.key : root);
  for (const [kind, outputs] of Object.entries(content.outputs ?? {}))
    for (const [index, { only }] of (outputs ?? []).entries())
      for (const [at, word] of (only?.scanners ?? []).entries())
        check(word, yaml.nodeAt(root, `.outputs.${kind}[${index}].only.scanners[${at}]`));
  yaml.throwMistakes();
}
