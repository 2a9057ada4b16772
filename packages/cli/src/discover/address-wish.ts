import { macOf, type NetworkConfiguration } from '@azimuth/client/discover';
import { InvalidArgumentError } from 'commander';
import { CommandFailure } from '../command-failure.js';
import { leaseOption } from '../serve/option-values.js';

/** Which scanner is to have which configuration. */
export interface AddressWish {
  /** As found scanners have it. */
  readonly mac: string;
  readonly configuration: NetworkConfiguration;
}

const expected =
  '--set-address takes MAC=ADDRESS/BITS[,GATEWAY] or MAC=dhcp, like 00:06:77:0a:1b:2c=192.168.0.7/24';
const nothing = '0.0.0.0';

/**
 * What `--set-address` means. With `dhcp` the scanner keeps its static address for when DHCP has none.
 * @throws CommandFailure
 */
export function wishIn(text: string): AddressWish {
  const [, whom = '', what = ''] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  const mac = macOf(whom);
  if (mac === undefined) throw new CommandFailure(expected);
  if (what.toLowerCase() === 'dhcp') {
    return { mac, configuration: { address: nothing, mask: nothing, gateway: nothing, dhcp: true } };
  }
  if (!what.includes('/'))
    throw new CommandFailure(`${expected}; the number of bits of the network is missing`);
  try {
    const { address, mask, gateway } = leaseOption(what);
    return {
      mac,
      configuration: {
        address: address.join('.'),
        mask: mask.join('.'),
        gateway: gateway.join('.'),
        dhcp: false,
      },
    };
  } catch (error) {
    if (error instanceof InvalidArgumentError) throw new CommandFailure(expected);
    throw error;
  }
}
