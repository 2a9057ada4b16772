import { plausibleCases } from '../cases/derived/variable-plausible.js';
import { ruleCases } from '../cases/derived/variable-rules.js';
import type { CheckSubject } from '../scanner/checked-scanner.js';
import { inFile, type Mutant } from './mutant.js';

/** Returns the mutants of the cases about rules that no type states, and about computed values. */
export function ruleMutants(subject: CheckSubject): readonly Mutant[] {
  const ids = new Set([...ruleCases(subject), ...plausibleCases(subject)].map(({ id }) => id));
  return all.filter((mutant) => ids.has(mutant.case));
}

const all: readonly Mutant[] = [
  {
    kind: 'declaration',
    case: 'variable.LocationName.limit',
    name: 'LocationName',
    change: 'takes one item or letter more',
  },
  {
    kind: 'declaration',
    case: 'variable.LocationName.limit',
    name: 'LocationName',
    change: 'refuses the greatest length',
  },
  ...inFile(
    'packages/model/src/types/string.ts',
    ['variable.LocationName.characters', '  return count;', '  return text.length;'],
    ['variable.LocationName.control-characters', '/[\\p{Cc}\\p{Cs}]/u', '/[\\p{Cs}]/u'],
  ),
  ...inFile('packages/model/src/types/integer.ts', [
    'variable.TSCTCupdatetime.huge',
    'if (json < minimum || json > maximum) {',
    'if (json < minimum || (json > maximum && json < 1e200)) {',
  ]),
  ...inFile('packages/model/src/groups/status.ts', [
    'variable.temperatureAlarmConfiguration.order',
    'lowerThreshold < upperThreshold',
    'lowerThreshold <= upperThreshold',
  ]),
  ...inFile('packages/device/src/legacy-protocols/legacy-interfaces.ts', [
    'variable.EtherAuxIPPort.same-port',
    'if (change.read(EtherAuxIPPort) !== change.read(EtherHostIPPort)) return;',
    'if (change.touches([EtherAuxIPPort]) || change.read(EtherAuxIPPort) !== change.read(EtherHostIPPort)) return;',
  ]),
  ...inFile('packages/device/src/inputs-and-outputs/output-sources.ts', [
    'variable.PortConfiguration.sources',
    'if (Name === noOutputSource || readerOf(Name) !== undefined) continue;',
    'if (Name === noOutputSource || readerOf(Name.toUpperCase()) !== undefined) continue;',
  ]),
  ...inFile('packages/model/src/groups/output-sources.ts', [
    'variable.PortConfiguration.sources',
    'return number >= 1 && number <= (kinds.get(letters)?.count ?? 0)',
    'return number >= 0 && number <= (kinds.get(letters)?.count ?? 0)',
  ]),
  ...inFile(
    'packages/device/src/identity/device-information.ts',
    ['variable.DeviceIdent.plausible', 'Version: version() }', 'Version: version().slice(0, 5) }'],
    ['variable.DeviceType.plausible', 'smallerType(served.current.edition) ?? identity.deviceType', "''"],
    ['variable.SerialNumber.plausible', '() => identity.serialNumber', "() => ''"],
    [
      'variable.FirmwareVersion.plausible',
      'computed(FirmwareVersion, version)',
      "computed(FirmwareVersion, () => '')",
    ],
    ['variable.OrderNumber.plausible', '() => identity.orderNumber', "() => ''"],
  ),
  ...inFile('packages/device/src/ethernet/network.ts', [
    'variable.EtherMACAddress.plausible',
    '() => this.#options.identity.macAddress',
    '() => [0, 0, 0, 0, 0, 0]',
  ]),
  ...inFile('packages/model/src/clock-judgement.ts', [
    'variable.LSPdatetime.plausible',
    'usiMonth: date.getUTCMonth() + 1,',
    'usiMonth: date.getUTCMonth(),',
  ]),
  ...inFile('packages/device/src/operating-data/operating-data.ts', [
    'variable.CurrentTempDev.plausible',
    'shortestFloat32(this.#options.hardware.temperature())',
    'shortestFloat32(this.#options.hardware.temperature() * 10)',
  ]),
];
