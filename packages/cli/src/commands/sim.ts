import { isObject, nearestName } from '@azimuth/model';
import { Command } from 'commander';
import { CommandFailure } from '../command-failure.js';
import { linesOf, type Row } from '../format-value.js';
import { type ControlOptions, controlOptions, withControlOptions, withExamples } from '../options.js';
import { printable } from '../output.js';
import { ControlPort } from '../sim/control-port.js';
import { type ControlCommand, type ControlCommandOptions, controlRequest } from '../sim/requests.js';
import { statusRows } from '../sim/status.js';

/** `azimuth sim`: the world of a virtual scanner. See docs/simulation.md for tests with it. */
export function simCommand(): Command {
  const command = new Command('sim')
    .summary('control the surroundings of a virtual scanner')
    .description(
      'Control the surroundings of a virtual scanner that was started with --control-port: power, time, inputs and scene. Without a command, print its state.',
    )
    // An argument here is a mistyped command, with its own arguments behind it.
    .arguments('[command] [first] [second]')
    .usage('[options] [command]')
    .action(async (mistyped?: string) => {
      if (mistyped !== undefined) throw unknownCommand(command, mistyped);
      await status(command);
    });
  for (const part of [statusCommand(), ...controlCommands(), sceneCommand(), actorCommand()]) {
    command.addCommand(part);
  }
  return withExamples(
    withControlOptions(command),
    'azimuth serve --control-port 9000       (in another terminal)',
    'azimuth sim',
    'azimuth sim advance 30s',
    'azimuth sim temperature 60',
    'azimuth sim input 1 high',
    'azimuth sim contamination 0.4 --sector 3',
    'azimuth sim dhcp 10.0.0.42/24',
    'azimuth sim scene gate',
    'azimuth sim actor move "person 1" 2.5 -0.4',
    'azimuth sim power-cycle',
  );
}

function statusCommand(): Command {
  const command = new Command('status')
    .description('show the state of the scanner and its surroundings')
    .action(() => status(command));
  return withControlOptions(command);
}

async function status(command: Command): Promise<void> {
  await showStatus(controlOptions(command));
}

function controlCommands(): readonly Command[] {
  return [
    controlCommand('power-cycle', 'power off and on: what was not stored is lost'),
    controlCommand('advance', 'let time pass for the scanner at once; nothing is measured meanwhile', {
      '<duration>': 'such as 250ms, 30s, 1.5min, 2h or 7d',
    }),
    controlCommand('temperature', 'set the temperature inside the scanner', {
      '<celsius>': 'in °C, or auto for the simulated one',
    }),
    controlCommand('input', 'set the level at a port', { '<port>': '1 to 8', '<level>': 'high or low' }),
    controlCommand('contamination', 'put dirt on the front screen', {
      '<level>': 'share of the light that it takes away, 0 to 1',
    }).option('--sector <number>', 'in one of the sectors 1 to 12 only'),
    controlCommand('encoder', 'move what drives the encoder', {
      '<speed>': 'mm/s; its sign is the direction',
    }),
    controlCommand('reference', 'give the encoder a reference signal', { '<signal>': '1 or 2' }),
    controlCommand('dhcp', 'set what a DHCP server offers', {
      '<offer>': '10.0.0.42/24, or 10.0.0.42/24,10.0.0.1 with a gateway, or none',
    }),
    controlCommand('webserver', 'switch the web server, from the next boot on', { '<state>': 'on or off' }),
  ];
}

function sceneCommand(): Command {
  const command = new Command('scene')
    .description('give the scanner another scene to see; without one, print the scene that it sees')
    .argument('[scene]', 'a ready scene by its name, or a scene file (- for stdin)')
    .action(async (scene: string | undefined) => {
      const options = controlOptions(command);
      await (scene === undefined ? showScene(options) : sendControlRequest('scene', [scene], options));
    });
  return withExamples(
    withControlOptions(command),
    'azimuth sim scene gate',
    'azimuth sim scene hall.json',
    'azimuth sim scene > hall.json',
  );
}

