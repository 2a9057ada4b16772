import { isObject, nearestName, sectorCount } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import { Command } from '../options/command.js';
import { jsonText, printable } from '../output/output.js';
import type { TargetOutput } from '../scanners/target-output.js';
import type { ControlPort } from '../sim/control-port.js';
import { atControlPort, type SimAct, type SimRun } from '../sim/control-port.js';
import { faultCommand } from '../sim/fault-command.js';
import { type ControlCommand, type ControlCommandOptions, controlRequest } from '../sim/requests.js';
import { statusRows } from '../sim/status.js';
import { linesOf, type Row } from '../values/format-value.js';

export function defineCommand(command: Command): Command {
  return simCommand(command, atControlPort);
}

/**
 * `azimuth sim`: the world of a virtual scanner. See docs/simulation.md for tests with it.
 * @param run at which control ports it acts
 */
export function simCommand(command: Command, run: SimRun): Command {
  command
    .description(
      'Control the surroundings of a virtual scanner: power, time, inputs, scene and more. The scanner must have been started with --control-port. Without a command, the state of the scanner and its surroundings is printed.',
    )
    // An argument here is a mistyped command, followed by its own arguments.
    .arguments('[command] [first] [second]')
    .usage('[options] [command]')
    .action(async (mistyped?: string) => {
      if (mistyped !== undefined) throw unknownCommand(command, mistyped);
      await run(command.given(), showStatus);
    });
  for (const part of [
    statusCommand(run),
    ...controlCommands(run),
    sceneCommand(run),
    actorCommand(run),
    faultCommand(run),
  ]) {
    command.addCommand(part);
  }
  return command
    .withControlOptions()
    .withExamples(
      'azimuth serve --control-port 9000       (in another terminal)',
      'azimuth sim',
      'azimuth sim advance 30s',
      'azimuth sim temperature 60',
      'azimuth sim input 3 high',
      'azimuth sim contamination 0.4 --sector 3',
      'azimuth sim dhcp 10.0.0.42/24',
      'azimuth sim plug in ./plug',
      'azimuth sim scene gate',
      'azimuth sim actor move "person 1" 2.5 -0.4',
      'azimuth sim fault add stream-loss --probability 0.05',
      'azimuth sim power-cycle',
    );
}

function statusCommand(run: SimRun): Command {
  const command = new Command('status')
    .summary('print the state of the scanner and its surroundings')
    .description('Print the state of the scanner and its surroundings.')
    .action(() => run(command.given(), showStatus));
  return command
    .withControlOptions()
    .withExamples('azimuth sim status', 'azimuth sim status --control http://127.0.0.1:9001 --json');
}

function controlCommands(run: SimRun): readonly Command[] {
  return [
    controlCommand(run, 'power-cycle', 'Switch the power off and on. What was not saved is lost.', {}, []),
    controlCommand(
      run,
      'advance',
      'Move the clocks of the scanner forward. The scanner measures nothing in the skipped time, except with --measure.',
      { '<duration>': 'for example 250ms, 30s, 1.5min, 2h or 7d' },
      ['30s', '7d', '10s --measure'],
    ).option('--measure', 'measure and send everything that falls due on the way, at most 10 minutes'),
    controlCommand(
      run,
      'temperature',
      'Set the temperature inside the scanner.',
      { '<celsius>': '°C, or auto: the simulation computes the temperature' },
      ['60', 'auto'],
    ),
    controlCommand(
      run,
      'input',
      'Set the signal at an I/O port.',
      { '<port>': 'number of an I/O port that the plug has', '<level>': 'high or low' },
      ['1 high', '1 low'],
    ),
    controlCommand(
      run,
      'contamination',
      'Put dirt on the front screen.',
      { '<level>': 'how much of the light the dirt absorbs: 0 (none) to 1 (all)' },
      ['0.4', '0.4 --sector 3', '0'],
    ).option('--sector <number>', `sector of the front screen, 1 to ${sectorCount} (default: all sectors)`),
    controlCommand(
      run,
      'encoder',
      'Set the speed that the encoder measures.',
      { '<speed>': 'mm/s; negative values are backwards' },
      ['500', '-- -500'],
    ),
    controlCommand(
      run,
      'reference',
      'Give the encoder a reference signal.',
      { '<signal>': 'number of the signal, 1 or 2' },
      ['1'],
    ),
    controlCommand(
      run,
      'dhcp',
      'Set the address that the simulated DHCP server offers.',
      { '<offer>': '10.0.0.42/24, or 10.0.0.42/24,10.0.0.1 with a gateway, or none' },
      ['10.0.0.42/24', '10.0.0.42/24,10.0.0.1', 'none'],
    ),
    controlCommand(
      run,
      'plug',
      'Put a system plug into the connector, or pull it out. The next boot takes the parameters of another scanner from it.',
      { '<act>': 'in or out', '[folder]': 'with in: the folder that is the plug' },
      ['in ./plug', 'out'],
    ),
    controlCommand(
      run,
      'webserver',
      'Switch the web server on or off, from the next boot on.',
      { '<state>': 'on or off' },
      ['on'],
    ),
  ];
}

function sceneCommand(run: SimRun): Command {
  const command = new Command('scene')
    .summary('set or print the scene')
    .description('Set the scene around the scanner. Without an argument, the scene is printed.')
    .argument('[scene]', 'name of a ready scene, or a scene file (- for stdin)')
    .action(async (scene: string | undefined) => {
      const options = command.given();
      await run(options, scene === undefined ? showScene : await sending('scene', [scene], options));
    });
  return command
    .withControlOptions()
    .withExamples('azimuth sim scene gate', 'azimuth sim scene hall.json', 'azimuth sim scene > hall.json');
}

