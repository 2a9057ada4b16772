import type { Device, MovableClock } from '@azimuth/device';
import { Fault, ipv4 } from '@azimuth/model';
import type { VirtualHost } from '../virtual-host.js';
import { type Command, ControlRefused, type Given } from './control-port.js';

/** A scanner does all that falls due on the way: what is further off would keep it from answering for seconds. */
const furthestDays = 400;
const furthest = furthestDays * 24 * 3_600_000;

/** What drives an encoder, in mm/s. */
const fastest = 100_000;

/** The commands of the control port. */
export function controlCommands(
  device: Device,
  clock: MovableClock,
  host: VirtualHost,
): ReadonlyMap<string, Command> {
  return new Map<string, Command>([
    ['power-cycle', { takes: [], act: () => device.powerCycle() }],
    [
      'webserver',
      { takes: ['enabled'], act: (given) => device.setWebserverEnabled(booleanIn(given, 'enabled')) },
    ],
    ['dhcp', { takes: ['address', 'mask', 'gateway'], act: (given) => device.network.offer(offerIn(given)) }],
    [
      'clock/advance',
      {
        takes: ['ms'],
        act: (given) => {
          const ms = numberIn(given, 'ms', 0, furthest, `${furthestDays} days`);
          device.skipTime(() => clock.advance(ms));
        },
      },
    ],
    [
      'temperature',
      {
        takes: ['celsius'],
        act: (given) => {
          host.setTemperature(numberIn(given, 'celsius', -100, 200));
          device.temperatureChanged();
        },
      },
    ],
    [
      'encoder',
      {
        takes: ['speed'],
        act: (given) => {
          host.setEncoderSpeed(numberIn(given, 'speed', -fastest, fastest, 'mm/s'));
          device.encoder.speedChanged();
        },
      },
    ],
    [
      'encoder/reference',
      { takes: ['signal'], act: (given) => device.encoder.reference(signalIn(given, 'signal')) },
    ],
  ]);
}

function signalIn(given: Given, name: string): 1 | 2 {
  const value = given[name];
  if (value === 1 || value === 2) return value;
  throw new ControlRefused(`"${name}" has to be 1 or 2`);
}

function booleanIn(given: Given, name: string): boolean {
  const value = given[name];
  if (typeof value === 'boolean') return value;
  throw new ControlRefused(`"${name}" has to be true or false`);
}

function numberIn(given: Given, name: string, minimum: number, maximum: number, spoken?: string): number {
  const value = given[name];
  if (typeof value === 'number' && value >= minimum && value <= maximum) return value;
  const most = spoken === undefined ? maximum : `${maximum} (${spoken})`;
  throw new ControlRefused(`"${name}" has to be a number from ${minimum} to ${most}`);
}

/** What is offered: all three, or nothing where nothing is given. */
function offerIn(given: Given) {
  if (Object.keys(given).length === 0) return undefined;
  return {
    address: addressIn(given, 'address'),
    mask: addressIn(given, 'mask'),
    gateway: addressIn(given, 'gateway'),
  };
}

function addressIn(given: Given, name: string): readonly number[] {
  try {
    return ipv4([0, 0, 0, 0]).fromJson(given[name], name);
  } catch (error) {
    throw new ControlRefused(error instanceof Fault ? error.message : `"${name}" has to be an IPv4 address`);
  }
}
