import {
  allEndpoints,
  device,
  fieldEvaluation,
  imuDataOutput,
  isFrom,
  legacyProtocols,
  measurementDataOutput,
  type Release,
  ScanDataFormat,
  type Variable,
} from '@azimuth/model';
import { type Check, note, problem, type Verdict } from '../check.js';
import { releaseInVersion, versionIn } from '../metrics-page.js';
import type { Observation } from '../observation.js';

const {
  ScanDataFormat: format,
  ScanDataEnable,
  EncoderDataEnable,
  ScanMergerEnabled,
} = measurementDataOutput.members;
const { EtherAuxEnabled } = legacyProtocols.members;
const { DeviceIdent } = device.members;

/** The first release with ROS 2. */
const rosSince: Release = '2.2.0';

/** Optional equipment, with a variable that only scanners with it have. */
const equipment: readonly (readonly [what: string, variable: Variable<unknown>])[] = [
  ['fields', fieldEvaluation.members.FieldEvaluationResult],
  ['IMU data', imuDataOutput.members.ImuDataEnable],
  ['encoder data', EncoderDataEnable],
  ['the 3D recorder', ScanMergerEnabled],
];

export const formatChecks: readonly Check[] = [
  {
    name: 'scan-format',
    about: 'the format of scan data',
    reads: [format, ScanDataEnable, EtherAuxEnabled, DeviceIdent],
    judge: scanFormat,
  },
  {
    name: 'equipment',
    about: 'what this variant of the scanner has',
    reads: [DeviceIdent, ...equipment.map(([, variable]) => variable)],
    judge: lacking,
  },
];

function scanFormat(observation: Observation): Verdict {
  const value = observation.value(format);
  if (value === undefined) return { unseen: observation.unknownReason(format) };
  if (value === ScanDataFormat.LMDscandata) {
    if (observation.value(EtherAuxEnabled) === false) {
      return problem(
        'scan data has the format LMDscandata, which only the legacy interfaces send, and they are off',
        observation.command('set EtherAuxEnabled on'),
      );
    }
    return note(
      'scan data has the format LMDscandata: only programs that subscribe to it at the legacy ports get it, and the stream sends nothing',
      `for the stream: ${observation.command('set ScanDataFormat Compact')}`,
    );
  }
  if (value !== ScanDataFormat.NativeROS2) {
    const name = formatName(value);
    return name === undefined
      ? { unseen: `the scanner sends a format that azimuth does not know (${value})` }
      : { fine: name };
  }
  const { release } = observation;
  if (release !== undefined && !isFrom(release, rosSince)) {
    return problem(
      `scan data has the format NativeROS2, which release ${release} cannot send (it exists from ${rosSince})`,
      observation.command('set ScanDataFormat Compact'),
    );
  }
  return note(
    'scan data has the format NativeROS2: only programs in its ROS 2 domain get it, and ScanDataEthSettings has no effect',
    `for the stream: ${observation.command('set ScanDataFormat Compact')}`,
  );
}

function formatName(value: number): string | undefined {
  return Object.entries(ScanDataFormat).find(([, number]) => number === value)?.[0];
}

/** Equipment of the release that this scanner does not have. */
function lacking(observation: Observation): Verdict {
  const { described } = observation.facts;
  if (described !== undefined) return { fine: `what a ${described.product} has` };
  const version = observation.value(DeviceIdent)?.Version;
  const release = releaseInVersion(version);
  if (version === undefined || release === undefined) {
    return {
      unseen:
        version === undefined
          ? observation.unknownReason(DeviceIdent)
          : `release ${versionIn(version)} is not known`,
    };
  }
  const missing = equipment.filter(
    ([, variable]) =>
      observation.lacks(variable) && allEndpoints.includes(variable) && isInRelease(variable, release),
  );
  const unread = equipment.find(
    ([, variable]) => observation.value(variable) === undefined && !observation.lacks(variable),
  );
  if (missing.length === 0 && unread !== undefined) return { unseen: observation.unknownReason(unread[1]) };
  return missing.length === 0
    ? { fine: 'everything that its release knows' }
    : note(
        `this variant has no ${missing.map(([what]) => what.replace(/^the /, '')).join(', no ')}, although release ${release} knows them`,
        'if the scanner should have them, its variant or licence is another one: ask its maker',
      );
}

function isInRelease(variable: Variable<unknown>, release: Release): boolean {
  return variable.isIn({ release, variant: 'full' });
}
