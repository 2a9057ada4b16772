import {
  AddressingMode,
  basicSettings,
  device,
  ethernet,
  inputsAndOutputs,
  PortState,
  PortType,
} from '@azimuth/model';
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
          [
            'Scan data',
            destination && (
              <>
                {destination.isOn ? `to ${destination.to}` : 'off'} <a href={linkTo('data-output')}>Change</a>
              </>
            ),
          ],
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

/** The connector as a picture: a line for each port, with the way of its signal, and whether it is active. */
export function PortsBrief() {
  const link = scanner();
  const states = knownValue(link, portState);
  const configured = knownValue(link, PortConfiguration);
  if (states === undefined) return null;
  return (
    <Panel title="Connector" label="Connector">
      <ul class="plug-lines">
        {states.aInternalPorts.map(({ ePortState }, index) => {
          const port = configured?.[index];
          const isAbsent = port !== undefined && isMissing(port, ePortState);
          const isEncoder = port?.PortType === PortType.ENCODER;
          const [kind, state] = isAbsent
            ? missing
            : isEncoder
              ? encoder
              : (words[ePortState] ?? ['Port', '']);
          const name = port?.Name.trim() ?? '';
          const isNamed = name !== '' && name !== defaultNames[index] && !isAbsent;
          const isActive = ePortState === PortState.OUTPUT_ACTIVE || ePortState === PortState.INPUT_ACTIVE;
          const number = index + 1;
          return (
            <li key={number} class={isActive ? 'active' : isAbsent ? 'absent' : ''}>
              <svg viewBox="0 0 48 16" aria-hidden="true">
                <path d={linePaths[isAbsent ? 'absent' : kind] ?? linePaths.absent} />
              </svg>
              <a href={linkTo('ports', String(number))}>
                {number} {isNamed ? name : kind}
              </a>
              <span class="soft small">{isNamed ? `${kind} ${state}` : state}</span>
            </li>
          );
        })}
      </ul>
      <p class="small">
        <a href={linkTo('ports')}>Set up the ports</a>
      </p>
    </Panel>
  );
}

/** Lines from the plug at the left: an arrow into it, an arrow out of it, a wheel, and an end without a pin. */
const linePaths: Readonly<Record<string, string>> = {
  Input: 'M3 8 15 2V14ZM15 8H48',
  Output: 'M0 8H33M33 2 45 8 33 14Z',
  Encoder: 'M0 8H30M30 8a7 7 0 1 0 14 0 7 7 0 1 0-14 0Z',
  'Not used': 'M0 8H42',
  Port: 'M0 8H42',
  absent: 'M0 8H10',
};

const encoder = ['Encoder', ''] as const;

const missing = ['Not at the plug', ''] as const;

/** The default names of ports. */
const defaultNames = PortConfiguration.type.initial.map(({ Name }) => Name);
