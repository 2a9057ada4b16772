import {
  beamLayout,
  crcLayout,
  echoLayout,
  elementBytes,
  elementType,
  encoderLayout,
  envelopeLayout,
  headerLayout,
  imuLayout,
  type KeyedMember,
  keyedMembers,
  type Layout,
  type LmdPart,
  legacyErrors,
  lmdHeadLayout,
  lmdParts,
  moduleEndLayout,
  moduleLayout,
  rowLayout,
  scaleLayout,
  searchHeaderLayout,
  type TaggedPart,
  taggedParts,
} from '@azimuth/telegrams/layouts';
import { type FilterField, fieldName, labelOf } from './filter-field.js';
import { type LayoutField, layoutFields } from './layout-fields.js';

/** The layouts of Compact, MSGPACK, the legacy protocol and the device search, as the dissector reads them. */
export const dissectedLayouts = {
  compact_header: layoutFields('compact', headerLayout),
  module: layoutFields('compact', moduleLayout),
  row: layoutFields('compact', rowLayout),
  scale: layoutFields('compact', scaleLayout),
  module_end: layoutFields('compact', moduleEndLayout),
  ...splitImu(),
  ...splitEncoder(),
  msgpack_envelope: layoutFields('msgpack', envelopeLayout),
  cola_frame: layoutFields('cola', {
    marker: envelopeLayout.marker,
    payloadBytes: envelopeLayout.payloadBytes,
  }),
  lmd_head: layoutFields('lmd', lmdHeadLayout),
  search: layoutFields('search', searchHeaderLayout),
} as const;

/** The version is checked before the rest is read. */
function splitImu() {
  const all = layoutFields('imu', imuLayout).filter(({ key }) => key !== 'crc');
  const behind = 1 + all.findIndex(({ key }) => key === 'version');
  return { imu_header: all.slice(0, behind), imu: all.slice(behind) };
}

function splitEncoder() {
  const all = layoutFields('encoder', encoderLayout).filter(({ key }) => key !== 'crc');
  const behind = Object.keys(headerLayout).length;
  return { encoder_header: all.slice(0, behind), encoder: all.slice(behind) };
}

/** A part of scan data of the legacy protocol behind its head. */
export interface LmdPartField extends FilterField {
  readonly part: LmdPart;
  readonly fields: readonly LayoutField[];
}

export const lmdPartFields: readonly LmdPartField[] = Object.entries<LmdPart>(lmdParts).map(
  ([name, part]) => ({
    name: `lmd.${fieldName(name)}`,
    kind: 'UINT16',
    label: labelOf(part.text),
    text: part.kind === 'list' ? `number of ${part.text}` : `1 if it has this: ${part.text}`,
    part,
    fields: part.of === 'string' ? [] : layoutFields(lmdPrefix(name, part), part.of),
  }),
);

/** Channels of 8 and of 16 bits have the same fields. */
function lmdPrefix(name: string, part: LmdPart): string {
  if (part.kind === 'list') return part.data === undefined ? 'lmd.encoder' : 'lmd.channel';
  return `lmd.${fieldName(name)}`;
}

/** A part of the body of a response to a search. */
export interface TaggedPartField {
  readonly key: string;
  readonly part: TaggedPart;
  readonly fields: readonly FilterField[];
  readonly layout: readonly LayoutField[];
}

export const taggedPartFields: readonly TaggedPartField[] = Object.entries<TaggedPart>(taggedParts).map(
  ([key, part]) => {
    const layout = part.kind === 'fields' ? layoutFields('search', part.of) : [];
    if (part.kind === 'fields') return { key, part, fields: layout, layout };
    const { text } = part;
    const name = `search.${fieldName(key)}`;
    const isText = part.kind === 'text' || part.kind === 'interfaces';
    const fields: readonly FilterField[] = isText
      ? [{ name, kind: 'STRING', label: labelOf(text), text }]
      : [];
    return { key, part, fields, layout };
  },
);

/** Members of MSGPACK that are numbers or arrays of numbers, with their field. */
export const memberFields: readonly {
  readonly member: KeyedMember;
  readonly key: string;
  readonly field?: FilterField;
}[] = Object.entries<KeyedMember>(keyedMembers).map(([name, member]) => {
  const { form, text, unit } = member;
  const key = fieldName(name);
  if (form === 'layers' || form === 'content') return { member, key };
  const isFloat = form === 'float' || (form.startsWith('numbers') && unit !== undefined);
  const kind = isFloat
    ? 'FLOAT'
    : form === 'boolean'
      ? 'UINT8'
      : form === 'whole' || form === 'list'
        ? 'UINT64'
        : 'UINT32';
  const units = unit === undefined ? {} : { unit };
  return { member, key, field: { name: `msgpack.${key}`, kind, label: labelOf(text), text, ...units } };
});

/** Names of the types of numbers in arrays of MSGPACK, by their code. */
export const elementsByCode: ReadonlyMap<number, string> = new Map(
  Object.entries(elementType)
    .filter(([, code]) => elementBytes[code] !== undefined)
    .map(([name, code]) => [code, name]),
);

const crcOf = (prefix: string) => layoutFields(prefix, crcLayout);

