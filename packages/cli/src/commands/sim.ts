import { isObject } from '@azimuth/model';
import { nearestName } from '@azimuth/wording';
import { CommandFailure } from '../command-failure.js';
import { Command } from '../options/command.js';
import { jsonText, printable } from '../output/output.js';
import type { TargetOutput } from '../scanners/target-output.js';
import {
  actorCommands,
  type ControlCommand,
  type ControlCommandOptions,
  type ControlRequest,
  controlCommands,
  sceneFrom,
} from '../sim/control-commands.js';
import { atControlPort, type ControlPort, type SimAct, type SimRun } from '../sim/control-port.js';
import { driveCommand, odometryCommand } from '../sim/drive-command.js';
import { faultCommand } from '../sim/fault-command.js';
import { journalCommand } from '../sim/journal-command.js';
import { statusRows } from '../sim/status.js';
import { formattedLines, type Row } from '../values/format-value.js';

export function defineCommand(command: Command): Command {
  return simCommand(command, atControlPort);
}

/**
 * `azimuth sim`: the simulation of a virtual scanner. See docs/simulation.md for tests with it.
 * @param run runs an action at the chosen control ports
 */
export function simCommand(command: Command, run: SimRun): Command {
  command
    .description(
      'Control the simulation of a virtual scanner: power, time, inputs, scene and more. The scanner must have been started with --control-port. Without a command, the state of the scanner and its simulation is printed.',
    )
    // An argument here is a mistyped command, followed by its own arguments.
    .arguments('[command] [first] [second]')
    .usage('[options] [command]')
    .action(async (mistyped?: string) => {
      if (mistyped !== undefined) throw unknownCommand(command, mistyped);
      await run(command.allOptions(), showStatus);
    });
  for (const part of [
    statusCommand(run),
    ...Object.entries(controlCommands).map(([name, each]) => controlCommand(run, '', name, each)),
    sceneCommand(run),
    actorCommand(run),
    driveCommand(run),
    odometryCommand(run),
    faultCommand(run),
    journalCommand(run),
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
      'azimuth sim drive --speed 0.5 --turn 10 --for 3s',
      'azimuth sim odometry',
      'azimuth sim fault add stream-loss --probability 0.05',
      'azimuth sim journal --follow',
      'azimuth sim power-cycle',
    );
}

function statusCommand(run: SimRun): Command {
  const command = new Command('status')
    .summary('print the state of the scanner and its simulation')
    .description('Print the state of the scanner and its simulation.')
    .action(() => run(command.allOptions(), showStatus));
  return command
    .withControlOptions()
    .withExamples('azimuth sim status', 'azimuth sim status --control http://127.0.0.1:9001 --json');
}

function sceneCommand(run: SimRun): Command {
  const command = new Command('scene')
    .summary('set or print the scene')
    .description('Set the scene around the scanner. Without an argument, the scene is printed.')
    .argument('[scene]', 'name of a ready scene, a scene file (- for stdin), or a ROS map (.yaml)')
    .action(async (scene: string | undefined) =>
      run(command.allOptions(), scene === undefined ? showScene : sending(['scene', await sceneFrom(scene)])),
    );
  return command
    .withControlOptions()
    .withExamples(
      'azimuth sim scene gate',
      'azimuth sim scene hall.json',
      'azimuth sim scene hall.yaml',
      'azimuth sim scene > hall.json',
    );
}

function actorCommand(run: SimRun): Command {
  const command = new Command('actor')
    .summary('list, add, move and remove actors')
    .description('List, add, move and remove the actors (moving objects) of the scene.');
  const list = new Command('list')
    .summary('list the actors')
    .description('List the actors, with the position or the path of each.')
    .action(() => run(list.allOptions(), listActors));
  command.addCommand(list.withControlOptions().withExamples('azimuth sim actor list'));
  for (const [name, each] of Object.entries(actorCommands))
    command.addCommand(controlCommand(run, 'actor ', name, each));
  return command.withExamples(
    'azimuth sim actor list',
    'azimuth sim actor add person.json',
    'azimuth sim actor move "person 1" 2.5 -0.4 90',
    'azimuth sim actor remove "person 1"',
  );
}

/** @param below the names of the commands above it, with a blank after each */
function controlCommand(
  run: SimRun,
  below: string,
  name: string,
  { text, argumentHelp, option, examples, request }: ControlCommand,
): Command {
  const [first = ''] = text.split('.', 1);
  const command = new Command(name)
    .summary(first.charAt(0).toLowerCase() + first.slice(1))
    .description(text)
    .action(async () => {
      const options = command.allOptions<ControlCommandOptions>();
      await run(options, sending(await request(command.args, options)));
    })
    .withControlOptions();
  for (const [argument, help] of Object.entries(argumentHelp)) command.argument(argument, help);
  if (option !== undefined) command.option(...option);
  const called = `azimuth sim ${below}${name}`;
  const lines = examples.length === 0 ? [called] : examples.map((words) => `${called} ${words}`);
  return command.withExamples(...lines);
}

function unknownCommand(command: Command, typed: string): CommandFailure {
  const suggestion = nearestName(
    typed,
    command.commands.map((each) => each.name()),
  );
  const question = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
  return new CommandFailure(`unknown command 'sim ${typed}'${question}`);
}

/** Sends one command. */
function sending([command, body]: ControlRequest): SimAct {
  return async (port, output) => {
    await port.command(command, body);
    await output.print({ ok: true }, () => []);
    if (command === 'contamination' && !isClean(body)) await warnIfUndetected(port, output);
  };
}

function isClean(body: object): boolean {
  return 'level' in body && body.level === 0;
}

/** Reports that dirt changes only the scans while contamination detection is off, which is the default. */
async function warnIfUndetected(port: ControlPort, output: TargetOutput): Promise<void> {
  const { contaminationStrategy } = await port.read('');
  const reason = whyUndetected(contaminationStrategy);
  if (reason !== undefined) output.remark(reason);
}

function whyUndetected(strategy: unknown): string | undefined {
  if (strategy === null) return 'This variant has no contamination detection, so only the scans change.';
  if (strategy !== 'CM_STRATEGY_INACTIVE') return undefined;
  return 'Contamination detection is off, so only the scans change. Switch it on: azimuth set ContaminationConfig eStrategy=CM_STRATEGY_SENSITIVE';
}

/** Prints the state of the scanner and its simulation. */
async function showStatus(port: ControlPort, output: TargetOutput): Promise<void> {
  const state = await port.read('');
  await output.print(state, () => formattedLines(statusRows(state)));
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
    () => formattedLines(known.map(actorRow)),
  );
}

function actorRow({ name, path }: Record<string, unknown>): Row {
  const label = name === '' ? '(no name)' : printable(String(name));
  if (!isObject(path) || !Array.isArray(path.waypoints)) return [label, ''];
  const [first] = path.waypoints;
  if (path.waypoints.length > 1)
    return [label, printable(`on a path of ${path.waypoints.length} waypoints, ${path.repeat}`)];
  if (!isObject(first)) return [label, ''];
  return [label, printable(`at ${first.x}, ${first.y}, heading ${first.heading ?? 0}`)];
}
