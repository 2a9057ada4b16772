import { imuDataOutput, legacyProtocols, measurementDataOutput } from '@azimuth/model';
import {
  azimuthCode,
  beamProperty,
  encoderPayloadBytes,
  encoderVersion,
  imuLayout,
  imuVersion,
  legacyErrors,
  lmdName,
  mostTelegramBytes,
  offsetsOf,
  SearchTelegram,
  searchPort,
  tagNames,
  telegramType,
  textEnd,
  textStart,
} from '@azimuth/telegrams/layouts';
import { expertInfos } from './expert-infos.js';
import { labelOf } from './filter-field.js';
import {
  dissectedLayouts,
  elementsByCode,
  filterFields,
  lmdPartFields,
  memberFields,
  taggedPartFields,
} from './filter-fields.js';
import type { LayoutField } from './layout-fields.js';
import { commandMeanings, commandsByIndex, legacyTables } from './legacy-names.js';
import { namesByValue } from './legacy-types.js';
import {
  checksums,
  compact,
  deviceSearch,
  items,
  layouts,
  legacy,
  msgpack,
  packets,
  readers,
  scanData,
} from './lua/pieces.js';
import { type LuaValue, luaLiteral } from './lua-literal.js';

/** First line of the dissector. It shows which program made a file of this name. */
export const firstLine = '-- Dissector of 2D laser scanners for Wireshark, made by: azimuth wireshark';

/**
 * Returns the dissector: a program in Lua for Wireshark 3.6 and later, tested with 4.0. Its tables are made of the declared layouts of telegrams,
 * and of the names and types of the interface.
 */
export function dissector(): string {
  const tables = Object.entries(dataTables()).map(([name, value]) => tableText(name, value));
  return [
    firstLine,
    '-- Write it again after an update of azimuth. Changes in this file are lost then.',
    'local data = {}',
    ...tables,
    ...[items, checksums, layouts, compact, msgpack, readers, scanData, legacy, deviceSearch, packets],
  ].join('\n');
}

/** Ports on which the dissector expects telegrams: the defaults of the interface. */
export const defaultPorts = {
  udp: [
    measurementDataOutput.members.ScanDataEthSettings.type.initial.Port,
    imuDataOutput.members.ImuDataEthSettings.type.initial.Port,
    measurementDataOutput.members.EncoderDataEthSettings.type.initial.Port,
    searchPort,
  ],
  tcp: [
    legacyProtocols.members.EtherAuxIPPort.type.initial,
    legacyProtocols.members.EtherHostIPPort.type.initial,
    measurementDataOutput.members.ScanDataEthSettings.type.initial.Port,
  ],
} as const;

function dataTables(): Readonly<Record<string, LuaValue>> {
  const { types, names, switch: onOrOff } = legacyTables();
  return {
    fields: filterFields.map(({ name, kind, label, values, display, text }) => [
      ...[name, kind, label],
      values === undefined ? false : namesByValue(values),
      display ?? false,
      text,
    ]),
    experts: Object.entries(expertInfos).map(([name, { group, severity, text }]) => [
      ...[name, group, severity, text],
    ]),
    ports: { udp: defaultPorts.udp.join(','), tcp: defaultPorts.tcp.join(',') },
    layouts: Object.fromEntries(
      Object.entries(dissectedLayouts).map(([name, fields]) => [name, fields.map(fieldTable)]),
    ),
    members: new Map(
      memberFields.map(({ member, key, field }) => [
        member.key,
        { key, form: member.form, label: labelOf(member.text), unit: member.unit, field: field?.name },
      ]),
    ),
    elements: elementsByCode,
    beamBits: [
      [beamProperty.reflector, 'reflector'],
      ...Array.from({ length: beamProperty.bloomingEchoes }, (_, echo) => [
        2 ** (beamProperty.firstBlooming + echo),
        `blooming of echo ${echo}`,
      ]),
    ],
    azimuthPerRad: azimuthCode.perRad,
    azimuthZero: azimuthCode.zero,
    imuVersion,
    imuBytes: offsetsOf(imuLayout).bytes,
    encoderVersion,
    encoderPayloadBytes,
    types_of_compact: telegramType,
    mostTelegramBytes,
    textStart,
    textEnd,
    lmdName,
    lmdParts: lmdPartFields.map(({ name, label, part, fields }) => ({
      field: name,
      label,
      isList: part.kind === 'list' ? true : undefined,
      data: part.kind === 'list' ? part.data : undefined,
      layout: part.of === 'string' ? undefined : fields.map(fieldTable),
    })),
    commands: commandMeanings,
    byIndex: Object.fromEntries(commandsByIndex.map((command) => [command, true])),
    legacyErrors: namesByValue(legacyErrors),
    searchTelegrams: new Map(
      Object.entries(SearchTelegram).map(([key, telegram]) => [telegram, { key, text: searchTexts[key] }]),
    ),
    taggedParts: taggedPartFields.map(({ key, part, fields: [field], layout }) => ({
      key,
      kind: part.kind,
      label: part.kind === 'fields' ? undefined : labelOf(part.text),
      field: part.kind === 'fields' ? undefined : field?.name,
      layout: part.kind === 'fields' ? layout.map(fieldTable) : undefined,
    })),
    tags: Object.fromEntries(
      Object.entries(tagNames).map(([tag, { form, text }]) => [tag, { form, label: text }]),
    ),
    switch: onOrOff,
    types,
    names,
  };
}

const searchTexts: Readonly<Record<string, string>> = {
  search: 'Search',
  change: 'Change of the address',
  xmlResponse: 'Response (XML)',
  changeResponse: 'Response to a change',
  taggedResponse: 'Response',
} satisfies Record<keyof typeof SearchTelegram, string>;

function fieldTable({ name, key, label, wire, size, unit, bits }: LayoutField): LuaValue {
  const names = bits === undefined ? undefined : Object.entries(bits).map(([bit, value]) => [value, bit]);
  return { name: name, key, label, kind: wire, size, unit, bits: names };
}

/** Returns the assignment of a table, one line for each of its items if it is a large one. */
function tableText(name: string, value: LuaValue): string {
  const text = luaLiteral(value);
  if (text.length < 110 || typeof value !== 'object') return `data.${name} = ${text}`;
  if (Array.isArray(value)) {
    const lines = value.map((item: LuaValue) => `  ${luaLiteral(item)},`);
    return [`data.${name} = {`, ...lines, '}'].join('\n');
  }
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  const lines = entries.map(([key, item]) =>
    luaLiteral(value instanceof Map ? new Map([[key, item]]) : { [key]: item }),
  );
  return [`data.${name} = {`, ...lines.map((line) => `  ${line.slice(2, -2)},`), '}'].join('\n');
}
