import type { Device } from '@azimuth/device';
import {
  type ControlCommands,
  type ControlledVehicle,
  type ControlQuery,
  ControlRefused,
  type Given,
} from '@azimuth/device/control';
import { radPerDegree } from '@azimuth/device/cores';
import { type SceneCore, unnamedVehicle } from '../world/index.js';
import type { VehicleDriver } from '../world/vehicle-driver.js';
import { numberIn, textIn } from './command-members.js';
import { sceneCoreOf } from './scene-commands.js';

/** Largest numbers of commands. Drives permit less. */
const mostSpeed = 100;
const mostTurn = 3600;
/** ms: a day. */
const longest = 86_400_000;
/** m and degrees, as in a scene file. */
const farthest = 10_000;
const mostDegrees = 36_000;

/** The position of a vehicle: m, and degrees counter-clockwise, above -180, up to 180. */
export interface VehiclePose {
  /** m. */
  readonly x: number;
  /** m. */
  readonly y: number;
  /** Degrees. */
  readonly heading: number;
}

/** What a vehicle knows of its motion: x, y and heading as its wheels report them, in the coordinates of its start. */
export interface Odometry extends VehiclePose {
  /** The name of the vehicle, if it has one. */
  readonly vehicle?: string;
  /** µs as in telegrams. */
  readonly time: number;
  /** s of the world. */
  readonly worldTime: number;
  /** m/s. */
  readonly speed: number;
  /** Degrees per s. */
  readonly turn: number;
  /** Distance travelled in m, less what was travelled backwards. */
  readonly travelled: number;
  /** The true position in the scene. */
  readonly pose: VehiclePose;
}

/** Returns the command that drives a vehicle, and the one that puts it somewhere. Both respond with the odometry of their moment. */
export function driveCommands(device: Device): ControlCommands {
  return {
    drive: {
      text: 'Drives a vehicle: m/s ahead, and degrees per s counter-clockwise. It brakes after "ms"; without it, it drives until the next command.',
      accepts: ['speed', 'turn', 'ms', 'vehicle'],
      schema: {
        type: 'object',
        properties: {
          speed: { type: 'number', minimum: -mostSpeed, maximum: mostSpeed, default: 0 },
          turn: { type: 'number', minimum: -mostTurn, maximum: mostTurn, default: 0 },
          ms: { type: 'number', minimum: 0, maximum: longest },
          vehicle: { type: 'string' },
        },
        anyOf: [{ required: ['speed'] }, { required: ['turn'] }],
        additionalProperties: false,
      },
      act: async (given) => {
        if (!hasVelocity(given)) throw new ControlRefused('drive takes "speed", "turn" or both');
        return drive(device, given, millisecondsIn(given));
      },
    },
    'drive/to': {
      text: 'Puts a vehicle at a position in the scene, where it stands. Its wheels do not notice.',
      accepts: ['x', 'y', 'heading', 'vehicle'],
      schema: {
        type: 'object',
        properties: {
          x: { type: 'number', minimum: -farthest, maximum: farthest },
          y: { type: 'number', minimum: -farthest, maximum: farthest },
          heading: { type: 'number', minimum: -mostDegrees, maximum: mostDegrees, default: 0 },
          vehicle: { type: 'string' },
        },
        required: ['x', 'y'],
        additionalProperties: false,
      },
      act: async (given) => {
        const pose = {
          x: numberIn(given, 'x', -farthest, farthest, 'm'),
          y: numberIn(given, 'y', -farthest, farthest, 'm'),
          heading: optionalIn(given, 'heading', mostDegrees, 'degrees') * radPerDegree,
        };
        return withVehicle(device, given, (vehicle, now) => vehicle.put(now, pose));
      },
    },
  };
}

/** Returns the query for the odometry: `?vehicle=agv` if the scanner is not on it. */
export function odometryQuery(device: Device): ControlQuery {
  return async (query) => {
    for (const name of query.keys())
      if (name !== 'vehicle') throw new ControlRefused(`odometry takes "vehicle", not "${name}"`);
    return odometry(device, query.get('vehicle'));
  };
}

/** Returns the present odometry of a vehicle; by default, of the one that carries the scanner. */
export function odometry(device: Device, vehicle?: string): Promise<Odometry> {
  return withVehicle(device, { vehicle }, () => undefined);
}

