import type { Controls, Device, MovableClock } from '@azimuth/device';
import type { VirtualHost } from '../virtual-host.js';
import { actorCommands } from './actors.js';
import {
  portCommands,
  powerAndNetworkCommands,
  screenCommands,
  sensorCommands,
  timeCommands,
} from './hardware.js';
import { overviewOf } from './overview.js';
import { sceneCommands, sceneCoreOf } from './scene.js';

/** What the control port of a virtual scanner does and shows. */
export function controlsOf(device: Device, clock: MovableClock, host: VirtualHost): Controls {
  return {
    commands: {
      ...powerAndNetworkCommands(device),
      ...timeCommands(device, clock),
      ...sensorCommands(device, host),
      ...portCommands(device.ports),
      ...screenCommands(device.contamination, host),
      ...sceneCommands(device.measuring),
      ...actorCommands(device.measuring),
    },
    views: {
      '': () => overviewOf(device, host),
      scene: async () => (await sceneCoreOf(device.measuring)).scene,
    },
  };
}
