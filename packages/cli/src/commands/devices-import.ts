import { counted } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import { maxFileBytes, readTextFile } from '../input/bounded-file.js';
import { Command } from '../options/command.js';
import { collect } from '../options/option-values.js';
import { jsonText, printable, remark } from '../output/output.js';
import { tableLines } from '../output/table.js';
import { checkedUrl } from '../scanners/connection.js';
import type { ColumnMeaning, TableRow } from '../scanners/device-table.js';
import { DevicesFile } from '../scanners/devices-file.js';

/** Most mistakes that are named. */
const mostMistakes = 20;

/** `azimuth devices import`: names for the scanners of a table. */
export function importCommand(): Command {
  const command = new Command('import')
    .summary('give the scanners of a table (CSV) names, for example of NetBox')
    .description(
      'Give the scanners of a table (CSV) names, for example of an export of NetBox. Site, location and rack become groups. Scanners that are there stay as they are. If a row is wrong or there twice, nothing is changed.',
    )
    .argument('<file>', 'CSV file with a head; - for standard input')
    .option(
      '--column <what=head>',
      'read name, url, serial or group from the column of this head; repeatable, for groups in their order',
      collect,
    )
    .option('--dry-run', 'show what would be added, and change nothing')
    .option('--force', 'replace scanners of the same name that have another URL')
    .option('--json', 'print JSON')
    .action((path: string) => importTable(path, command.optsWithGlobals<ImportOptions>()));
  return command.withExamples(
    'azimuth devices import netbox.csv --dry-run',
    'azimuth devices import netbox.csv',
    'azimuth devices import scanners.csv --column url=Management --column group=Hall',
  );
}

interface ImportOptions {
  readonly column?: readonly string[];
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
}

async function importTable(path: string, options: ImportOptions): Promise<void> {
  const text = await readTextFile(path, { limit: maxFileBytes.devices });
  // Other commands need no parser of CSV.
  const { rowsOfTable } = await import('../scanners/device-table.js');
  const { rows, mistakes } = rowsOfTable(path, text, columnsNamed(options.column ?? []));
  const file = await DevicesFile.read();
  const plan = await planOf(path, rows, file, options.force === true);
  refuse([...mistakes, ...plan.mistakes]);
  if (options.dryRun !== true && plan.added.length > 0) {
    const known = new Set(file.content.devices.map(({ name }) => name));
    for (const { name, url, serial } of plan.added) {
      if (known.has(name)) file.moveDevice(name, { url, serial });
      else file.setDevice(name, { url, serial });
    }
    await file.write();
  }
  report(plan, file.path, options);
}

interface NewDevice {
  readonly name: string;
  readonly url: string;
  readonly serial: string | undefined;
}

interface Plan {
  readonly added: readonly NewDevice[];
  /** Number of rows whose scanner is there already. */
  readonly kept: number;
  /** Lines without an address. */
  readonly without: readonly number[];
  readonly mistakes: readonly string[];
}

async function planOf(
  path: string,
  rows: readonly TableRow[],
  { content, path: devicesPath }: DevicesFile,
  force: boolean,
): Promise<Plan> {
  const byName = new Map(content.devices.map((device) => [device.name, device]));
  const urls = new Set<string>();
  for (const { url } of content.devices) urls.add(await checkedUrl(url));
  const lines = new Map<string, number>();
  const added: NewDevice[] = [];
  const mistakes: string[] = [];
  const without: number[] = [];
  let kept = 0;
  for (const { name, url, serial, line } of rows) {
    if (url === undefined) {
      without.push(line);
      continue;
    }
    const same = await checkedUrl(url);
    const keys = [`name ${name}`, `address ${same}`, ...(serial === undefined ? [] : [`serial ${serial}`])];
    for (const key of keys) {
      const first = lines.get(key);
      if (first === undefined) lines.set(key, line);
      else mistakes.push(`${path}:${line}: the ${printable(key)} is there twice: first in line ${first}`);
    }
    const known = byName.get(name);
    if (content.groups.has(name)) mistakes.push(`${path}:${line}: ${name} is a group in ${devicesPath}`);
    else if (known !== undefined && (await checkedUrl(known.url)) !== same && !force) {
      mistakes.push(`${path}:${line}: ${name} is there already, for ${known.url}: use --force to replace it`);
    } else if (urls.has(same)) kept++;
    else added.push({ name, url, serial });
  }
  return { added, kept, without, mistakes };
}

function report({ added, kept, without }: Plan, path: string, { json, dryRun = false }: ImportOptions): void {
  if (json === true) {
    process.stdout.write(`${jsonText({ added, kept, withoutAddress: without })}\n`);
    return;
  }
  if (added.length > 0) {
    const rows = added.map(({ name, url, serial = '-' }) => [`@${name}`, url, serial]);
    process.stdout.write(`${tableLines([['NAME', 'URL', 'SERIAL'], ...rows]).join('\n')}\n`);
  }
  const stay = kept === 0 ? '' : `, ${kept} there already`;
  const lacking = without.length === 0 ? '' : `, ${without.length} without an address`;
  remark(
    `${counted(added.length, 'scanner')} ${dryRun ? 'would be added' : 'added'} to ${path}${stay}${lacking}`,
  );
}

/** @throws CommandFailure with the first mistakes */
function refuse(mistakes: readonly string[]): void {
  if (mistakes.length === 0) return;
  const more = mistakes.length - mostMistakes;
  const shown = mistakes.slice(0, mostMistakes).join('; ');
  throw new CommandFailure(`${shown}${more > 0 ? `; and ${more} more` : ''}. Nothing was changed`);
}

/** @throws CommandFailure for a word that is no column */
function columnsNamed(words: readonly string[]): ReadonlyMap<ColumnMeaning, readonly string[]> {
  const columns = new Map<ColumnMeaning, readonly string[]>();
  for (const word of words) {
    const [, what = '', head = ''] = /^(\w+)=(.+)$/.exec(word) ?? [];
    const meaning = meanings.find((each) => each === what);
    if (meaning === undefined) {
      throw new CommandFailure(
        `--column: expected ${meanings.join(', ')} and a head, such as url=Address, got "${word}"`,
      );
    }
    columns.set(meaning, [...(columns.get(meaning) ?? []), head]);
  }
  return columns;
}

const meanings = ['name', 'url', 'serial', 'group'] as const satisfies readonly ColumnMeaning[];
