import { expertInfos } from './expert-infos.js';
import { filterFields } from './filter-fields.js';

/** Formats by the first part of the names of their fields. */
const formats: Readonly<Record<string, string>> = {
  compact: 'Compact: scans',
  imu: 'Compact: IMU',
  encoder: 'Compact: encoder',
  msgpack: 'MSGPACK',
  cola: 'Legacy protocol, text (CoLa A) and binary (CoLa B)',
  lmd: 'LMDscandata, text and binary',
  search: 'Device search',
};

/** Returns the pages of docs that are generated, by their names. */
export function filterPages(): Readonly<Record<string, string>> {
  return { 'wireshark-filters.md': `${head}${filterTables()}` };
}

const head = `# Filters of the dissector for Wireshark

The fields that the [dissector](wireshark.md) shows, by their names in display filters. This page is generated: \`npm run docs\`.

`;

function filterTables(): string {
  const sections = Object.entries(formats).map(([prefix, title]) => {
    const rows = filterFields
      .filter(({ name }) => name.startsWith(`${prefix}.`))
      .map(({ name, kind, text, unit }) => `| \`azimuth.${name}\` | ${kind} | ${cell(text, unit)} |`);
    return [`## ${title}`, '', '| filter | type | what |', '|---|---|---|', ...rows, ''].join('\n');
  });
  const experts = Object.entries(expertInfos).map(
    ([name, { severity, text }]) => `| \`azimuth.${name}\` | ${severity} | ${text} |`,
  );
  return [
    ...sections,
    '## Expert infos',
    '',
    '| filter | severity | what |',
    '|---|---|---|',
    ...experts,
    '',
  ].join('\n');
}

function cell(text: string, unit: string | undefined): string {
  return unit === undefined || unit === 'bytes' ? text : `${text}, in ${unit}`;
}
