import type { ParameterValues } from '@azimuth/client';
import {
  builtInInterface,
  DeviceStatus,
  evaluationSlots,
  extensionPrefix,
  extensions,
  FieldState,
  isObject,
  type KnownInterface,
  lifeHours,
  NetworkSource,
} from '@azimuth/model';
import { printable } from '../output/output.js';
import { streams } from '../scan-data/stream-settings.js';
import { formatValue, oneLine, type Row } from '../values/format-value.js';

const time = `${extensionPrefix}${extensions.members.time.name}`;
const network = `${extensionPrefix}${extensions.members.network.name}`;
const conditions = `${extensionPrefix}${extensions.members.conditions.name}`;

/** The variables of `azimuth status`. A scanner has those of its release and variant. */
export const statusVariables: readonly string[] = [
  'DeviceIdent',
  'SerialNumber',
  'LocationName',
  'EtherIPAddress',
  'EtherIPMask',
  'EtherIPAddressDHCP',
  'EtherAddressingMode',
  'EtherMACAddress',
  network,
  'DeviceStatus',
  'SCdevicestate',
  conditions,
  'AutoStartMeasure',
  'PerformanceProfileNumber',
  ...Object.values(streams).flatMap(({ enable, destination }) => [enable, destination]),
  'ScanDataFormat',
  'FieldEvaluationResult',
  'ContaminationResult',
  'CurrentTempDev',
  'temperatureAlarmStatus',
  'LSPdatetime',
  'TSCRole',
  time,
  'DailyOpHours',
  'OpHours',
  'LastParaDate',
  'LastParaTime',
];

/**
 * Returns the state of a scanner in rows for one screen. Missing variables have no row.
 * @param unsaved the paths of unsaved values; null if the scanner does not report them
 * @param known what is known of the names of the scanner; the model by default
 */
export function statusRows(
  values: ParameterValues,
  unsaved: readonly string[] | null,
  known: KnownInterface = builtInInterface,
): readonly Row[] {
  const text = (name: string) => parameterText(values, name, known);
  const part = (name: string, member: string) => memberText(values.get(name), member);
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Name', text('LocationName')],
    [
      'Scanner',
      joined(' ', [
        part('DeviceIdent', 'Name'),
        part('DeviceIdent', 'Version'),
        prefixed('serial number ', text('SerialNumber')),
      ]),
    ],
    ['Address', addressText(values)],
    ['Network', networkFaultText(values)],
    ['State', joined(', ', [text('DeviceStatus'), text('SCdevicestate')])],
    ['Reasons', reasonsText(values)],
    ['Profile', text('PerformanceProfileNumber')],
    ['Unsaved', unsavedText(unsaved)],
    ...Object.values(streams).map(
      ({ title, enable, destination }) =>
        [
          `${title.charAt(0).toUpperCase()}${title.slice(1)}`,
          streamText(values, enable, destination),
        ] as const,
    ),
    ['Fields', fieldsText(part('FieldEvaluationResult', 'EvaluationResultList'))],
    [
      'Temperature',
      joined(', ', [
        text('CurrentTempDev'),
        values.get('temperatureAlarmStatus') === true ? 'alarm' : undefined,
      ]),
    ],
    ['Contamination', contaminationText(values.get('ContaminationResult'))],
    ['Clock', joined(', ', [dateText(values.get('LSPdatetime')), synchronisationText(values)])],
    ['Power on for', hoursText(values.get('DailyOpHours'))],
    ['In its life', lifeText(values.get('OpHours'), values.get('DailyOpHours'))],
  ];
  return rows.flatMap(([name, shown]): Row[] => (shown === undefined ? [] : [[name, shown]]));
}

function parameterText(
  values: ParameterValues,
  name: string,
  known: KnownInterface = builtInInterface,
): string | undefined {
  const json = values.get(name);
  const variable = known.variable(name);
  if (json === undefined || variable === undefined) return undefined;
  return oneLine(formatValue(variable.type.shape, json, (member) => variable.unitOf(member)));
}

function memberText(json: unknown, member: string): unknown {
  return isObject(json) ? json[member] : undefined;
}

/** Joins the existing texts with a separator. Undefined if there are none. */
function joined(separator: string, parts: readonly unknown[]): string | undefined {
  const existing = parts.filter((part) => part !== undefined && part !== '');
  return existing.length === 0 ? undefined : printable(existing.map(String).join(separator));
}

function prefixed(prefix: string, text: string | undefined): string | undefined {
  return text === undefined ? undefined : `${prefix}${text}`;
}

/** Returns the address in force, if the scanner reports it; otherwise the one in its settings. */
function addressText(values: ParameterValues): string | undefined {
  return joined(', ', [
    addressInForce(values.get(network)) ?? addressInSettings(values),
    prefixed('MAC ', parameterText(values, 'EtherMACAddress')),
  ]);
}

