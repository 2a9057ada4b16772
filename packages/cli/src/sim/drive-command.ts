import { setTimeout as pause } from 'node:timers/promises';
import { isObject } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import { Command } from '../options/command.js';
import { printable } from '../output/output.js';
import type { TargetOutput } from '../scanners/target-output.js';
import { formattedLines, type Row } from '../values/format-value.js';
import { parseDuration, parseNumber } from './control-commands.js';
import type { ControlPort, SimRun } from './control-port.js';

/** ms between two questions with `--follow`. */
const followInterval = 200;

interface DriveOptions {
  readonly speed?: string;
  readonly turn?: string;
  readonly for?: string;
  readonly vehicle?: string;
}

const vehicleOption = [
  '--vehicle <name>',
  'name of a vehicle of the scene (default: the one that carries the scanner)',
] as const;

/** `azimuth sim drive`: commands for a vehicle. */
export function driveCommand(run: SimRun): Command {
  const command = new Command('drive')
    .summary('drive the vehicle of the scanner')
    .description(
      'Drive the vehicle of the scanner. It keeps to the limits of its drive, and drives until the next command. It passes through walls: there are no collisions.',
    )
    .option('--speed <m/s>', 'speed ahead in m/s; negative values are backwards')
    .option('--turn <degrees/s>', 'turn rate in degrees per s, counter-clockwise')
    .option('--for <duration>', 'time after which it brakes, for example 3s (default: never)')
    .option(...vehicleOption)
    .action(async () => {
      const { speed, turn, for: time, vehicle } = command.opts<DriveOptions>();
      if (speed === undefined && turn === undefined)
        throw new CommandFailure('drive: expected --speed, --turn, stop or to');
      const given = {
        speed: speed === undefined ? undefined : parseNumber('--speed', speed),
        turn: turn === undefined ? undefined : parseNumber('--turn', turn),
        ms: time === undefined ? undefined : parseDuration(time),
        vehicle,
      };
      await run(command.allOptions(), (port, output) => print(port.command('drive', given), output));
    });
  const stop = new Command('stop')
    .summary('brake until the vehicle stands')
    .description('Brake until the vehicle stands.')
    .option(...vehicleOption)
    .action(async () => {
      const given = {
        speed: 0,
        turn: 0,
        vehicle: command.opts<DriveOptions>().vehicle ?? stop.opts().vehicle,
      };
      await run(stop.allOptions(), (port, output) => print(port.command('drive', given), output));
    });
  const to = new Command('to')
    .summary('put the vehicle at a position')
    .description('Put the vehicle at a position in the scene, where it stands. Its wheels do not notice.')
    .argument('<x>', 'm')
    .argument('<y>', 'm')
    .argument('[heading]', 'direction that it faces, in degrees counter-clockwise (default: 0)')
    .option(...vehicleOption)
    .action(async (x: string, y: string, heading: string | undefined) => {
      const given = {
        x: parseNumber('x', x),
        y: parseNumber('y', y),
        heading: heading === undefined ? undefined : parseNumber('heading', heading),
        vehicle: command.opts<DriveOptions>().vehicle ?? to.opts().vehicle,
      };
      await run(to.allOptions(), (port, output) => print(port.command('drive/to', given), output));
    });
  command.addCommand(stop.withControlOptions().withExamples('azimuth sim drive stop'));
  command.addCommand(
    to.withControlOptions().withExamples('azimuth sim drive to 1.5 2', 'azimuth sim drive to 1.5 2 90'),
  );
  return command
    .withControlOptions()
    .withExamples(
      'azimuth sim drive --speed 0.5',
      'azimuth sim drive --speed 0.5 --turn 10 --for 3s',
      'azimuth sim drive --turn 45 --vehicle agv',
      'azimuth sim drive stop',
      'azimuth sim drive to 1.5 2 90',
    );
}

interface OdometryOptions {
  readonly follow?: boolean;
  readonly vehicle?: string;
}

/** `azimuth sim odometry`: what a vehicle knows of its motion. */
export function odometryCommand(run: SimRun): Command {
  const command = new Command('odometry')
    .summary('print the odometry of the vehicle')
    .description(
      'Print the odometry of the vehicle: position and heading as its wheels report them, from its start on; and the true position in the scene.',
    )
    .option('--follow', 'print it five times a second, until Ctrl-C')
    .option(...vehicleOption)
    .action(async () => {
      const { follow = false, vehicle } = command.opts<OdometryOptions>();
      const query = vehicle === undefined ? '' : `?vehicle=${encodeURIComponent(vehicle)}`;
      await run(command.allOptions(), async (port, output) => {
        for (;;) {
          await print(port.read(`odometry${query}`), output);
          if (!follow) return;
          await pause(followInterval);
        }
      });
    });
  return command
    .withControlOptions()
    .withExamples(
      'azimuth sim odometry',
      'azimuth sim odometry --follow',
      'azimuth sim odometry --vehicle agv --json',
    );
}

async function print(response: ReturnType<ControlPort['read']>, output: TargetOutput): Promise<void> {
  const { ok: _, ...odometry } = await response;
  await output.print(odometry, () => formattedLines(odometryRows(odometry)));
}

/** The odometry, in the units of people. */
function odometryRows({
  vehicle,
  worldTime,
  pose,
  speed,
  turn,
  travelled,
  ...odometry
}: Record<string, unknown>): readonly Row[] {
  const place = (value: unknown) =>
    isObject(value)
      ? `${rounded(value.x, 3)}, ${rounded(value.y, 3)} m, heading ${rounded(value.heading, 2)}°`
      : '';
  return [
    ...(vehicle === undefined ? [] : [['vehicle', printable(String(vehicle))] as const]),
    ['time of the world', `${rounded(worldTime, 3)} s`],
    ['odometry', place(odometry)],
    ['true position', place(pose)],
    ['speed', `${rounded(speed, 3)} m/s, turning ${rounded(turn, 2)}°/s`],
    ['travelled', `${rounded(travelled, 3)} m`],
  ];
}

function rounded(value: unknown, digits: number): string {
  return typeof value === 'number' ? String(Number(value.toFixed(digits)) + 0) : '';
}