/** Fields of beams. Distance and azimuth are shown in mm and rad, not as codes. */
const beamFields: readonly FilterField[] = [
  ...layoutFields('compact', { rssi: echoLayout.rssi, properties: beamLayout.properties }),
  {
    name: 'compact.distance',
    kind: 'FLOAT',
    label: 'Distance',
    text: 'distance of an echo, 0 if there is none',
    unit: 'mm',
  },
  { name: 'compact.azimuth', kind: 'FLOAT', label: 'Azimuth', text: 'azimuth of a beam', unit: 'rad' },
];

const colaFields: readonly FilterField[] = [
  { name: 'cola.start', kind: 'UINT8', label: 'Start', text: 'start of a text telegram', display: 'HEX' },
  { name: 'cola.checksum', kind: 'UINT8', label: 'Checksum', text: 'XOR of the payload', display: 'HEX' },
  { name: 'cola.command', kind: 'STRING', label: 'Command', text: 'command' },
  {
    name: 'cola.name',
    kind: 'STRING',
    label: 'Name',
    text: 'name of the variable, method or event; its index in a request by index',
  },
  {
    name: 'cola.error',
    kind: 'UINT16',
    label: 'Error',
    text: 'code of an error',
    display: 'HEX',
    values: legacyErrors,
  },
  {
    name: 'cola.integer',
    kind: 'INT64',
    label: 'Integer',
    text: 'each value that is a whole number or of an enumeration',
  },
  { name: 'cola.float', kind: 'FLOAT', label: 'Float', text: 'each value that is a float' },
  { name: 'cola.boolean', kind: 'UINT8', label: 'Boolean', text: 'each value that is true (1) or false (0)' },
  { name: 'cola.text', kind: 'STRING', label: 'Text', text: 'each value that is a text' },
  { name: 'cola.address', kind: 'STRING', label: 'Address', text: 'each value that is an IP or MAC address' },
];

const lmdFields: readonly FilterField[] = [
  {
    name: 'lmd.distance',
    kind: 'FLOAT',
    label: 'Distance',
    text: 'value of a channel DIST, scaled',
    unit: 'mm',
  },
  { name: 'lmd.rssi', kind: 'FLOAT', label: 'RSSI', text: 'value of a channel RSSI, scaled' },
  { name: 'lmd.value', kind: 'FLOAT', label: 'Value', text: 'value of another channel, scaled' },
];

const searchFields: readonly FilterField[] = [
  {
    name: 'search.tool_address',
    kind: 'IPv4',
    label: 'Address of the tool',
    text: 'address of the tool that searches',
  },
  {
    name: 'search.tool_mask',
    kind: 'IPv4',
    label: 'Mask of the tool',
    text: 'mask of the tool that searches',
  },
  { name: 'search.address', kind: 'IPv4', label: 'New IP address', text: 'new IP address' },
  { name: 'search.mask', kind: 'IPv4', label: 'New mask', text: 'new mask' },
  { name: 'search.gateway', kind: 'IPv4', label: 'New gateway', text: 'new gateway' },
  { name: 'search.dhcp', kind: 'UINT8', label: 'New DHCP', text: '1 to get the address from a DHCP server' },
  { name: 'search.tag', kind: 'STRING', label: 'Tag', text: 'name and value of a tag' },
  { name: 'search.xml', kind: 'STRING', label: 'XML', text: 'body in the older form' },
  { name: 'search.item', kind: 'STRING', label: 'Item', text: 'key and value of an item in the older form' },
];

/** All fields, each once, in the order of the formats. */
export const filterFields: readonly FilterField[] = unique([
  ...dissectedLayouts.compact_header,
  ...dissectedLayouts.module,
  ...dissectedLayouts.row,
  ...dissectedLayouts.scale,
  ...dissectedLayouts.module_end,
  ...beamFields,
  ...crcOf('compact'),
  ...dissectedLayouts.imu_header,
  ...dissectedLayouts.imu,
  ...crcOf('imu'),
  ...dissectedLayouts.encoder_header,
  ...dissectedLayouts.encoder,
  ...crcOf('encoder'),
  ...dissectedLayouts.msgpack_envelope,
  ...memberFields.flatMap(({ field }) => (field === undefined ? [] : [field])),
  ...crcOf('msgpack'),
  ...dissectedLayouts.cola_frame,
  ...colaFields,
  ...dissectedLayouts.lmd_head,
  ...lmdPartFields.flatMap((part) => [part, ...part.fields]),
  ...lmdFields,
  ...dissectedLayouts.search,
  ...taggedPartFields.flatMap(({ fields }) => fields),
  ...searchFields,
  {
    name: 'unknown',
    kind: 'BYTES',
    label: 'Unknown bytes',
    text: 'bytes of a stream that belong to no telegram',
  },
]);

function unique(fields: readonly FilterField[]): readonly FilterField[] {
  const byName = new Map<string, FilterField>();
  for (const field of fields) if (!byName.has(field.name)) byName.set(field.name, field);
  return [...byName.values()];
}

/** Layouts of the dissector, by the name that its code uses. */
export type DissectedLayout = keyof typeof dissectedLayouts;

export type { Layout };
