import { type Adoption, type DeploymentKeys, isReal, type MemberFacts } from '@azimuth/fleet';
import { limitGarbage } from './garbage.js';

/**
 * Returns what real scanners of a fleet need; undefined for a fleet without any, which then loads no client.
 * @param ownPorts the ports of the fleet, to which it forwards nothing
 */
export async function adoptionFor(
  scanners: readonly MemberFacts[],
  ownPorts: Adoption['ownPorts'],
): Promise<Adoption | undefined> {
  if (!scanners.some(isReal)) return undefined;
  limitGarbage();
  return adoption(ownPorts);
}

/**
 * Returns what real scanners need.
 * @param keys of the deployment, with which their passwords are sealed; without them, this process has sealed them
 */
export async function adoption(ownPorts: Adoption['ownPorts'], keys?: DeploymentKeys): Promise<Adoption> {
  const [{ DeviceClient }, { passwordOpener }] = await Promise.all([
    import('./adopted-client.js'),
    import('./sealed-password.js'),
  ]);
  return { open: (target) => new DeviceClient(target), passwordOf: passwordOpener(keys), ownPorts };
}