function actorCommand(run: SimRun): Command {
  const command = new Command('actor')
    .summary('list, add, move and remove actors')
    .description('List, add, move and remove the actors (moving objects) of the scene.');
  const list = new Command('list')
    .summary('list the actors')
    .description('List the actors, with the position or the path of each.')
    .action(() => run(list.given(), listActors));
  command
    .addCommand(list.withControlOptions().withExamples('azimuth sim actor list'))
    .addCommand(
      controlCommand(
        run,
        'actor add',
        'Add an actor to the scene.',
        { '<file>': 'JSON file with an actor, as in a scene file (- for stdin)' },
        ['person.json'],
      ),
    )
    .addCommand(
      controlCommand(
        run,
        'actor move',
        'Put an actor at a position, from the next revolution on.',
        {
          '<name>': 'name of the actor',
          '<x>': 'm ahead of the scanner',
          '<y>': 'm to the left of the scanner',
          '[heading]': 'direction that the actor faces, in degrees counter-clockwise (default: 0)',
        },
        ['"person 1" 2.5 -0.4 90'],
      ),
    )
    .addCommand(
      controlCommand(
        run,
        'actor remove',
        'Remove an actor from the scene.',
        { '<name>': 'name of the actor' },
        ['"person 1"'],
      ),
    );
  return command.withExamples(
    'azimuth sim actor list',
    'azimuth sim actor add person.json',
    'azimuth sim actor move "person 1" 2.5 -0.4 90',
    'azimuth sim actor remove "person 1"',
  );
}

/** A command that sends one command to the control port. Its first sentence is also its line in the list. */
function controlCommand(
  run: SimRun,
  order: ControlCommand,
  description: string,
  takes: Readonly<Record<string, string>>,
  examples: readonly string[],
): Command {
  const [first = ''] = description.split('.', 1);
  const command = new Command(order.split(' ').at(-1))
    .summary(first.charAt(0).toLowerCase() + first.slice(1))
    .description(description);
  for (const [argument, text] of Object.entries(takes)) command.argument(argument, text);
  command.action(async () => {
    const options = command.given<ControlCommandOptions>();
    await run(options, await sending(order, command.args, options));
  });
  const called = `azimuth sim ${order}`;
  const lines = examples.length === 0 ? [called] : examples.map((words) => `${called} ${words}`);
  return command.withControlOptions().withExamples(...lines);
}

function unknownCommand(command: Command, typed: string): CommandFailure {
  const meant = nearestName(
    typed,
    command.commands.map((each) => each.name()),
  );
  const question = meant === undefined ? '' : `; did you mean ${meant}?`;
  return new CommandFailure(`unknown command 'sim ${typed}'${question}`);
}

/** Sends one command. Its arguments are checked before any scanner is asked. */
async function sending(
  name: ControlCommand,
  words: readonly string[],
  options: ControlCommandOptions,
): Promise<SimAct> {
  const [command, given] = await controlRequest(name, words, options);
  return async (port, output) => {
    await port.command(command, given);
    await output.print({ ok: true }, () => []);
    if (name === 'contamination' && !isClean(given)) await warnIfUndetected(port, output);
  };
}

function isClean(given: object): boolean {
  return 'level' in given && given.level === 0;
}

/** Reports that dirt changes only the scans while contamination detection is off, which is the default. */
async function warnIfUndetected(port: ControlPort, output: TargetOutput): Promise<void> {
  const { contaminationStrategy } = await port.read('');
  const reason = whyUndetected(contaminationStrategy);
  if (reason !== undefined) output.note(reason);
}

function whyUndetected(strategy: unknown): string | undefined {
  if (strategy === null) return 'This variant has no contamination detection, so only the scans change.';
  if (strategy !== 'CM_STRATEGY_INACTIVE') return undefined;
  return 'Contamination detection is off, so only the scans change. Switch it on: azimuth set ContaminationConfig eStrategy=CM_STRATEGY_SENSITIVE';
}

/** Prints the state of the scanner and its surroundings. */
async function showStatus(port: ControlPort, output: TargetOutput): Promise<void> {
  const state = await port.read('');
  await output.print(state, () => linesOf(statusRows(state)));
}

/** Prints the scene in the form of a scene file. */
async function showScene(port: ControlPort, output: TargetOutput): Promise<void> {
  const scene = await port.read('scene');
  await output.print(scene, () => jsonText(scene, 2).split('\n'));
}

/** Prints the actors, with the position or the path of each. */
async function listActors(port: ControlPort, output: TargetOutput): Promise<void> {
  const { actors } = await port.read('scene');
  const known = Array.isArray(actors) ? actors.filter(isObject) : [];
  await output.print(
    known.map(({ name, path }) => ({ name, path })),
    () => linesOf(known.map(actorRow)),
  );
}

function actorRow({ name, path }: Record<string, unknown>): Row {
  const shown = name === '' ? '(no name)' : printable(String(name));
  if (!isObject(path) || !Array.isArray(path.waypoints)) return [shown, ''];
  const [first] = path.waypoints;
  if (path.waypoints.length > 1)
    return [shown, printable(`on a path of ${path.waypoints.length} waypoints, ${path.repeat}`)];
  if (!isObject(first)) return [shown, ''];
  return [shown, printable(`at ${first.x}, ${first.y}, heading ${first.heading ?? 0}`)];
}
