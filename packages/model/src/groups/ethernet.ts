import { group, method, variable } from '../declaration.js';
import { isFrom } from '../release.js';
import { ipv4, mac } from '../types/array.js';
import { enumeration } from '../types/enumeration.js';

export const AddressingMode = { TX_IP_STATIC: 0, TX_IP_DHCP: 1 } as const;
export const DHCPFallback = { TX_USE_STATIC_IP: 0, TX_RETRY_DHCP: 1 } as const;

/** Network mask: ones, then zeros, at least one of each. */
function isSubnetMask(mask: readonly number[]): boolean {
  const bits = mask.map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return /^1+0+$/.test(bits);
}

/** Address that is not "this host", loopback, multicast or broadcast. */
function isHostAddress([first = 0]: readonly number[]): boolean {
  return first > 0 && first !== 127 && first < 224;
}

export const ethernet = group('Ethernet', {
  EtherIPAddress: variable(ipv4([192, 168, 0, 1]), {
    write: 'AuthorizedClient',
    ofOneScanner: true,
    doubts: (address) =>
      isHostAddress(address) ? undefined : `${address.join('.')} is no address that a scanner can have`,
    text: 'Static IPv4 address. It is used after EthernetUpdate or a boot.',
  }),
  EtherIPGateAddress: variable(ipv4([0, 0, 0, 0]), {
    write: 'AuthorizedClient',
    ofOneScanner: true,
    text: 'Address of the default gateway for the static configuration.',
  }),
  EtherIPMask: variable(ipv4([255, 255, 255, 0]), {
    write: 'AuthorizedClient',
    ofOneScanner: true,
    doubts: (mask) =>
      isSubnetMask(mask) ? undefined : `${mask.join('.')} is no subnet mask: expected ones, then zeros`,
    text: 'Subnet mask for the static configuration.',
  }),
  EtherAddressingMode: variable(enumeration(AddressingMode, AddressingMode.TX_IP_STATIC), {
    write: 'AuthorizedClient',
    ofOneScanner: true,
    text: 'Source of the network configuration: the static settings, or a DHCP server.',
  }),
  EtherDHCPFallback: variable(enumeration(DHCPFallback, DHCPFallback.TX_USE_STATIC_IP), {
    write: 'AuthorizedClient',
    // Specification, Versioning 8: updates of older scanners keep the earlier factory value.
    factory: ({ createdWith }) =>
      isFrom(createdWith, '2.1.0') ? DHCPFallback.TX_USE_STATIC_IP : DHCPFallback.TX_RETRY_DHCP,
    text: 'What the scanner does if no DHCP server answers: it uses the static settings, or asks again.',
  }),
  EtherIPAddressDHCP: variable(ipv4([192, 168, 0, 1]), { text: 'IPv4 address that DHCP has assigned.' }),
  EtherIPGateAddressDHCP: variable(ipv4([0, 0, 0, 0]), { text: 'Default gateway that DHCP has assigned.' }),
  EtherIPMaskDHCP: variable(ipv4([255, 255, 255, 0]), { text: 'Subnet mask that DHCP has assigned.' }),
  EtherMACAddress: variable(mac([0, 6, 119, 0, 0, 0]), { text: 'MAC address of the Ethernet interface.' }),
  EthernetUpdate: method({
    level: 'AuthorizedClient',
    since: '2.1.0',
    text: 'Sends the response, then applies the Ethernet settings that were written.',
  }),
});
