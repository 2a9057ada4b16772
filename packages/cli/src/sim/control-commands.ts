import { resolve } from 'node:path';
import { boolean, isObject, sectorCount } from '@azimuth/model';
import { InvalidArgumentError } from 'commander';
import { CommandFailure } from '../command-failure.js';
import { inputName, maxFileBytes, readTextFile } from '../input/bounded-file.js';
import type { ControlOptions } from '../options/command.js';
import { leaseOption, millisecondsIn } from '../options/option-values.js';
import { parseValue } from '../values/parse-value.js';

/** A command of the control port, and its body. */
export type ControlRequest = readonly [command: string, given: object];

/** Options of single commands. */
export interface ControlCommandOptions extends ControlOptions {
  readonly sector?: string;
  readonly measure?: boolean;
}

/** A command of `azimuth sim` that sends one command to the control port. */
export interface ControlCommand {
  /** Its description. The first sentence is also its line in the list. */
  readonly text: string;
  /** Its arguments, with their help. */
  readonly argumentHelp: Readonly<Record<string, string>>;
  readonly option?: readonly [flags: string, text: string];
  /** An example of its arguments; empty if it needs none. */
  readonly examples: readonly string[];
  /** Parses its words. Throws an error for invalid ones. */
  readonly request: (
    words: readonly string[],
    options: ControlCommandOptions,
  ) => ControlRequest | Promise<ControlRequest>;
}

export const controlCommands: Readonly<Record<string, ControlCommand>> = {
  'power-cycle': {
    text: 'Switch the power off and on. What was not saved is lost.',
    argumentHelp: {},
    examples: [],
    request: () => ['power-cycle', {}],
  },
  advance: {
    text: 'Move the clocks of the scanner forward. The scanner measures nothing in the skipped time, except with --measure.',
    argumentHelp: { '<duration>': 'for example 250ms, 30s, 1.5min, 2h or 7d' },
    option: ['--measure', 'measure and send everything that falls due on the way, at most 10 minutes'],
    examples: ['30s', '7d', '10s --measure'],
    request: ([duration = ''], { measure }) => ['clock/advance', { ms: parseDuration(duration), measure }],
  },
  temperature: {
    text: 'Set the temperature inside the scanner.',
    argumentHelp: { '<celsius>': '°C, or auto: the simulation computes the temperature' },
    examples: ['60', 'auto'],
    request: ([celsius = '']) => [
      'temperature',
      { celsius: celsius === 'auto' ? null : parseNumber('temperature', celsius) },
    ],
  },
  input: {
    text: 'Set the signal at an I/O port.',
    argumentHelp: { '<port>': 'number of an I/O port that the plug has', '<level>': 'high or low' },
    examples: ['1 high', '1 low'],
    request: ([port = '', level = '']) => [
      'input',
      { port: parseNumber('port', port), high: parseEither('level', 'high', 'low', level) },
    ],
  },
  contamination: {
    text: 'Put dirt on the front screen.',
    argumentHelp: { '<level>': 'how much of the light the dirt absorbs: 0 (none) to 1 (all)' },
    option: ['--sector <number>', `sector of the front screen, 1 to ${sectorCount} (default: all sectors)`],
    examples: ['0.4', '0.4 --sector 3', '0'],
    request: ([level = ''], { sector }) => [
      'contamination',
      {
        level: parseNumber('level', level),
        sector: sector === undefined ? undefined : parseNumber('--sector', sector),
      },
    ],
  },
  encoder: {
    text: 'Set the speed that the encoder measures.',
    argumentHelp: {
      '<speed>': 'mm/s, negative values are backwards; or auto: the vehicle in the scene turns the encoder',
    },
    examples: ['500', '-- -500', 'auto'],
    request: ([speed = '']) => ['encoder', { speed: speed === 'auto' ? null : parseNumber('speed', speed) }],
  },
  reference: {
    text: 'Give the encoder a reference signal.',
    argumentHelp: { '<signal>': 'number of the signal, 1 or 2' },
    examples: ['1'],
    request: ([signal = '']) => ['encoder/reference', { signal: parseNumber('reference', signal) }],
  },
  synchronised: {
    text: 'Synchronise the clock of the scanner with the clock of its program, or end this. Times in telegrams change with the next scan.',
    argumentHelp: { '<state>': 'on or off' },
    examples: ['on', 'off'],
    request: ([word = '']) => ['clock/synchronised', { on: parseSwitch('synchronised', word) }],
  },
  dhcp: {
    text: 'Set the address that the simulated DHCP server offers.',
    argumentHelp: { '<offer>': '10.0.0.42/24, or 10.0.0.42/24,10.0.0.1 with a gateway, or none' },
    examples: ['10.0.0.42/24', '10.0.0.42/24,10.0.0.1', 'none'],
    request: ([offer = '']) => ['dhcp', parseOffer(offer)],
  },
  plug: {
    text: 'Put a system plug into the connector, or pull it out. The next boot takes the parameters of another scanner from it.',
    argumentHelp: { '<act>': 'in or out', '[folder]': 'with in: the folder that is the plug' },
    examples: ['in ./plug', 'out'],
    request: ([word = '', folder]) => ['plug', { folder: parsePlug(word, folder) }],
  },
  webserver: {
    text: 'Switch the web server on or off, from the next boot on.',
    argumentHelp: { '<state>': 'on or off' },
    examples: ['on'],
    request: ([word = '']) => ['webserver', { enabled: parseSwitch('webserver', word) }],
  },
};

