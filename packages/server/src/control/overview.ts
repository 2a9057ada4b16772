import type { Device } from '@azimuth/device';
import type { Scene } from '@azimuth/device/scene';
import type { VirtualHost } from '../virtual-host.js';
import { sceneCoreIn } from './scene.js';

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
    ports: device.ports.views,
  };
}

/** Who plays: the names of a scene and its actors. */
function cast({ name, actors }: Scene): object {
  return { name, actors: actors.map((actor) => actor.name) };
}
