import { isObject } from '@azimuth/model';
import { jsonText, printable } from '../output/output.js';
import type { FormattedValue, Row } from '../values/format-value.js';

/** Members that are shown with another one, or not at all. */
const hidden: ReadonlySet<string> = new Set(['commands', 'temperatureIsSet', 'contaminationStrategy']);

/** Returns the status of a scanner and its simulation for people. Unknown members are shown as JSON. */
export function statusRows(status: Readonly<Record<string, unknown>>): readonly Row[] {
  return Object.entries(status)
    .filter(([name]) => !hidden.has(name))
    .map(([name, value]) => [
      name === 'measuring' ? 'state' : printable(name),
      formattedMember(name, value, status),
    ]);
}

function formattedMember(
  name: string,
  value: unknown,
  status: Readonly<Record<string, unknown>>,
): FormattedValue {
  if (name === 'up') return value === true ? 'yes' : 'no';
  if (name === 'temperature') return `${plain(value)} °C${status.temperatureIsSet === true ? ', set' : ''}`;
  if (name === 'encoder' && isObject(value)) return `${plain(value.speed)} mm/s`;
  if (name === 'measuring' && isObject(value)) return `${plain(value.state)}, ${plain(value.scans)} scans`;
  if (name === 'network' && isObject(value)) return networkForm(value);
  if (name === 'contamination' && Array.isArray(value)) return contaminationForm(value);
  if (name === 'scene') return isObject(value) ? sceneForm(value) : 'none';
  if (name === 'plug' && isObject(value)) return plugForm(value);
  if (name === 'ports' && Array.isArray(value)) return value.map(portRow);
  if (isPlace(value)) return `${plain(value.host)}:${plain(value.port)}`;
  return value === null ? 'off' : plain(value);
}

function networkForm({ source, address, mask }: Record<string, unknown>): string {
  if (source === 'none') return 'no address';
  return `${dotted(address)}, mask ${dotted(mask)} (${plain(source)})`;
}

/** Lists the dirty sectors, or one level if all sectors have the same. */
function contaminationForm(levels: readonly unknown[]): string {
  if (levels.every((level) => level === levels[0])) return levels[0] === 0 ? 'none' : plain(levels[0]);
  return levels
    .flatMap((level, index) => (level === 0 ? [] : [`sector ${index + 1}: ${plain(level)}`]))
    .join(', ');
}

function sceneForm({ name, actors }: Record<string, unknown>): string {
  const names = Array.isArray(actors) ? actors.map(plain) : [];
  const scene = name === '' ? 'without a name' : plain(name);
  return names.length === 0 ? scene : `${scene}: ${names.join(', ')}`;
}

function plugForm({ folder, state, serialNumber, fault }: Record<string, unknown>): string {
  const of = serialNumber === '' ? '' : `, of scanner ${plain(serialNumber)}`;
  return `${plain(folder)}: ${plain(state)}${of}${fault === '' ? '' : ` (${plain(fault)})`}`;
}

function portRow(port: unknown): Row {
  if (!isObject(port)) return ['', plain(port)];
  const { name, type, driven, active } = port;
  const parts = [
    plain(type).toLowerCase(),
    driven === true ? 'high' : 'low',
    active === true ? 'active' : 'inactive',
    ...(typeof name === 'string' && name !== '' ? [name] : []),
  ];
  return [plain(port.port), printable(parts.join(', '))];
}

function isPlace(value: unknown): value is Record<'host' | 'port', unknown> {
  return isObject(value) && 'host' in value && 'port' in value;
}

function dotted(value: unknown): string {
  return Array.isArray(value) ? printable(value.join('.')) : plain(value);
}

function plain(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? printable(value) : jsonText(value);
}
