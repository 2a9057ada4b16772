import {
  type ControlCommands,
  ControlRefused,
  type Device,
  type Given,
  type MovableClock,
} from '@azimuth/device';
import { portCount, sectorCount } from '@azimuth/model';
import type { VirtualHost } from '../virtual-host.js';
import { addressIn, booleanIn, numberIn, wholeNumberIn } from './given.js';

/** A scanner does all that falls due on the way: what is further off would keep it from answering for seconds. */
const furthestDays = 400;
const furthest = furthestDays * 24 * 3_600_000;

/** What drives an encoder, in mm/s. */
const fastest = 100_000;

/** The plug, the way back after SetWebserverEnabled, and the DHCP server. */
export function powerAndNetworkCommands(device: Device): ControlCommands {
  return {
    'power-cycle': { takes: [], act: () => device.powerCycle() },
    webserver: {
      takes: ['enabled'],
      act: (given) => device.webserver.set(booleanIn(given, 'enabled')),
    },
    dhcp: {
      takes: ['address', 'mask', 'gateway'],
      act: (given) => device.network.offer(offerIn(given)),
    },
  };
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

/** Time travel. */
export function timeCommands(device: Device, clock: MovableClock): ControlCommands {
  return {
    'clock/advance': {
      takes: ['ms'],
      act: (given) => {
        const ms = numberIn(given, 'ms', 0, furthest, `${furthestDays} days`);
        device.skipTime(() => clock.advance(ms));
      },
    },
  };
}

/** What sensors would measure: temperature and motion. */
export function sensorCommands(device: Device, host: VirtualHost): ControlCommands {
  return {
    temperature: {
      takes: ['celsius'],
      act: (given) => host.setTemperature(celsiusIn(given)),
    },
    encoder: {
      takes: ['speed'],
      act: (given) => {
        host.setEncoderSpeed(numberIn(given, 'speed', -fastest, fastest, 'mm/s'));
        device.encoder.speedChanged();
      },
    },
    'encoder/reference': {
      takes: ['signal'],
      act: (given) => device.encoder.reference(signalIn(given, 'signal')),
    },
  };
}

/** °C; undefined, for null or nothing: it goes its own way again. */
function celsiusIn(given: Given): number | undefined {
  if (given.celsius === undefined || given.celsius === null) return undefined;
  return numberIn(given, 'celsius', -100, 200);
}

function signalIn(given: Given, name: string): 1 | 2 {
  const value = given[name];
  if (value === 1 || value === 2) return value;
  throw new ControlRefused(`"${name}" has to be 1 or 2`);
}

/** What is wired to the eight ports. */
export function portCommands(ports: Pick<Device['ports'], 'setLevel'>): ControlCommands {
  return {
    input: {
      takes: ['port', 'high'],
      act: (given) => ports.setLevel(wholeNumberIn(given, 'port', 1, portCount), booleanIn(given, 'high')),
    },
  };
}

/** The dirt on the front screen. */
export function screenCommands(
  contamination: Pick<Device['contamination'], 'levelsChanged'>,
  host: VirtualHost,
): ControlCommands {
  return {
    contamination: {
      takes: ['level', 'sector'],
      act: (given) => {
        const level = numberIn(given, 'level', 0, 1);
        const sector =
          given.sector === undefined ? undefined : wholeNumberIn(given, 'sector', 1, sectorCount);
        host.setContamination(level, sector);
        contamination.levelsChanged();
      },
    },
  };
}
