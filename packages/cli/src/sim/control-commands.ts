import { resolve } from 'node:path';
import { boolean, isObject, sectorCount } from '@azimuth/model';
import { InvalidArgumentError } from 'commander';
import { CommandFailure } from '../command-failure.js';
import { inputName, longestFile, textOfFile } from '../input/bounded-file.js';
import type { ControlOptions } from '../options/command.js';
import { leaseOption, millisecondsIn } from '../options/option-values.js';
import { parseValue } from '../values/parse-value.js';

/** A command of the control port, and what it is given. */
export type ControlRequest = readonly [command: string, given: object];

/** Options that single commands have. */
export interface ControlCommandOptions extends ControlOptions {
  readonly sector?: string;
  readonly measure?: boolean;
}

/** A command of `azimuth sim` that sends one command to the control port. */
export interface ControlCommand {
  /** What it does. Its first sentence is also its line in the list. */
  readonly text: string;
  /** Its arguments, with their help. */
  readonly takes: Readonly<Record<string, string>>;
  readonly option?: readonly [flags: string, text: string];
  /** What is typed behind it; without any, it is an example by itself. */
  readonly examples: readonly string[];
  /** What its words mean. It throws what is wrong with them. */
  readonly request: (
    words: readonly string[],
    options: ControlCommandOptions,
  ) => ControlRequest | Promise<ControlRequest>;
}

export const controlCommands: Readonly<Record<string, ControlCommand>> = {
  'power-cycle': {
    text: 'Switch the power off and on. What was not saved is lost.',
    takes: {},
    examples: [],
    request: () => ['power-cycle', {}],
  },
  advance: {
    text: 'Move the clocks of the scanner forward. The scanner measures nothing in the skipped time, except with --measure.',
    takes: { '<duration>': 'for example 250ms, 30s, 1.5min, 2h or 7d' },
    option: ['--measure', 'measure and send everything that falls due on the way, at most 10 minutes'],
    examples: ['30s', '7d', '10s --measure'],
    request: ([duration = ''], { measure }) => ['clock/advance', { ms: durationOf(duration), measure }],
  },
  temperature: {
    text: 'Set the temperature inside the scanner.',
    takes: { '<celsius>': '°C, or auto: the simulation computes the temperature' },
    examples: ['60', 'auto'],
    request: ([celsius = '']) => [
      'temperature',
      { celsius: celsius === 'auto' ? null : numberOf('temperature', celsius) },
    ],
  },
  input: {
    text: 'Set the signal at an I/O port.',
    takes: { '<port>': 'number of an I/O port that the plug has', '<level>': 'high or low' },
    examples: ['1 high', '1 low'],
    request: ([port = '', level = '']) => [
      'input',
      { port: numberOf('port', port), high: eitherOf('level', 'high', 'low', level) },
    ],
  },
  contamination: {
    text: 'Put dirt on the front screen.',
    takes: { '<level>': 'how much of the light the dirt absorbs: 0 (none) to 1 (all)' },
    option: ['--sector <number>', `sector of the front screen, 1 to ${sectorCount} (default: all sectors)`],
    examples: ['0.4', '0.4 --sector 3', '0'],
    request: ([level = ''], { sector }) => [
      'contamination',
      {
        level: numberOf('level', level),
        sector: sector === undefined ? undefined : numberOf('--sector', sector),
      },
    ],
  },
  encoder: {
    text: 'Set the speed that the encoder measures.',
    takes: { '<speed>': 'mm/s; negative values are backwards' },
    examples: ['500', '-- -500'],
    request: ([speed = '']) => ['encoder', { speed: numberOf('speed', speed) }],
  },
  reference: {
    text: 'Give the encoder a reference signal.',
    takes: { '<signal>': 'number of the signal, 1 or 2' },
    examples: ['1'],
    request: ([signal = '']) => ['encoder/reference', { signal: numberOf('reference', signal) }],
  },
  dhcp: {
    text: 'Set the address that the simulated DHCP server offers.',
    takes: { '<offer>': '10.0.0.42/24, or 10.0.0.42/24,10.0.0.1 with a gateway, or none' },
    examples: ['10.0.0.42/24', '10.0.0.42/24,10.0.0.1', 'none'],
    request: ([offer = '']) => ['dhcp', offerOf(offer)],
  },
  plug: {
    text: 'Put a system plug into the connector, or pull it out. The next boot takes the parameters of another scanner from it.',
    takes: { '<act>': 'in or out', '[folder]': 'with in: the folder that is the plug' },
    examples: ['in ./plug', 'out'],
    request: ([word = '', folder]) => ['plug', { folder: plugOf(word, folder) }],
  },
  webserver: {
    text: 'Switch the web server on or off, from the next boot on.',
    takes: { '<state>': 'on or off' },
    examples: ['on'],
    request: ([word = '']) => ['webserver', { enabled: switchOf('webserver', word) }],
  },
};

/** The commands below `azimuth sim actor`. */
export const actorCommands: Readonly<Record<string, ControlCommand>> = {
  add: {
    text: 'Add an actor to the scene.',
    takes: { '<file>': 'JSON file with an actor, as in a scene file (- for stdin)' },
    examples: ['person.json'],
    request: async ([file = '']) => ['actors/add', await objectInFile(file)],
  },
  move: {
    text: 'Put an actor at a position, from the next revolution on.',
    takes: {
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
        x: numberOf('x', x),
        y: numberOf('y', y),
        heading: heading === undefined ? undefined : numberOf('heading', heading),
      },
    ],
  },
  remove: {
    text: 'Remove an actor from the scene.',
    takes: { '<name>': 'name of the actor' },
    examples: ['"person 1"'],
    request: ([name = '']) => ['actors/remove', { name }],
  },
};

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

/** On or off in any of the ways in which values are written. @throws Refusal */
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
    const { jsonProblem: jsonFault } = await import('@azimuth/simulation/scene');
    throw new CommandFailure(`${name}: ${jsonFault(content)}`);
  }
  throw new CommandFailure(`${name} is not a JSON object`);
}

/**
 * The scene that is meant: a ready one by its name, or one from a file or stdin (`-`), whose faults are found before
 * anything is sent.
 * @throws CommandFailure
 */
export async function sceneFrom(nameOrPath: string): Promise<object> {
  // Only this one of the commands needs scenes, whose checks take a while to load.
  const { loadScene, parseScene, readyScenes, SceneError } = await import('@azimuth/simulation/scene');
  if (readyScenes.includes(nameOrPath)) return { name: nameOrPath };
  const json = nameOrPath === '-' ? await objectInFile('-') : undefined;
  try {
    return json === undefined ? await loadScene(nameOrPath) : parseScene(json, 'stdin');
  } catch (error) {
    if (error instanceof SceneError) throw new CommandFailure(error.message);
    throw error;
  }
}
