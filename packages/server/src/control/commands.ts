import type { Device, MovableClock } from '@azimuth/device';
import type { VirtualHost } from '../virtual-host.js';
import { actorCommands } from './actors.js';
import type { Command, View } from './command.js';
import { ControlPort } from './control-port.js';
import { overviewOf } from './overview.js';
import { portCommands } from './ports.js';
import { powerAndNetworkCommands } from './power-and-network.js';
import { sceneCommands, sceneCoreOf } from './scene.js';
import { screenCommands } from './screen.js';
import { surroundingsCommands } from './surroundings.js';
import { timeCommands } from './time.js';

/** What a control port moves and shows. */
export interface ControlFacts {
  readonly device: Device;
  readonly clock: MovableClock;
  readonly host: VirtualHost;
  /** Where the scanner listens. */
  readonly places: () => object;
  /** Names that it may be asked at, beside those that are always good. */
  readonly allowedHosts: readonly string[];
  /** Told of each request that is refused for what it says of where it is from. */
  readonly refused: (reason: 'host' | 'origin') => void;
}

/** The commands of the control port. */
export function controlCommands({ device, clock, host }: ControlFacts): ReadonlyMap<string, Command> {
  return new Map(
    Object.entries({
      ...powerAndNetworkCommands(device),
      ...timeCommands(device, clock),
      ...surroundingsCommands(device, host),
      ...portCommands(device.ports),
      ...screenCommands(device.contamination, host),
      ...sceneCommands(device.measuring),
      ...actorCommands(device.measuring),
    }),
  );
}

/** What the control port shows. */
export function controlViews(facts: ControlFacts): ReadonlyMap<string, View> {
  const { device, host, places } = facts;
  const commands = [...controlCommands(facts).keys()];
  return new Map<string, View>([
    ['', async () => ({ ...(await overviewOf(device, host)), ...places(), commands })],
    ['scene', async () => (await sceneCoreOf(device.measuring)).scene],
  ]);
}

/** The control port of a scanner, not open yet. */
export function controlPort(facts: ControlFacts): ControlPort {
  const { allowedHosts, refused, device } = facts;
  return new ControlPort({
    commands: controlCommands(facts),
    views: controlViews(facts),
    allowedHosts,
    refused,
    errors: device.errors,
  });
}
