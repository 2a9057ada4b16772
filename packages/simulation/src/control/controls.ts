/** @packageDocumentation @internal */

import type { Device, MovableClock } from '@azimuth/device';
import type { Controls } from '@azimuth/device/control';
import { ContaminationStrategy, contaminationIndication, dateAndSystemTime } from '@azimuth/model';
import type { FaultTimeline } from '../faults/index.js';
import type { ScannerJournal } from '../journal/index.js';
import type { VirtualHardware } from '../virtual-hardware.js';
import { driveCommands, odometryQuery } from './drive-commands.js';
import { faultCommands, faultQueries } from './fault-commands.js';
import {
  plugCommands,
  plugOverview,
  portCommands,
  powerAndNetworkCommands,
  screenCommands,
  sensorCommands,
} from './hardware-commands.js';
import { journalQueries } from './journal-queries.js';
import { actorCommands, sceneCommands, sceneCoreIn, sceneQueries } from './scene-commands.js';
import { paceOf, timeCommands } from './time-commands.js';
import { truthQuery } from './truth-query.js';

export { ScannerJournal } from '../journal/index.js';
export { controlledVehicle, type Odometry, odometry, type VehiclePose } from './drive-commands.js';
export { type ScanSelection, scanTruth } from './truth-query.js';

const { ContaminationConfig } = contaminationIndication.members;
const { LSPdatetime } = dateAndSystemTime.members;

/**
 * The commands and queries of the control port of a virtual scanner: power cycles, time travel, the hardware, the scene, and
 * planned faults if there is a timeline of them.
 * @param journal of what clients do, which the scanner fills
 * @param together the scanners that share the clock: time travel is one for all. By default, the scanner alone
 */
export function virtualControls(
  clock: MovableClock,
  hardware: VirtualHardware,
  faults?: FaultTimeline,
  journal?: ScannerJournal,
  together: ReadonlySet<Device> = new Set(),
): (device: Device) => Controls {
  return (device) => {
    const moved = together.size === 0 ? new Set([device]) : together;
    const truth = truthQuery(device);
    return {
      commands: {
        ...powerAndNetworkCommands(device, hardware),
        ...timeCommands(moved, clock),
        ...sensorCommands(device, hardware),
        ...portCommands(device.features.ports, hardware),
        ...screenCommands(hardware),
        ...plugCommands(device, hardware),
        ...sceneCommands(device.features.measuring),
        ...actorCommands(device.features.measuring),
        ...driveCommands(device),
        ...(faults && faultCommands(faults)),
      },
      queries: {
        '': () => overviewOf(device, clock, hardware),
        ...sceneQueries(device.features.measuring),
        odometry: odometryQuery(device),
        truth,
        'x/truth': truth,
        ...(faults && faultQueries(faults)),
        ...(journal && journalQueries(journal)),
      },
    };
  };
}

/** Returns the state of a scanner and of all that is simulated for it. */
async function overviewOf(device: Device, clock: MovableClock, hardware: VirtualHardware): Promise<object> {
  const {
    lifecycle,
    features: { network, measuring },
  } = device;
  const core = await sceneCoreIn(measuring);
  return {
    up: lifecycle.phase === 'up',
    clock: { uptime: measuring.microseconds() / 1_000_000, date: device.read(LSPdatetime), ...paceOf(clock) },
    temperature: hardware.celsius,
    temperatureIsSet: hardware.temperatureIsSet,
    network: network.reachable,
    measuring: { state: measuring.state, scans: measuring.scans },
    scene:
      core === undefined
        ? null
        : { name: core.scene.name, actors: core.scene.actors.map(({ name }) => name) },
    encoder: {
      speed: hardware.encoder?.speed() ?? device.features.encoder.reading.speed,
      isSet: hardware.encoder !== undefined,
    },
    contamination: hardware.contamination(),
    contaminationStrategy: strategyOf(device),
    plug: plugOverview(device, hardware),
    ports: device.features.ports.overview,
  };
}

/** The strategy of contamination indication; null for a variant without it. */
function strategyOf({ parameters }: Device): string | null {
  if (!parameters.has(ContaminationConfig)) return null;
  const { eStrategy } = parameters.read(ContaminationConfig);
  return Object.entries(ContaminationStrategy).find(([, value]) => value === eStrategy)?.[0] ?? null;
}
