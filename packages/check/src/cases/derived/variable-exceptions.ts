import type { Json } from '../../match/matcher.js';
import { type RequestStep, write } from '../../steps/index.js';
import type { Edge } from './edges.js';

/** A variable whose cases do not follow from its type alone. */
export interface VariableException {
  readonly reason: string;
  /** Another valid value, in place of the derived one. */
  readonly other?: Json;
  /** The limits, in place of the derived ones. */
  readonly edges?: readonly Edge[];
  /** Steps before each write. The variables that they write are put back, too. */
  readonly before?: readonly RequestStep[];
}

/** Sends a stream to the scanner itself while it is on: nobody else gets it. */
function toItself(destination: string, port: number): VariableException {
  const address = { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: port };
  return {
    reason: 'A stream that is switched on sends to its destination at once.',
    before: [write(destination, address)],
  };
}

function destination(port: number): VariableException {
  return {
    reason: 'With TCP the scanner opens a port, and a stream that is on sends to its destination at once.',
    other: { Protocol: 1, IPAddress: [127, 0, 0, 2], Port: port },
  };
}

/** A limit of one of the two thresholds; the other threshold is so that both fit each other. */
function threshold(member: string, lower: number, upper: number, isAllowed: boolean): Edge {
  const value = { upperThreshold: upper, lowerThreshold: lower };
  return { kind: 'range', at: `.${member}`, value, isAllowed };
}

/** All variables whose cases are not derived from the type alone, by name. */
export const variableExceptions: Readonly<Record<string, VariableException>> = {
  ScanDataEnable: toItself('ScanDataEthSettings', 9),
  ImuDataEnable: toItself('ImuDataEthSettings', 9),
  EncoderDataEnable: toItself('EncoderDataEthSettings', 9),
  ScanDataEthSettings: destination(2116),
  ImuDataEthSettings: destination(7603),
  EncoderDataEthSettings: destination(7604),
  EtherIPMask: { reason: 'A mask is ones, then zeros.', other: [255, 255, 254, 0] },
  EtherAuxIPPort: {
    reason: 'The interfaces A and B need different ports.',
    other: 20_111,
    before: [write('EtherHostIPPort', 2112)],
  },
  EtherHostIPPort: {
    reason: 'The interfaces A and B need different ports.',
    other: 20_112,
    before: [write('EtherAuxIPPort', 2111)],
  },
  TSCTCSrvAddr: { reason: 'A scanner that follows a time server asks it at once.', other: [127, 0, 0, 1] },
  temperatureAlarmConfiguration: {
    reason: 'The lower threshold has to be below the upper one.',
    other: { upperThreshold: 61, lowerThreshold: 42 },
    edges: [
      threshold('upperThreshold', 50, 127, true),
      threshold('upperThreshold', 50, 128, false),
      threshold('upperThreshold', -128, -129, false),
      threshold('upperThreshold', -128, -127, true),
      threshold('lowerThreshold', -128, 55, true),
      threshold('lowerThreshold', -129, 55, false),
      threshold('lowerThreshold', 126, 127, true),
      threshold('lowerThreshold', 128, 127, false),
    ],
  },
};

/**
 * Variables that are never stored with another value: a scanner that boots with it would be elsewhere, and the check has lost
 * it.
 */
export const neverStored: ReadonlySet<string> = new Set([
  'EtherIPAddress',
  'EtherIPMask',
  'EtherIPGateAddress',
  'EtherAddressingMode',
]);
