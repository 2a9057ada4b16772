import { AddressingMode, ethernet, extensions, NetworkSource, type Variable } from '@azimuth/model';
import { type Check, note, problem, type Verdict, warning } from '../check.js';
import { matchingSamples } from '../metrics-page.js';
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
const { network } = extensions.members;

export const networkVariables: readonly Variable<unknown>[] = [
  EtherAddressingMode,
  EtherIPAddress,
  EtherIPMask,
  EtherIPGateAddress,
  EtherIPAddressDHCP,
  EtherIPMaskDHCP,
  EtherIPGateAddressDHCP,
];

/** The written settings. They may not be in force yet. */
function writtenNetwork(observation: Observation): NetworkSettings | undefined {
  const address = observation.value(EtherIPAddress)?.join('.');
  const mask = observation.value(EtherIPMask)?.join('.');
  const gateway = observation.value(EtherIPGateAddress)?.join('.');
  return address === undefined || mask === undefined || gateway === undefined
    ? undefined
    : { address, mask, gateway };
}

/** The settings from DHCP; undefined if the scanner does not use it. */
function leasedNetwork(observation: Observation): NetworkSettings | undefined {
  if (observation.value(EtherAddressingMode) !== AddressingMode.TX_IP_DHCP) return undefined;
  const address = observation.value(EtherIPAddressDHCP)?.join('.');
  const mask = observation.value(EtherIPMaskDHCP)?.join('.');
  const gateway = observation.value(EtherIPGateAddressDHCP)?.join('.');
  return address === undefined || mask === undefined || gateway === undefined
    ? undefined
    : { address, mask, gateway };
}

/** The network in force by the page of metrics; undefined if the page does not state it. */
function reportedNetwork({ facts }: Observation): NetworkSettings | undefined {
  const [sample] = facts.metrics === undefined ? [] : matchingSamples(facts.metrics[1], 'network_info');
  const { address = '', mask = '', gateway = '' } = sample?.labels ?? {};
  return address === '' || mask === '' ? undefined : { address, mask, gateway: gateway || noAddress };
}

/**
 * Returns the real network of the scanner: its settings, if it was reached at the address in them. Otherwise, the
 * settings do not describe the route of its data: a virtual scanner may only show them, or the scanner is behind a
 * router.
 */
export function networkInForce(observation: Observation): NetworkSettings | undefined {
  const { host } = observation.facts;
  return [reportedNetwork(observation), leasedNetwork(observation), writtenNetwork(observation)].find(
    (settings) => settings?.address === host,
  );
}

export function unknownNetworkReason(observation: Observation): string {
  const { host } = observation.facts;
  const written = writtenNetwork(observation);
  if (host === undefined) return 'the scanner was not reached over IPv4';
  if (written === undefined) return observation.unknownReason(EtherIPAddress);
  return `the scanner was reached at ${host}, and its own address is ${written.address}: it is a virtual one, or behind a router`;
}

export const networkChecks: readonly Check[] = [
  {
    name: 'network-settings',
    about: 'mask and gateway of the scanner',
    reads: networkVariables,
    judge: settings,
  },
  {
    name: 'network-in-force',
    about: 'whether the network settings that were written are in force',
    reads: [...networkVariables, network],
    judge: inForce,
  },
];

function settings(observation: Observation): Verdict {
  const written = writtenNetwork(observation);
  if (written === undefined) return { unseen: observation.unknownReason(EtherIPAddress) };
  const { address, mask, gateway } = written;
  if (!isMask(mask)) {
    return problem(
      `the mask ${mask} has holes: no network has such a mask`,
      observation.command('set EtherIPMask 255.255.255.0'),
    );
  }
  const network = networkText(written);
  if (gateway !== noAddress && !isIn(gateway, written)) {
    return warning(
      `the gateway ${gateway} is not in the network of the scanner (${network})`,
      observation.command('set EtherIPGateAddress ADDRESS'),
    );
  }
  return { fine: `${address} in ${network}` };
}

/** The call that puts written settings into force. */
function applied(observation: Observation): string {
  return observation.offers(EthernetUpdate)
    ? observation.command('call EthernetUpdate')
    : `${observation.command('reboot')} (it saves them before)`;
}

function inForce(observation: Observation): Verdict {
  const written = writtenNetwork(observation);
  if (written === undefined) return { unseen: observation.unknownReason(EtherIPAddress) };
  const state = observation.value(network);
  if (state !== undefined && state.Fault !== '') {
    const now = state.Source === NetworkSource.NONE ? '' : `; the scanner uses ${state.Address.join('.')}`;
    return problem(
      `the network settings are not in force: ${state.Fault}${now}`,
      `correct the settings, or what the system lacks, then: ${applied(observation)}`,
    );
  }
  if (observation.value(EtherAddressingMode) === AddressingMode.TX_IP_DHCP) {
    const leased = leasedNetwork(observation)?.address ?? noAddress;
    return leased === noAddress
      ? { unseen: 'DHCP gives the address, and the scanner does not tell which' }
      : { fine: `${leased}, from DHCP` };
  }
  const reported = reportedNetwork(observation);
  const { host } = observation.facts;
  if (reported === undefined) {
    if (host === undefined) return { unseen: 'the scanner was not reached over IPv4' };
    if (host === written.address) return { fine: `${host}` };
    return note(
      `the scanner was reached at ${host}, and EtherIPAddress is ${written.address}: a router is in between, or the settings are not in force yet`,
      `if they should be: ${applied(observation)}`,
    );
  }
  const differing = (['address', 'mask', 'gateway'] as const).filter(
    (part) => reported[part] !== written[part],
  );
  return differing.length === 0
    ? { fine: `${reported.address}` }
    : note(
        `network settings were written that are not in force yet: ${differing.map((part) => `${part} ${written[part]} instead of ${reported[part]}`).join(', ')}`,
        `to apply them: ${applied(observation)}`,
      );
}
