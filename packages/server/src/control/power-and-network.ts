import type { Device } from '@azimuth/device';
import type { Commands, Given } from './command.js';
import { addressIn, booleanIn } from './given.js';

/** The plug, the way back after SetWebserverEnabled, and the DHCP server. */
export function powerAndNetworkCommands(device: Device): Commands {
  return {
    'power-cycle': { takes: [], act: () => device.powerCycle() },
    webserver: {
      takes: ['enabled'],
      act: (given) => device.setWebserverEnabled(booleanIn(given, 'enabled')),
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