/** Returns the vehicle of a scanner for its velocity port and its odometry in ROS 2. */
export function controlledVehicle(device: Device): ControlledVehicle {
  const members = ['speed', 'turn', 'vehicle'];
  let loaded: { readonly core: SceneCore; readonly Driver: typeof VehicleDriver } | 'loading' | undefined;
  const load = async () => {
    const [core, { VehicleDriver: Driver }] = await Promise.all([
      sceneCoreOf(device.features.measuring),
      import('../world/vehicle-driver.js'),
    ]);
    loaded = { core, Driver };
  };
  return {
    drive: async (given) => {
      for (const name of Object.keys(given))
        if (!members.includes(name))
          throw new ControlRefused(`a velocity has "speed", "turn" and "vehicle", not "${name}"`);
      return hasVelocity(given) ? drive(device, given, 'watchdog') : withVehicle(device, given, () => {});
    },
    odometry: () => {
      if (loaded === undefined) {
        loaded = 'loading';
        device.errors.contain('control', load);
      }
      if (loaded === 'loading') return undefined;
      const { core, Driver } = loaded;
      if (core.vehicle === undefined) return undefined;
      const { odometry, speed, turn } = new Driver(core.world, core.vehicle).state(core.world.now);
      return { ...odometry, speed, turn };
    },
  };
}

function hasVelocity({ speed, turn }: Given): boolean {
  return speed !== undefined || turn !== undefined;
}

/** @param ends ms after which it brakes, or the time of its watchdog; undefined: at the next command */
function drive(device: Device, given: Given, ends: number | 'watchdog' | undefined): Promise<Odometry> {
  const velocity = {
    speed: optionalIn(given, 'speed', mostSpeed, 'm/s'),
    turn: optionalIn(given, 'turn', mostTurn, 'degrees per s') * radPerDegree,
  };
  return withVehicle(device, given, (vehicle, now) => {
    const milliseconds = ends === 'watchdog' ? vehicle.settings.watchdog : ends;
    vehicle.drive(now, velocity, milliseconds === undefined ? undefined : milliseconds / 1000);
  });
}

/**
 * Acts on a vehicle, and returns its odometry at this moment.
 * @throws ControlRefused
 */
async function withVehicle(
  { features: { measuring, telegramTime } }: Device,
  given: Given,
  act: (vehicle: VehicleDriver, now: number) => void,
): Promise<Odometry> {
  const core = await sceneCoreOf(measuring);
  const { VehicleDriver } = await import('../world/vehicle-driver.js');
  const name = nameIn(given, core);
  const microseconds = measuring.microseconds();
  const now = core.world.secondsAt(measuring.bootedAt) + microseconds / 1_000_000;
  try {
    const vehicle = new VehicleDriver(core.world, name);
    act(vehicle, now);
    const { speed, turn, travelled, odometry, pose } = vehicle.state(now);
    return {
      ...(name === unnamedVehicle ? {} : { vehicle: name }),
      time: Math.round(microseconds) + telegramTime.offsetAt(microseconds),
      worldTime: now,
      ...placeOf(odometry),
      speed,
      turn: turn / radPerDegree,
      travelled,
      pose: placeOf(pose),
    };
  } catch (error) {
    if (error instanceof RangeError) throw new ControlRefused(error.message);
    throw error;
  }
}

/** Returns the name of the vehicle of a command; by default, of the one that carries the scanner. @throws ControlRefused */
function nameIn(given: Given, core: SceneCore): string {
  if (given.vehicle !== undefined) return textIn(given, 'vehicle');
  if (core.vehicle !== undefined) return core.vehicle;
  const [only, ...others] = core.scene.vehicles;
  if (only !== undefined && others.length === 0) return only.name;
  throw new ControlRefused('this scanner is fixed in the scene: expected "vehicle" with a name');
}

function millisecondsIn(given: Given): number | undefined {
  return given.ms === undefined ? undefined : numberIn(given, 'ms', 0, longest, 'a day');
}

function optionalIn(given: Given, name: string, most: number, unit: string): number {
  return given[name] === undefined ? 0 : numberIn(given, name, -most, most, unit);
}

/** Returns a pose with a heading in degrees, above -180, up to 180. */
function placeOf({ x, y, heading }: VehiclePose): VehiclePose {
  const degrees = heading / radPerDegree;
  return { x, y, heading: degrees - 360 * Math.ceil((degrees - 180) / 360) };
}