/** The commands below `azimuth sim actor`. */
export const actorCommands: Readonly<Record<string, ControlCommand>> = {
  add: {
    text: 'Add an actor to the scene.',
    argumentHelp: { '<file>': 'JSON file with an actor, as in a scene file (- for stdin)' },
    examples: ['person.json'],
    request: async ([file = '']) => ['actors/add', await objectInFile(file)],
  },
  move: {
    text: 'Put an actor at a position, from the next revolution on.',
    argumentHelp: {
      '<name>': 'name of the actor',
      '<x>': 'm ahead of the scanner',
      '<y>': 'm to the left of the scanner',
      '[heading]': 'direction that the actor faces, in degrees counter-clockwise (default: 0)',
    },
    examples: ['"person 1" 2.5 -0.4 90'],
    request: ([name = '', x = '', y = '', heading]) => [
      'actors/move',
      {
        name,
        x: parseNumber('x', x),
        y: parseNumber('y', y),
        heading: heading === undefined ? undefined : parseNumber('heading', heading),
      },
    ],
  },
  remove: {
    text: 'Remove an actor from the scene.',
    argumentHelp: { '<name>': 'name of the actor' },
    examples: ['"person 1"'],
    request: ([name = '']) => ['actors/remove', { name }],
  },
};

/** Parses a number. The control port checks its range. @throws CommandFailure */
export function parseNumber(what: string, typed: string): number {
  if (/^-?(\d+\.?\d*|\.\d+)$/.test(typed)) return Number(typed);
  throw new CommandFailure(`${what}: expected a number, got "${typed}"`);
}

/** Parses one of two words. @throws CommandFailure for any other word */
function parseEither(what: string, yes: string, no: string, typed: string): boolean {
  if (typed === yes || typed === no) return typed === yes;
  throw new CommandFailure(`${what}: expected ${yes} or ${no}, got "${typed}"`);
}

/** Parses on or off in any form of a value. @throws Refusal */
function parseSwitch(what: string, typed: string): boolean {
  return parseValue(boolean(), what, typed);
}

/**
 * Returns the absolute path of the folder of the plug, or null: the scanner may run in another folder. @throws
 * CommandFailure
 */
function parsePlug(word: string, folder: string | undefined): string | null {
  if (word === 'in' && folder !== undefined && folder !== '') return resolve(folder);
  if (word === 'out' && folder === undefined) return null;
  throw new CommandFailure(`plug: expected in FOLDER or out, got "${[word, folder].join(' ').trim()}"`);
}

/** Parses the offer of DHCP: `10.0.0.42/24,10.0.0.1`, or `none`. @throws CommandFailure */
function parseOffer(typed: string): object {
  if (typed === 'none') return {};
  try {
    return leaseOption(typed);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    const expected = error.message.replace(/^Expected /, '').replace(/\.$/, '');
    throw new CommandFailure(`dhcp: expected ${expected} or none, got "${typed}"`);
  }
}

/** Parses `250ms`, `30s`, `1.5min`, `2h` or `7d`; returns ms. @throws CommandFailure */
export function parseDuration(typed: string): number {
  const milliseconds = /^\d.*[a-z]$/.test(typed) ? millisecondsIn(typed) : undefined;
  if (milliseconds !== undefined) return milliseconds;
  throw new CommandFailure(`expected a duration like 30s, 1.5min, 2h or 7d (also ms), got "${typed}"`);
}

/** Reads the JSON object in a file, or on stdin for `-`. @throws CommandFailure */
async function objectInFile(path: string): Promise<object> {
  const name = inputName(path);
  const content = await readTextFile(path, { limit: maxFileBytes.commands, orStdin: true });
  try {
    const json: unknown = JSON.parse(content.replace(/^\uFEFF/, ''));
    if (isObject(json)) return json;
  } catch {
    const { jsonProblem } = await import('@azimuth/simulation/world');
    throw new CommandFailure(`${name}: ${jsonProblem(content)}`);
  }
  throw new CommandFailure(`${name} is not a JSON object`);
}

/**
 * Reads a scene: a ready one by its name, or one from a file, a ROS map or stdin (`-`), which is checked before anything is
 * sent. A map is sent as its walls, so that the scanner reads no files.
 * @throws CommandFailure
 */
export async function sceneFrom(nameOrPath: string): Promise<object> {
  // Only this command needs scenes, whose checks take a while to load.
  const { loadScene, parseScene, readyScenes, SceneError } = await import('@azimuth/simulation/world');
  if (readyScenes.includes(nameOrPath)) return { name: nameOrPath };
  const json = nameOrPath === '-' ? await objectInFile('-') : undefined;
  try {
    return json === undefined ? await loadScene(nameOrPath) : parseScene(json, 'stdin');
  } catch (error) {
    if (error instanceof SceneError) throw new CommandFailure(error.message);
    throw error;
  }
}
