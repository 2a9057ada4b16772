import { Fault, legacyProtocols } from '@azimuth/model';
import type { Feature } from '../feature.js';
import type { Parameters } from '../parameters/parameters.js';

const { EtherAuxEnabled, EtherAuxIPPort, EtherHostIPPort } = legacyProtocols.members;

/** Whether and where the legacy interfaces listen. The wires follow. */
export function legacyInterfaces(parameters: Parameters): Feature {
  keepLegacyPortsApart(parameters);
  return { heeds: [EtherAuxEnabled, EtherAuxIPPort, EtherHostIPPort] };
}

/** Refuses a change after which both legacy interfaces would want the same port. */
function keepLegacyPortsApart(parameters: Parameters): void {
  parameters.onChanging([EtherAuxIPPort, EtherHostIPPort], (change) => {
    if (change.read(EtherAuxIPPort) !== change.read(EtherHostIPPort)) return;
    const { name } = change.touches([EtherAuxIPPort]) ? EtherAuxIPPort : EtherHostIPPort;
    throw new Fault('outOfRange', name, 'interface A and interface B need different ports');
  });
}
