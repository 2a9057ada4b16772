import { ethernet, legacyProtocols } from '@azimuth/model';
import type { Identity } from '../identity/identity.js';
import { act, computed, type Room } from '../room.js';
import { networkSettings } from './active-settings.js';
import type { Network } from './network.js';

const { EtherMACAddress, EtherIPAddressDHCP, EtherIPMaskDHCP, EtherIPGateAddressDHCP, EthernetUpdate } =
  ethernet.members;

/** What search tools may do. */
const searchSettings = [legacyProtocols.members.EnableColaScan, legacyProtocols.members.EtherLegacyScanMode];

/** The network interface. */
export function ethernetRoom(identity: Identity, network: Network): Room {
  return {
    heeds: [...networkSettings.filter(({ group }) => group === ethernet.name), ...searchSettings],
    computed: [
      computed(EtherMACAddress, () => identity.macAddress),
      computed(EtherIPAddressDHCP, () => network.lease.address),
      computed(EtherIPMaskDHCP, () => network.lease.mask),
      computed(EtherIPGateAddressDHCP, () => network.lease.gateway),
    ],
    acts: [
      act(EthernetUpdate, (_, { afterwards }) => {
        afterwards(() => network.activate());
        return {};
      }),
    ],
  };
}
