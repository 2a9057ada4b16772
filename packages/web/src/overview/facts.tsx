import {
  AddressingMode,
  basicSettings,
  device,
  ethernet,
  inputsAndOutputs,
  lifeHours,
  operatingData,
  PortState,
} from '@azimuth/model';
import type { ComponentChildren } from 'preact';
import { scanner } from '../connection/current.js';
import { knownValue } from '../connection/declarations.js';
import { destinationOf } from '../data-route/data-destination.js';
import { addressText } from '../forms/value-text.js';
import { linkTo } from '../parts/route.js';
import { spokenByScanner } from '../parts/times.js';
import { isMissing } from '../ports/port-words.js';
import { dayAndHours } from './words.js';

const { DeviceIdent, LocationName, OrderNumber, SerialNumber } = device.members;
const { PerformanceProfileNumber, ScanConfig } = basicSettings.members;
const { EtherAddressingMode, EtherIPAddress, EtherIPAddressDHCP, EtherMACAddress } = ethernet.members;
const { DailyOpHours, LastParaDate, LastParaTime, OpHours, PowerOnCnt } = operatingData.members;

/** A fact of a panel. Nothing while it is not known. */
function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  if (children === undefined || children === false || children === '') return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** Which scanner it is. */
export function Identity() {
  const link = scanner();
  const ident = knownValue(link, DeviceIdent);
  const mode = knownValue(link, EtherAddressingMode);
  const isDhcp = mode === AddressingMode.TX_IP_DHCP;
  const address = knownValue(link, isDhcp ? EtherIPAddressDHCP : EtherIPAddress);
  const mac = knownValue(link, EtherMACAddress);
  return (
    <section class="panel" aria-labelledby="identity-title">
      <h2 id="identity-title">Identity</h2>
      <dl class="facts">
        <Fact name="Name">
          {knownValue(link, LocationName)} <a href={linkTo('parameters', LocationName.name)}>Change</a>
        </Fact>
        <Fact name="Device">{ident?.Name}</Fact>
        <Fact name="Firmware">{ident?.Version}</Fact>
        <Fact name="Serial number">{knownValue(link, SerialNumber)}</Fact>
        <Fact name="Order number">{knownValue(link, OrderNumber)}</Fact>
        <Fact name="Address">
          {address !== undefined && `${addressText('IPv4', address)}${isDhcp ? ' by DHCP' : ''}`}
        </Fact>
        <Fact name="MAC address">{mac && addressText('MAC', mac)}</Fact>
      </dl>
    </section>
  );
}

/** How it measures, and where the scans go. */
export function Measuring() {
  const link = scanner();
  const profile = knownValue(link, PerformanceProfileNumber);
  const scan = knownValue(link, ScanConfig);
  const range = scan?.ScanRange.aRange[0];
  const destination = destinationOf(link);
  return (
    <section class="panel" aria-labelledby="measuring-title">
      <h2 id="measuring-title">Measuring</h2>
      <dl class="facts">
        <Fact name="Profile">
          {profile} <a href={linkTo('parameters', PerformanceProfileNumber.name)}>Change</a>
        </Fact>
        <Fact name="Scans">{scan && `${scan.udiScanFreq / 100} a second`}</Fact>
        <Fact name="Resolution">{range && `${range.udiAngleRes / 10_000}°`}</Fact>
        <Fact name="Field of view">
          {range && `${angleText(range.diStartAngle)} to ${angleText(range.diStopAngle)}`}
        </Fact>
        <Fact name="Scan data">{destination && (destination.isOn ? `to ${destination.to}` : 'off')}</Fact>
        <Fact name="Format">{destination?.format}</Fact>
      </dl>
    </section>
  );
}

/** How long it has worked, and when it was saved. */
export function Operation() {
  const link = scanner();
  const today = knownValue(link, DailyOpHours);
  const life = knownValue(link, OpHours);
  const date = knownValue(link, LastParaDate);
  return (
    <section class="panel" aria-labelledby="operation-title">
      <h2 id="operation-title">Operation</h2>
      <dl class="facts">
        <Fact name="Power on for">{today !== undefined && dayAndHours(today)}</Fact>
        <Fact name="In its life">{life !== undefined && dayAndHours(lifeHours(life, today))}</Fact>
        <Fact name="Power-ons">{knownValue(link, PowerOnCnt)}</Fact>
        <Fact name="Saved last">
          {date !== undefined &&
            (/\d/.test(date) ? spokenByScanner(date, knownValue(link, LastParaTime) ?? '') : 'never')}
        </Fact>
      </dl>
    </section>
  );
}

/** @param angle 1/10000° */
function angleText(angle: number): string {
  return `${String(angle / 10_000).replace('-', '−')}°`;
}

const { PortConfiguration, PortState: portState } = inputsAndOutputs.members;

/** What a port is now, in words. */
const words: Readonly<Record<number, readonly [kind: string, state: string]>> = {
  [PortState.OUTPUT_NOT_ACTIVE]: ['Output', 'off'],
  [PortState.OUTPUT_ACTIVE]: ['Output', 'on'],
  [PortState.TRISTATE]: ['Not used', ''],
  [PortState.INPUT_ACTIVE]: ['Input', 'active'],
  [PortState.INPUT_NOT_ACTIVE]: ['Input', 'inactive'],
};

/** All I/O ports in brief: what each is, and whether it is active. */
export function PortsBrief() {
  const link = scanner();
  const states = knownValue(link, portState);
  const configured = knownValue(link, PortConfiguration);
  if (states === undefined) return null;
  return (
    <section class="panel" aria-labelledby="ports-title">
      <h2 id="ports-title">Inputs and outputs</h2>
      <ul class="ports-brief">
        {states.aInternalPorts.map(({ ePortState }, index) => {
          const port = configured?.[index];
          const [kind, state] =
            port !== undefined && isMissing(port, ePortState) ? missing : (words[ePortState] ?? ['Port', '']);
          const name = port?.Name.trim() ?? '';
          const isNamed = name !== '' && name !== deliveredNames[index];
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
    </section>
  );
}

const missing = ['Not at the plug', ''] as const;

/** The names of ports that nobody has named. */
const deliveredNames = PortConfiguration.type.initial.map(({ Name }) => Name);
