import type { Device } from '@azimuth/device';
import { ContaminationStrategy, contaminationIndication } from '@azimuth/model';
import type { Scene } from '../scene/index.js';
import type { VirtualHost } from '../virtual-host.js';
import { sceneCoreIn } from './scene.js';

const { ContaminationConfig } = contaminationIndication.members;

/** How a scanner and its world are, in one look. */
export async function overviewOf(device: Device, host: VirtualHost): Promise<object> {
  const { lifecycle, network, measuring } = device;
  const core = await sceneCoreIn(measuring);
  return {
    up: lifecycle.phase === 'up',
    temperature: host.temperature(),
    temperatureIsSet: host.temperatureIsSet,
    network: network.reachable,
    measuring: { state: measuring.state, scans: measuring.scans },
    scene: core === undefined ? null : cast(core.scene),
    encoder: { speed: host.encoderSpeed() },
    contamination: host.contamination(),
    contaminationStrategy: strategyOf(device),
    ports: device.ports.views,
  };
}

/** By which strategy the front screen is watched; null for a variant that does not watch it. */
function strategyOf({ parameters }: Device): string | null {
  if (!parameters.has(ContaminationConfig)) return null;
  const { eStrategy } = parameters.read(ContaminationConfig);
  return Object.entries(ContaminationStrategy).find(([, value]) => value === eStrategy)?.[0] ?? null;
}

/** Who plays: the names of a scene and its actors. */
function cast({ name, actors }: Scene): object {
  return { name, actors: actors.map((actor) => actor.name) };
}