function addressInForce(state: unknown): string | undefined {
  const [address, mask] = ['Address', 'Mask'].map((member) => memberText(state, member));
  if (!Array.isArray(address) || !Array.isArray(mask)) return undefined;
  switch (memberText(state, 'Source')) {
    case NetworkSource.NONE:
      return 'none: it waits for a DHCP server';
    case NetworkSource.DHCP:
      return `${address.join('.')} by DHCP`;
    default:
      return `${address.join('.')} mask ${mask.join('.')}`;
  }
}

function networkFaultText(values: ParameterValues): string | undefined {
  const fault = memberText(values.get(network), 'Fault');
  return joined('', [fault]);
}

/** Returns why DeviceStatus is not normal. */
export function reasonsText(values: ParameterValues): string | undefined {
  const entries: unknown = values.get(conditions);
  if (!Array.isArray(entries) || values.get('DeviceStatus') === DeviceStatus.DS_NormalOperation)
    return undefined;
  return joined(
    '; ',
    entries.map((entry: unknown) => memberText(entry, 'Reason')),
  );
}

function addressInSettings(values: ParameterValues): string | undefined {
  const byDhcp = values.get('EtherAddressingMode') === 1;
  const address = parameterText(values, byDhcp ? 'EtherIPAddressDHCP' : 'EtherIPAddress');
  return joined(' ', [address, byDhcp ? 'by DHCP' : prefixed('mask ', parameterText(values, 'EtherIPMask'))]);
}

/** Maximum number of listed paths. */
const maxUnsaved = 4;

function unsavedText(unsaved: readonly string[] | null): string {
  if (unsaved === null) return 'not known: this scanner does not tell what it has saved';
  if (unsaved.length === 0) return 'nothing';
  const more = unsaved.length - maxUnsaved;
  const listed = unsaved.slice(0, maxUnsaved).join(', ');
  return more > 0 ? `${listed} and ${more} more: azimuth unsaved` : listed;
}

function streamText(values: ParameterValues, enable: string, destination: string): string | undefined {
  const enabled = values.get(enable);
  if (enabled === undefined) return undefined;
  if (enabled !== true) return 'off';
  const settings = values.get(destination);
  const [protocol, address, port] = ['Protocol', 'IPAddress', 'Port'].map((member) =>
    memberText(settings, member),
  );
  const place =
    protocol === 2
      ? `by TCP to who connects to port ${String(port)}`
      : `to ${Array.isArray(address) ? address.join('.') : '?'}, UDP port ${String(port)}`;
  return enable === streams.scan.enable
    ? joined(', ', [place, parameterText(values, 'ScanDataFormat')])
    : place;
}

function fieldsText(results: unknown): string | undefined {
  if (!Array.isArray(results)) return undefined;
  const states = results.map((result: unknown) => memberText(result, 'State'));
  const counted = Object.entries(FieldState).flatMap(([name, number]) => {
    const count = states.filter((state) => state === number).length;
    return count === 0 || number === FieldState.NOT_CONFIGURED ? [] : [`${count} ${name}`];
  });
  const configured = states.filter((state) => state !== FieldState.NOT_CONFIGURED).length;
  if (configured === 0) return 'none';
  return `${configured} of ${evaluationSlots} evaluations configured: ${counted.join(', ')}`;
}

function contaminationText(result: unknown): string | undefined {
  if (!isObject(result)) return undefined;
  if (result.bErrorActive === true) return 'error';
  return result.bWarningActive === true ? 'warning' : 'none';
}

/** Returns `2026-11-24 14:03:07`, as the clock of the scanner shows it. */
function dateText(json: unknown): string | undefined {
  if (!isObject(json)) return undefined;
  const [year, ...rest] = ['uiYear', 'usiMonth', 'usiDay', 'usiHour', 'usiMinute', 'usiSec'].map((member) =>
    String(json[member] ?? '').padStart(2, '0'),
  );
  const [month, day, ...times] = rest;
  return `${year}-${month}-${day} ${times.join(':')}`;
}

function synchronisationText(values: ParameterValues): string | undefined {
  const role = parameterText(values, 'TSCRole');
  const synchronised = memberText(values.get(time), 'Synchronised');
  if (typeof synchronised !== 'boolean') return role;
  return joined(', ', [synchronised ? 'synchronised' : 'not synchronised', role]);
}

function hoursText(hours: unknown): string | undefined {
  return typeof hours === 'number' ? `${Number(hours.toFixed(2))} h` : undefined;
}

function lifeText(life: unknown, today: unknown): string | undefined {
  if (typeof life !== 'number') return undefined;
  return hoursText(lifeHours(life, typeof today === 'number' ? today : undefined));
}
