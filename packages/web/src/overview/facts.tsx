import { AddressingMode, basicSettings, device, ethernet, inputsAndOutputs, PortState } from '@azimuth/model';
import { scanner } from '../connection/current.js';
import { knownValue } from '../connection/declarations.js';
import { destinationOf } from '../data-route/data-destination.js';
import { addressText } from '../forms/value-text.js';
import { settingsInForce } from '../network/address-plan.js';
import { Facts, Panel } from '../parts/panels.js';
import { linkTo } from '../parts/route.js';
import { isMissing } from '../ports/port-words.js';
import { identityFacts, operationFacts, scanFacts } from './words.js';

const { LocationName } = device.members;
const { PerformanceProfileNumber } = basicSettings.members;
const { EtherAddressingMode, EtherIPAddress, EtherIPAddressDHCP, EtherMACAddress } = ethernet.members;

export function Identity() {
  const link = scanner();
  const [, ...others] = identityFacts(link);
  const isDhcp = knownValue(link, EtherAddressingMode) === AddressingMode.TX_IP_DHCP;
  const address = knownValue(link, isDhcp ? EtherIPAddressDHCP : EtherIPAddress);
  const written = address && `${addressText('IPv4', address)}${isDhcp ? ' by DHCP' : ''}`;
  const mac = knownValue(link, EtherMACAddress);
  return (
    <Panel title="Identity" label="Identity">
      <Facts
        of={[
          [
            'Name',
            <>
              {knownValue(link, LocationName)} <a href={linkTo('parameters', LocationName.name)}>Change</a>
            </>,
          ],
          ...others,
          ['Address', settingsInForce(link)?.address ?? written],
          ['MAC address', mac && addressText('MAC', mac)],
        ]}
      />
    </Panel>
  );
}

export function Measuring() {
  const link = scanner();
  const destination = destinationOf(link);
  return (
    <Panel title="Measuring" label="Measuring">
      <Facts
        of={[
          [
            'Profile',
            <>
              {String(link.value(PerformanceProfileNumber.name) ?? '')}{' '}
              <a href={linkTo('parameters', PerformanceProfileNumber.name)}>Change</a>
            </>,
          ],
          ...scanFacts(link),
          ['Scan data', destination && (destination.isOn ? `to ${destination.to}` : 'off')],
          ['Format', destination?.format],
        ]}
      />
    </Panel>
  );
}

export function Operation() {
  return (
    <Panel title="Operation" label="Operation">
      <Facts of={operationFacts(scanner())} />
    </Panel>
  );
}

const { PortConfiguration, PortState: portState } = inputsAndOutputs.members;

/** The state of a port, in words. */
const words: Readonly<Record<number, readonly [kind: string, state: string]>> = {
  [PortState.OUTPUT_NOT_ACTIVE]: ['Output', 'off'],
  [PortState.OUTPUT_ACTIVE]: ['Output', 'on'],
  [PortState.TRISTATE]: ['Not used', ''],
  [PortState.INPUT_ACTIVE]: ['Input', 'active'],
  [PortState.INPUT_NOT_ACTIVE]: ['Input', 'inactive'],
};

export function PortsBrief() {
  const link = scanner();
  const states = knownValue(link, portState);
  const configured = knownValue(link, PortConfiguration);
  if (states === undefined) return null;
  return (
    <Panel title="Inputs and outputs" label="Inputs and outputs">
      <ul class="ports-brief">
        {states.aInternalPorts.map(({ ePortState }, index) => {
          const port = configured?.[index];
          const [kind, state] =
            port !== undefined && isMissing(port, ePortState) ? missing : (words[ePortState] ?? ['Port', '']);
          const name = port?.Name.trim() ?? '';
          const isNamed = name !== '' && name !== defaultNames[index];
          const isActive = ePortState === PortState.OUTPUT_ACTIVE || ePortState === PortState.INPUT_ACTIVE;
          const number = index + 1;
          return (
            <li key={number} class={isActive ? 'active' : ''}>
              <svg viewBox="0 0 12 12" aria-hidden="true">
                <circle cx="6" cy="6" r="4.5" />
              </svg>
              <span>
                {number} {isNamed ? name : kind}
              </span>
              <span class="soft small">{isNamed ? `${kind} ${state}` : state}</span>
            </li>
          );
        })}
      </ul>
      <p class="small">
        <a href={linkTo('parameters', PortConfiguration.name)}>Set up the ports</a>
      </p>
    </Panel>
  );
}

const missing = ['Not at the plug', ''] as const;

/** The default names of ports. */
const defaultNames = PortConfiguration.type.initial.map(({ Name }) => Name);
