import { DeviceStatus, sectorCount } from '../groups/index.js';
import { issueText, knownIssueNames, releasesWith } from '../known-issues.js';
import type { FaultDeclaration } from './wire-kinds.js';

/** Longest additional boot time in ms. */
const longestBoot = 3_600_000;

/** Faults of the device itself. */
export const deviceKinds = {
  'device-power-cut': {
    occasion: 'begin',
    text: 'The power fails: what was not saved is lost. `for` is how long it is off; then the scanner boots.',
    members: {},
  },
  'device-slow-boot': {
    occasion: 'boot',
    text: 'A boot takes longer. The start of the program is not affected.',
    members: {
      delay: {
        type: 'number',
        unit: 'ms',
        least: 1,
        most: longestBoot,
        default: 10_000,
        text: 'by how much',
      },
    },
  },
  'device-boot-loop': {
    occasion: 'boot',
    text: 'A boot fails at its end and begins again: with `first: 3`, the fourth succeeds. The start of the program is not affected.',
    members: {},
  },
  'device-save-fails': {
    occasion: 'save',
    text: 'A file cannot be written (input/output error): the request that needs it fails, and the old file stays.',
    members: {
      file: {
        type: 'text',
        longest: 100,
        default: 'parameters.json',
        text: 'which file of the scanner; `*` for all',
      },
    },
  },
  'device-disk-full': {
    occasion: 'save',
    text: 'No file can be written: no space is left. A boot after a power cut fails as long as this lasts, because the scanner counts power-ons on disk.',
    members: {},
  },
  'device-status': {
    occasion: 'begin',
    text: 'DeviceStatus shows a trouble, unless a graver one is there.',
    members: {
      status: {
        type: 'choice',
        choices: [DeviceStatus.DS_ServiceRequired, DeviceStatus.DS_RecoverableError],
        default: DeviceStatus.DS_RecoverableError,
        text: '6: service is required, 7: recoverable error',
      },
    },
  },
  'device-temperature': {
    occasion: 'begin',
    text: 'The scanner gets hot: with the default, `temperatureAlarmStatus` becomes true. Afterwards it cools down, or has the temperature that was set. Of several at once, the one that began last counts.',
    members: {
      celsius: {
        type: 'number',
        unit: '°C',
        least: -100,
        most: 200,
        default: 95,
        text: 'temperature inside',
      },
    },
  },
  'hardware-fails': {
    occasion: 'begin',
    text: 'A member of the hardware fails: the last good value stays, and DeviceStatus is 7 until it works again.',
    members: {
      member: {
        type: 'choice',
        choices: ['temperature', 'encoder', 'inputs', 'setOutputs', 'findMe'],
        default: 'temperature',
        text: 'which member: a sensor, or something that the scanner calls',
      },
      how: {
        type: 'choice',
        choices: ['throws', 'wrong', 'hangs'],
        default: 'throws',
        text: '`throws`: an exception; `wrong`: a sensor returns a text in place of its value; `hangs`: a call does not end before the fault does. A call cannot be wrong, and a sensor cannot hang: they throw',
      },
    },
  },
  'device-clock-step': {
    occasion: 'begin',
    text: 'The device clock jumps. The next boot, or a time server, sets it right again, and so does `--synchronised` within a second.',
    members: {
      step: {
        type: 'number',
        unit: 'ms',
        least: -1_000_000_000_000,
        most: 1_000_000_000_000,
        default: 3_600_000,
        text: 'by how much; negative values are back in time',
      },
    },
  },
  'device-clock-lost': {
    occasion: 'begin',
    text: 'The scanner is not synchronised, although `--synchronised` says so: from the next scan on, times in telegrams are the uptime. Afterwards they are UTC again.',
    members: {},
  },
  'device-contamination': {
    occasion: 'begin',
    text: 'There is dirt on the front screen. Afterwards it is as before, or as it was set meanwhile. Of several at once, the one that began last counts.',
    members: {
      level: {
        type: 'number',
        least: 0,
        most: 1,
        default: 0.8,
        text: 'share of the light that it absorbs',
      },
      sector: {
        type: 'number',
        integer: true,
        least: 1,
        most: sectorCount,
        text: 'sector of the front screen; without it, all sectors',
      },
    },
  },
  'known-issue': {
    occasion: 'begin',
    text: 'The scanner has an issue that the release notes of the maker name. A release that does not have it refuses it.',
    members: {
      issue: {
        type: 'choice',
        choices: knownIssueNames,
        default: 'all/late-start',
        meanings: Object.fromEntries(
          knownIssueNames.map((issue) => [issue, `${releasesWith(issue)}: ${issueText(issue)}`]),
        ),
        text: 'which one',
      },
    },
  },
} as const satisfies Readonly<Record<string, FaultDeclaration>>;

/** Faults of the network link of the scanner. */
export const linkKinds = {
  'link-down': {
    occasion: 'begin',
    text: 'The network cable is pulled: connections are silent, no datagram comes or goes, searches and DNS-SD get no answer. The control port stays, and /x/sim at the port of a fleet.',
    members: {
      connections: {
        type: 'choice',
        choices: ['silent', 'reset'],
        default: 'silent',
        text: '`silent`: connections stay and go on afterwards; `reset`: they are reset, and new ones are, too',
      },
    },
  },
} as const satisfies Readonly<Record<string, FaultDeclaration>>;
