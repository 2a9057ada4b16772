import { type FoundScanner, macAddressIn } from '@azimuth/client/discover';
import { ethernet } from '@azimuth/model';
import { type Check, type Finding, problem, type Verdict, verdictFrom } from '../check.js';
import type { Observation } from '../observation.js';

const { EtherMACAddress, EtherIPAddress } = ethernet.members;

export const neighbourChecks: readonly Check[] = [
  {
    name: 'twins',
    about: 'whether another scanner has the same MAC or network address',
    reads: [EtherMACAddress, EtherIPAddress],
    judge: twins,
  },
];

function twins(observation: Observation): Verdict {
  const { neighbours, host } = observation.facts;
  if (neighbours === undefined) return { unseen: 'the networks were not searched' };
  const bytes = observation.value(EtherMACAddress);
  const mac =
    bytes === undefined
      ? undefined
      : macAddressIn(bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(':'));
  const self = neighbours.filter((one) => one.mac === mac);
  const findings = [...sameMac(mac, self), ...sameAddress(host, neighbours)];
  if (findings.length > 0) return verdictFrom(findings, '');
  if (neighbours.length === 0) return { unseen: 'no scanner answered the search, and this one neither' };
  if (mac === undefined) return { unseen: observation.unknownReason(EtherMACAddress) };
  if (host === undefined) return { unseen: 'the scanner was not reached over IPv4' };
  return { fine: `none of those that answer the search (${neighbours.length})` };
}

function sameMac(mac: string | undefined, self: readonly FoundScanner[]): readonly Finding[] {
  if (mac === undefined || self.length < 2) return [];
  const places = self.map(({ url, address }) => url ?? address).join(', ');
  return [
    problem(
      `${self.length} scanners have the MAC address ${mac}: ${places}`,
      'switches send their data to the wrong one: give virtual scanners different serial numbers (azimuth serve --serial), and have a real one repaired',
    ),
  ];
}

/** Finds scanners that answer from one address and port, with different MAC addresses. */
function sameAddress(host: string | undefined, neighbours: readonly FoundScanner[]): readonly Finding[] {
  if (host === undefined) return [];
  const sameAddressed = neighbours.filter(({ address, configuration, instance }) =>
    // A virtual scanner may show settings that it does not use.
    instance === undefined ? address === host || configuration?.address === host : address === host,
  );
  const ports = new Set(sameAddressed.map(({ httpPort = 80 }) => httpPort));
  return [...ports].flatMap((port) => {
    const macs = [
      ...new Set(sameAddressed.flatMap(({ httpPort = 80, mac }) => (httpPort === port ? [mac] : []))),
    ];
    if (macs.length < 2) return [];
    return [
      problem(
        `${macs.length} scanners have the address ${host}: ${macs.join(', ')}`,
        `give one of them another address: azimuth discover --set-address ${macs[0]}=ADDRESS/24`,
      ),
    ];
  });
}
