import { resolve } from 'node:path';
import { boolean, isObject } from '@azimuth/model';
import { InvalidArgumentError } from 'commander';
import { CommandFailure } from '../command-failure.js';
import { inputName, longestFile, textOfFile } from '../input/bounded-file.js';
import type { ControlOptions } from '../options/command.js';
import { leaseOption, millisecondsIn } from '../options/option-values.js';
import { parseValue } from '../values/parse-value.js';

/** A command of the control port, and what it is given. */
type ControlRequest = readonly [command: string, given: object];

/** Options that single commands have. */
export interface ControlCommandOptions extends ControlOptions {
  readonly sector?: string;
  readonly measure?: boolean;
}

type Meaning = (
  words: readonly string[],
  options: ControlCommandOptions,
) => ControlRequest | Promise<ControlRequest>;

/** What the words of each command mean. They throw what is wrong with them. */
const controlRequests = {
  'power-cycle': () => ['power-cycle', {}],
  advance: ([duration = ''], { measure }) => ['clock/advance', { ms: durationOf(duration), measure }],
  temperature: ([celsius = '']) => [
    'temperature',
    { celsius: celsius === 'auto' ? null : numberOf('temperature', celsius) },
  ],
  input: ([port = '', level = '']) => [
    'input',
    { port: numberOf('port', port), high: eitherOf('level', 'high', 'low', level) },
  ],
  contamination: ([level = ''], { sector }) => [
    'contamination',
    {
      level: numberOf('level', level),
      sector: sector === undefined ? undefined : numberOf('--sector', sector),
    },
  ],
  encoder: ([speed = '']) => ['encoder', { speed: numberOf('speed', speed) }],
  reference: ([signal = '']) => ['encoder/reference', { signal: numberOf('reference', signal) }],
  dhcp: ([offer = '']) => ['dhcp', offerOf(offer)],
  webserver: ([word = '']) => ['webserver', { enabled: switchOf('webserver', word) }],
  plug: ([word = '', folder]) => ['plug', { folder: plugOf(word, folder) }],
  scene: async ([scene = '']) => ['scene', await sceneFrom(scene)],
  'actor add': async ([file = '']) => ['actors/add', await objectInFile(file)],
  'actor move': ([name = '', x = '', y = '', heading]) => [
    'actors/move',
    {
      name,
      x: numberOf('x', x),
      y: numberOf('y', y),
      heading: heading === undefined ? undefined : numberOf('heading', heading),
    },
  ],
  'actor remove': ([name = '']) => ['actors/remove', { name }],
} as const satisfies Readonly<Record<string, Meaning>>;

export type ControlCommand = keyof typeof controlRequests;

/** What the words of a command mean. */
export function controlRequest(
  name: ControlCommand,
  words: readonly string[],
  options: ControlCommandOptions,
) {
  const meaning: Meaning = controlRequests[name];
  return meaning(words, options);
}

/** Parses a number. The control port checks its range. @throws CommandFailure */
function numberOf(what: string, typed: string): number {
  if (/^-?(\d+\.?\d*|\.\d+)$/.test(typed)) return Number(typed);
  throw new CommandFailure(`${what}: expected a number, got "${typed}"`);
}

/** @throws CommandFailure for any other word than the two */
function eitherOf(what: string, yes: string, no: string, typed: string): boolean {
  if (typed === yes || typed === no) return typed === yes;
  throw new CommandFailure(`${what}: expected ${yes} or ${no}, got "${typed}"`);
}

/** On or off in any of the ways in which values are written. @throws Fault */
function switchOf(what: string, typed: string): boolean {
  return parseValue(boolean(), what, typed);
}

/** The full path of the folder that is put in, or null: the scanner may run in another folder. @throws CommandFailure */
function plugOf(word: string, folder: string | undefined): string | null {
  if (word === 'in' && folder !== undefined && folder !== '') return resolve(folder);
  if (word === 'out' && folder === undefined) return null;
  throw new CommandFailure(`plug: expected in FOLDER or out, got "${[word, folder].join(' ').trim()}"`);
}

/** What DHCP offers: `10.0.0.42/24,10.0.0.1`, or `none`. @throws CommandFailure */
function offerOf(typed: string): object {
  if (typed === 'none') return {};
  try {
    return leaseOption(typed);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    const expected = error.message.replace(/^Expected /, '').replace(/\.$/, '');
    throw new CommandFailure(`dhcp: expected ${expected} or none, got "${typed}"`);
  }
}

/** How many ms `250ms`, `30s`, `1.5min`, `2h` or `7d` are. @throws CommandFailure */
function durationOf(typed: string): number {
  const milliseconds = /^\d.*[a-z]$/.test(typed) ? millisecondsIn(typed) : undefined;
  if (milliseconds !== undefined) return milliseconds;
  throw new CommandFailure(`expected a duration like 30s, 1.5min, 2h or 7d (also ms), got "${typed}"`);
}

/** The JSON object in a file, or on stdin for `-`. @throws CommandFailure */
async function objectInFile(path: string): Promise<object> {
  const name = inputName(path);
  const content = await textOfFile(path, { limit: longestFile.commands, orStdin: true });
  try {
    const json: unknown = JSON.parse(content.replace(/^\uFEFF/, ''));
    if (isObject(json)) return json;
  } catch {
    const { jsonFault } = await import('@azimuth/world/scene');
    throw new CommandFailure(`${name}: ${jsonFault(content)}`);
  }
  throw new CommandFailure(`${name} is not a JSON object`);
}

/**
 * The scene that is meant: a ready one by its name, or one from a file or stdin (`-`), whose faults are found before
 * anything is sent.
 * @throws CommandFailure
 */
async function sceneFrom(nameOrPath: string): Promise<object> {
  // Only this one of the commands needs scenes, whose checks take a while to load.
  const { loadScene, parseScene, readyScenes, SceneError } = await import('@azimuth/world/scene');
  if (readyScenes.includes(nameOrPath)) return { name: nameOrPath };
  const json = nameOrPath === '-' ? await objectInFile('-') : undefined;
  try {
    return json === undefined ? await loadScene(nameOrPath) : parseScene(json, 'stdin');
  } catch (error) {
    if (error instanceof SceneError) throw new CommandFailure(error.message);
    throw error;
  }
}
