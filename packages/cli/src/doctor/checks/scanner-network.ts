import { AddressingMode, ethernet, type Variable } from '@azimuth/model';
import { type Check, note, problem, type Verdict, warning } from '../check.js';
import { samplesOf } from '../metrics-page.js';
import { isIn, isMask, type NetworkSettings, networkText, noAddress } from '../network.js';
import type { Observation } from '../observation.js';

const {
  EtherAddressingMode,
  EtherIPAddress,
  EtherIPMask,
  EtherIPGateAddress,
  EtherIPAddressDHCP,
  EtherIPMaskDHCP,
  EtherIPGateAddressDHCP,
  EthernetUpdate,
} = ethernet.members;

export const networkVariables: readonly Variable<unknown>[] = [
  EtherAddressingMode,
  EtherIPAddress,
  EtherIPMask,
  EtherIPGateAddress,
  EtherIPAddressDHCP,
  EtherIPMaskDHCP,
  EtherIPGateAddressDHCP,
];

/** The settings that were written. They may not be in force yet. */
function writtenNetwork(seen: Observation): NetworkSettings | undefined {
  const address = seen.value(EtherIPAddress)?.join('.');
  const mask = seen.value(EtherIPMask)?.join('.');
  const gateway = seen.value(EtherIPGateAddress)?.join('.');
  return address === undefined || mask === undefined || gateway === undefined
    ? undefined
    : { address, mask, gateway };
}

/** What DHCP gave; undefined if the scanner does not ask it. */
function leasedNetwork(seen: Observation): NetworkSettings | undefined {
  if (seen.value(EtherAddressingMode) !== AddressingMode.TX_IP_DHCP) return undefined;
  const address = seen.value(EtherIPAddressDHCP)?.join('.');
  const mask = seen.value(EtherIPMaskDHCP)?.join('.');
  const gateway = seen.value(EtherIPGateAddressDHCP)?.join('.');
  return address === undefined || mask === undefined || gateway === undefined
    ? undefined
    : { address, mask, gateway };
}

/** What the page of metrics says is in force; undefined if it does not. */
function toldNetwork({ facts }: Observation): NetworkSettings | undefined {
  const [sample] = facts.metrics === undefined ? [] : samplesOf(facts.metrics[1], 'azimuth_network_info');
  const { address = '', mask = '', gateway = '' } = sample?.labels ?? {};
  return address === '' || mask === '' ? undefined : { address, mask, gateway: gateway || noAddress };
}

/**
 * The network that the scanner really is in: its settings, if it was reached at the address that they state. Otherwise
 * they say nothing about the way of its data: it is a virtual scanner that only shows them, or behind a router.
 */
export function networkInForce(seen: Observation): NetworkSettings | undefined {
  const { host } = seen.facts;
  return [toldNetwork(seen), leasedNetwork(seen), writtenNetwork(seen)].find(
    (settings) => settings?.address === host,
  );
}

export function whyNetworkUnknown(seen: Observation): string {
  const { host } = seen.facts;
  const written = writtenNetwork(seen);
  if (host === undefined) return 'the scanner was not reached over IPv4';
  if (written === undefined) return seen.whyUnknown(EtherIPAddress);
  return `the scanner was reached at ${host}, and its own address is ${written.address}: it is a virtual one, or behind a router`;
}

export const networkChecks: readonly Check[] = [
  {
    name: 'network-settings',
    about: 'mask and gateway of the scanner',
    reads: networkVariables,
    look: settings,
  },
  {
    name: 'network-in-force',
    about: 'whether the network settings that were written are in force',
    reads: networkVariables,
    look: inForce,
  },
];

function settings(seen: Observation): Verdict {
  const written = writtenNetwork(seen);
  if (written === undefined) return { unseen: seen.whyUnknown(EtherIPAddress) };
  const { address, mask, gateway } = written;
  if (!isMask(mask)) {
    return problem(
      `the mask ${mask} has holes: no network has such a mask`,
      seen.command('set EtherIPMask 255.255.255.0'),
    );
  }
  const network = networkText(written);
  if (gateway !== noAddress && !isIn(gateway, written)) {
    return warning(
      `the gateway ${gateway} is not in the network of the scanner (${network})`,
      seen.command('set EtherIPGateAddress ADDRESS'),
    );
  }
  return { fine: `${address} in ${network}` };
}

/** What puts written settings into force. */
function applied(seen: Observation): string {
  return seen.offers(EthernetUpdate)
    ? seen.command('call EthernetUpdate')
    : `${seen.command('reboot')} (it saves them before)`;
}

function inForce(seen: Observation): Verdict {
  const written = writtenNetwork(seen);
  if (written === undefined) return { unseen: seen.whyUnknown(EtherIPAddress) };
  if (seen.value(EtherAddressingMode) === AddressingMode.TX_IP_DHCP) {
    const leased = leasedNetwork(seen)?.address ?? noAddress;
    return leased === noAddress
      ? { unseen: 'DHCP gives the address, and the scanner does not tell which' }
      : { fine: `${leased}, from DHCP` };
  }
  const told = toldNetwork(seen);
  const { host } = seen.facts;
  if (told === undefined) {
    if (host === undefined) return { unseen: 'the scanner was not reached over IPv4' };
    if (host === written.address) return { fine: `${host}` };
    return note(
      `the scanner was reached at ${host}, and EtherIPAddress is ${written.address}: a router is in between, or the settings are not in force yet`,
      `if they should be: ${applied(seen)}`,
    );
  }
  const differing = (['address', 'mask', 'gateway'] as const).filter((part) => told[part] !== written[part]);
  return differing.length === 0
    ? { fine: `${told.address}` }
    : note(
        `network settings were written that are not in force yet: ${differing.map((part) => `${part} ${written[part]} instead of ${told[part]}`).join(', ')}`,
        `to apply them: ${applied(seen)}`,
      );
}
