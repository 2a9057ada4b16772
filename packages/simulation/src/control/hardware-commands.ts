import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { Mutex } from '@azimuth/async';
import { type Device, FolderPlug } from '@azimuth/device';
import { type ControlCommands, ControlRefused, type Given } from '@azimuth/device/control';
import { PlugState, sectorCount } from '@azimuth/model';
import type { VirtualHardware } from '../virtual-hardware.js';
import { addressIn, booleanIn, numberIn, textIn, wholeNumberIn } from './command-members.js';

/** Largest speed of the encoder in mm/s. */
const mostSpeed = 100_000;

/**
 * Returns the commands for a power cycle, the web server, the clock of the system and the DHCP server. The web server can be switched on again after
 * SetWebserverEnabled has switched it off.
 */
export function powerAndNetworkCommands(device: Device, hardware: VirtualHardware): ControlCommands {
  return {
    'power-cycle': { accepts: [], act: () => device.lifecycle.powerCycle() },
    webserver: {
      accepts: ['enabled'],
      act: (given) => device.features.webserver.set(booleanIn(given, 'enabled')),
    },
    'clock/synchronised': {
      accepts: ['on'],
      act: (given) => hardware.setSynchronised(booleanIn(given, 'on')),
    },
    dhcp: {
      accepts: ['address', 'mask', 'gateway'],
      act: (given) => hardware.offerLease(offerIn(given)),
    },
  };
}

/** Reads the address that the DHCP server offers: all three members; undefined if none is given. */
function offerIn(given: Given) {
  if (Object.keys(given).length === 0) return undefined;
  return {
    address: addressIn(given, 'address'),
    mask: addressIn(given, 'mask'),
    gateway: addressIn(given, 'gateway'),
  };
}

/** Returns the commands for what the sensors measure: temperature and encoder. */
export function sensorCommands(device: Device, hardware: VirtualHardware): ControlCommands {
  return {
    temperature: {
      accepts: ['celsius'],
      act: (given) => hardware.setTemperature(celsiusIn(given)),
    },
    encoder: {
      accepts: ['speed'],
      act: (given) => hardware.setEncoderSpeed(speedIn(given)),
    },
    'encoder/reference': {
      accepts: ['signal'],
      act: (given) => device.features.encoder.reference(signalIn(given, 'signal')),
    },
  };
}

/** Reads a temperature in °C; undefined for null or a missing member: then the temperature model computes it again. */
function celsiusIn(given: Given): number | undefined {
  if (given.celsius === undefined || given.celsius === null) return undefined;
  return numberIn(given, 'celsius', -100, 200);
}

/** Reads a speed in mm/s; undefined for null or a missing member: then the vehicle in the scene turns the encoder again. */
function speedIn(given: Given): number | undefined {
  if (given.speed === undefined || given.speed === null) return undefined;
  return numberIn(given, 'speed', -mostSpeed, mostSpeed, 'mm/s');
}

function signalIn(given: Given, name: string): 1 | 2 {
  const value = given[name];
  if (value === 1 || value === 2) return value;
  throw new ControlRefused(`"${name}" must be 1 or 2`);
}

/** Returns the commands for the signals at the ports that the plug has. */
export function portCommands(
  ports: Pick<Device['features']['ports'], 'overview'>,
  hardware: VirtualHardware,
): ControlCommands {
  return {
    input: {
      accepts: ['port', 'high'],
      act: (given) =>
        hardware.setInput(wholeNumberIn(given, 'port', 1, ports.overview.length), booleanIn(given, 'high')),
    },
  };
}

/** Returns the commands for the contamination of the front screen. */
export function screenCommands(hardware: VirtualHardware): ControlCommands {
  return {
    contamination: {
      accepts: ['level', 'sector'],
      act: (given) => {
        const level = numberIn(given, 'level', 0, 1);
        const sector =
          given.sector === undefined ? undefined : wholeNumberIn(given, 'sector', 1, sectorCount);
        hardware.setContamination(level, sector);
      },
    },
  };
}

/** Returns the commands for the system plug in the connector: a folder, or none. */
export function plugCommands({ features: { cloning } }: Device, hardware: VirtualHardware): ControlCommands {
  const exchanging = new Mutex();
  return {
    plug: {
      accepts: ['folder'],
      act: async (given) => {
        const plug = await plugIn(given, hardware);
        await exchanging.run(async () => {
          // The former plug is pulled out first: both may be the same folder.
          const former = hardware.setSystemPlug(undefined);
          await cloning.settled();
          await former?.release();
          if (plug === undefined) return;
          hardware.setSystemPlug(plug);
          await cloning.settled();
        });
      },
    },
  };
}

/** Opens a plug; undefined for null: the plug is pulled out. @throws ControlRefused */
async function plugIn(given: Given, { log }: VirtualHardware): Promise<FolderPlug | undefined> {
  if (given.folder === null) return undefined;
  const folder = textIn(given, 'folder');
  if (!isAbsolute(folder)) throw new ControlRefused('"folder" must be a full path, or null for no plug');
  const entry = await stat(folder).catch(() => undefined);
  if (entry?.isDirectory() !== true) throw new ControlRefused('"folder" must be an existing folder');
  return new FolderPlug(folder, log);
}

/** The plug in the connector with its state; null without one. */
export function plugOverview({ features: { cloning } }: Device, hardware: VirtualHardware): object | null {
  const plug = hardware.systemPlug();
  if (plug === undefined) return null;
  const { State, SerialNumber, Fault } = cloning.status;
  const state = Object.entries(PlugState).find(([, value]) => value === State)?.[0];
  return { folder: plug.name, state, serialNumber: SerialNumber, fault: Fault };
}
