import { isIPv4 } from 'node:net';
import { type AskingOptions, ask } from './asking.js';
import { changeRequest } from './datagrams.js';
import { DiscoverError } from './discover-error.js';
import { macOf, type NetworkConfiguration, type SearchForm } from './found-scanner.js';

export interface SetAddressOptions extends AskingOptions {
  /** As the scanner speaks: `FoundScanner.form`. */
  readonly form?: SearchForm;
}

const changed = 0x91;

/**
 * Sets the network configuration of one scanner, without a login, where its EtherLegacyScanMode allows that: usually for
 * 60 s after it has come up. It keeps the configuration. Several scanners of that MAC address (virtual ones of one serial
 * number) all take it, where they are asked: `discover` tells, and `addresses` chooses. Scanners that may not or will not say nothing.
 * @throws TypeError for what is no address; DiscoverError where the scanner does not confirm it
 */
export async function setAddress(
  mac: string,
  configuration: NetworkConfiguration,
  options: SetAddressOptions = {},
): Promise<void> {
  const whom = macOf(mac);
  if (whom === undefined) throw new TypeError(`"${mac}" is no MAC address like 00:06:77:0a:1b:2c`);
  const { address, mask, gateway } = configuration;
  for (const text of [address, mask, gateway]) {
    if (!isIPv4(text)) throw new TypeError(`"${text}" is no address like 192.168.0.1`);
  }
  let done = false;
  await ask(changeRequest(whom, configuration, options.form ?? 'tagged'), options, (answer) => {
    done ||= answer[0] === changed && answer.subarray(4, 10).toString('hex') === whom.replaceAll(':', '');
    return done;
  });
  if (!done) throw new DiscoverError(`${whom} does not confirm another address`);
}
