import type { Device } from '@azimuth/device';
import type { VirtualHost } from '../virtual-host.js';
import { type Commands, ControlRefused, type Given } from './command.js';
import { numberIn } from './given.js';

/** What drives an encoder, in mm/s. */
const fastest = 100_000;

/** What sensors would measure: temperature and motion. */
export function surroundingsCommands(device: Device, host: VirtualHost): Commands {
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
