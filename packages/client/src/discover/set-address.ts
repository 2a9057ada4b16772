import {
  encodeChange,
  macBytes,
  macText,
  quadBytes,
  type SearchForm,
  SearchTelegram,
} from '@azimuth/telegrams/device-search';
import type { NetworkConfiguration } from './found-scanner.js';
import { DiscoverError, type SearchOptions, sendSearchRequest } from './search-request.js';

export interface SetAddressOptions extends SearchOptions {
  /** As the scanner speaks: `FoundScanner.form`. */
  readonly form?: SearchForm | undefined;
}

/**
 * Sets the network configuration of one scanner, without a login, if its EtherLegacyScanMode allows that: usually for
 * 60 s after it has come up. The scanner stores the configuration. If several scanners have that MAC address (virtual
 * ones with the same serial number), all that the request reaches use it: `discover` finds them, `addresses` chooses one.
 * A scanner that refuses does not answer.
 * @throws TypeError for an invalid address; DiscoverError if the scanner does not confirm it
 */
export async function setAddress(
  mac: string,
  configuration: NetworkConfiguration,
  options: SetAddressOptions = {},
): Promise<void> {
  const macAddress = macBytes(mac);
  if (macAddress === undefined) throw new TypeError(`"${mac}" is not a MAC address like 00:06:77:0a:1b:2c`);
  const body = encodeChange(options.form ?? 'tagged', macAddress, {
    address: bytesOf(configuration.address),
    mask: bytesOf(configuration.mask),
    gateway: bytesOf(configuration.gateway),
    dhcp: configuration.dhcp,
  });
  let done = false;
  await sendSearchRequest({ telegram: SearchTelegram.change, macAddress, body }, options, (answer) => {
    done ||= answer.telegram === SearchTelegram.changed && Buffer.from(macAddress).equals(answer.macAddress);
    return done;
  });
  if (!done) throw new DiscoverError(`${macText(macAddress)} did not confirm the new address`);
}

function bytesOf(address: string): readonly number[] {
  const bytes = quadBytes(address);
  if (bytes === undefined) throw new TypeError(`"${address}" is not an address like 192.168.0.1`);
  return bytes;
}
