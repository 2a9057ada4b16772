import type { Device, MovableClock } from '@azimuth/device';
import { Fault, ipv4 } from '@azimuth/model';
import type { VirtualHost } from '../virtual-host.js';
import { type Command, ControlRefused } from './control-port.js';

const furthest = 100 * 366 * 24 * 3_600_000;

/** The commands of the control port. */
export function controlCommands(
  device: Device,
  clock: MovableClock,
  host: VirtualHost,
): ReadonlyMap<string, Command> {
  return new Map<string, Command>([
    ['power-cycle', () => device.powerCycle()],
    ['webserver', (given) => device.setWebserverEnabled(booleanIn(given, 'enabled'))],
    [
      'dhcp',
      (given) =>
        device.network.offer(
          given.address === undefined
            ? undefined
            : {
                address: addressIn(given, 'address'),
                mask: addressIn(given, 'mask'),
                gateway: addressIn(given, 'gateway'),
              },
        ),
    ],
    ['clock/advance', (given) => clock.advance(numberIn(given, 'ms', 0, furthest))],
    [
      'temperature',
      (given) => {
        host.setTemperature(numberIn(given, 'celsius', -100, 200));
        device.temperatureChanged();
      },
    ],
  ]);
}

function booleanIn(given: Readonly<Record<string, unknown>>, name: string): boolean {
  const value = given[name];
  if (typeof value === 'boolean') return value;
  throw new ControlRefused(`"${name}" has to be true or false`);
}

function numberIn(
  given: Readonly<Record<string, unknown>>,
  name: string,
  minimum: number,
  maximum: number,
): number {
  const value = given[name];
  if (typeof value === 'number' && value >= minimum && value <= maximum) return value;
  throw new ControlRefused(`"${name}" has to be a number from ${minimum} to ${maximum}`);
}

function addressIn(given: Readonly<Record<string, unknown>>, name: string): readonly number[] {
  try {
    return ipv4([0, 0, 0, 0]).fromJson(given[name], name);
  } catch (error) {
    throw new ControlRefused(error instanceof Fault ? error.message : `"${name}" has to be an IPv4 address`);
  }
}