function actorCommand(): Command {
  const command = new Command('actor').description('add, move and remove the actors of the scene');
  const list = new Command('list')
    .description('list the actors, and where each of them is or goes')
    .action(async () => {
      await listActors(controlOptions(list));
    });
  command
    .addCommand(withControlOptions(list))
    .addCommand(controlCommand('actor add', 'add an actor', { '<file>': 'as in a scene file (- for stdin)' }))
    .addCommand(
      controlCommand('actor move', 'put an actor at a place, from the next revolution on', {
        '<name>': 'which one',
        '<x>': 'm ahead',
        '<y>': 'm to the left',
        '[heading]': 'degrees counter-clockwise (default: 0)',
      }),
    )
    .addCommand(controlCommand('actor remove', 'take an actor away', { '<name>': 'which one' }));
  return withExamples(
    command,
    'azimuth sim actor list',
    'azimuth sim actor add person.json',
    'azimuth sim actor move "person 1" 2.5 -0.4 90',
    'azimuth sim actor remove "person 1"',
  );
}

/** A command that has one thing done: its arguments are what the order of its name takes. */
function controlCommand(
  order: ControlCommand,
  description: string,
  takes: Readonly<Record<string, string>> = {},
): Command {
  const command = new Command(order.split(' ').at(-1)).description(description);
  for (const [argument, text] of Object.entries(takes)) command.argument(argument, text);
  command.action(async () => {
    await sendControlRequest(order, command.args, controlOptions<ControlCommandOptions>(command));
  });
  return withControlOptions(command);
}

function unknownCommand(command: Command, typed: string): CommandFailure {
  const meant = nearestName(
    typed,
    command.commands.map((each) => each.name()),
  );
  const question = meant === undefined ? '' : `; did you mean ${meant}?`;
  return new CommandFailure(`unknown command 'sim ${typed}'${question}`);
}

/** Sends one command. Its arguments are checked before the scanner is asked. */
async function sendControlRequest(
  name: ControlCommand,
  words: readonly string[],
  options: ControlCommandOptions,
): Promise<void> {
  const port = controlPortAt(options);
  const [command, given] = await controlRequest(name, words, options);
  await port.command(command, given);
  if (options.json === true) print('{"ok":true}');
  if (name === 'contamination' && !isClean(given)) await warnIfUndetected(port);
}

function isClean(given: object): boolean {
  return 'level' in given && given.level === 0;
}

/** Reports that dirt changes only the scans while contamination detection is off, which is the default. */
async function warnIfUndetected(port: ControlPort): Promise<void> {
  const { contaminationStrategy } = await port.read('');
  const reason = whyUndetected(contaminationStrategy);
  if (reason === undefined) return;
  process.stderr.write(`azimuth: ${reason}\n`);
}

function whyUndetected(strategy: unknown): string | undefined {
  if (strategy === null) return 'This variant has no contamination detection, so only the scans change.';
  if (strategy !== 'CM_STRATEGY_INACTIVE') return undefined;
  return 'Contamination detection is off, so only the scans change. Switch it on: azimuth set ContaminationConfig eStrategy=CM_STRATEGY_SENSITIVE';
}

/** Prints how the scanner and its world are. */
async function showStatus(options: ControlOptions): Promise<void> {
  const state = await controlPortAt(options).read('');
  print(options.json === true ? JSON.stringify(state) : linesOf(statusRows(state)).join('\n'));
}

/** Prints the scene as a scene file has it. */
async function showScene(options: ControlOptions): Promise<void> {
  const scene = await controlPortAt(options).read('scene');
  print(options.json === true ? JSON.stringify(scene) : JSON.stringify(scene, null, 2));
}

/** Prints the actors, and where each of them stands or moves. */
async function listActors(options: ControlOptions): Promise<void> {
  const { actors } = await controlPortAt(options).read('scene');
  const known = Array.isArray(actors) ? actors.filter(isObject) : [];
  if (options.json === true) print(JSON.stringify(known.map(({ name, path }) => ({ name, path }))));
  else for (const line of linesOf(known.map(actorRow))) print(line);
}

/** The control port that the options name, else the environment, else that of a scanner on this machine. */
function controlPortAt({ control }: ControlOptions): ControlPort {
  return new ControlPort(control ?? (process.env.AZIMUTH_CONTROL || 'http://127.0.0.1:9000'));
}

function actorRow({ name, path }: Record<string, unknown>): Row {
  const shown = name === '' ? '(no name)' : printable(String(name));
  if (!isObject(path) || !Array.isArray(path.waypoints)) return [shown, ''];
  const [first] = path.waypoints;
  if (path.waypoints.length > 1)
    return [shown, printable(`on a path of ${path.waypoints.length} waypoints, ${path.repeat}`)];
  if (!isObject(first)) return [shown, ''];
  return [shown, printable(`stands at ${first.x}, ${first.y}, heading ${first.heading ?? 0}`)];
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
