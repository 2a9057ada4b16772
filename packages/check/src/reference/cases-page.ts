import { blocks, code, table } from '@azimuth/wording';
import { areas, type RequirementLevel, stages } from '../cases/index.js';
import { everyCase, grouped, type ProvedCase } from './every-case.js';

const levels: readonly RequirementLevel[] = ['must', 'should', 'informational'];

/** Returns the page of all cases, with their numbers by area, level and stage. */
export function casesPage(): string {
  const all = everyCase();
  return `${blocks([
    '# Cases of azimuth check',
    introduction,
    '## Numbers',
    `${all.length} cases, and ${faults(all)} faults that prove them:`,
    numbersByArea(all),
    numbersByStage(all),
    ...areas.flatMap(({ name, title }) => [
      `## ${title}`,
      tableOf(all.filter(({ area }) => area.name === name)),
    ]),
  ])}\n`;
}

const introduction = `\`npm run docs\` makes this page from the cases in \`packages/check/src/cases\`: change those, not this page. A scanner has the cases
of its release and variant, and \`azimuth check --list\` prints them one by one. Here, cases that are the same for many names share a
line. A fault is planted in a scanner, and its case has to fail: \`npm run campaign check\` does so with all of them.`;

function faults(cases: readonly ProvedCase[]): number {
  return cases.reduce((sum, { mutants }) => sum + mutants.length, 0);
}

function numbersByArea(all: readonly ProvedCase[]): string {
  const numbers = (cases: readonly ProvedCase[]) => [
    ...levels.map((level) => String(cases.filter((one) => one.case.level === level).length)),
    String(cases.length),
    String(mutantsOf(cases, 'source')),
    String(mutantsOf(cases, 'declaration')),
  ];
  return table(
    ['area', 'ids', ...levels, 'in sum', 'faults in the source', 'faults in declarations'],
    [
      ...areas.map(({ name, title }) => [
        title,
        code(`${name}.`),
        ...numbers(all.filter(({ area }) => area.name === name)),
      ]),
      ['all', '', ...numbers(all)],
    ],
  );
}

function mutantsOf(cases: readonly ProvedCase[], kind: 'source' | 'declaration'): number {
  return cases.reduce((sum, { mutants }) => sum + mutants.filter((one) => one.kind === kind).length, 0);
}

function numbersByStage(all: readonly ProvedCase[]): string {
  return table(
    ['stage', 'cases'],
    stages.map((stage) => [code(stage), String(all.filter((one) => one.case.stage === stage).length)]),
  );
}

/** Cases of one name each are told together from this number on. */
const fewest = 4;

function tableOf(cases: readonly ProvedCase[]): string {
  const alike = grouped(cases, ({ case: { id, level, stage } }) =>
    JSON.stringify([pattern(id), level, stage]),
  );
  return table(
    ['case', 'level', 'stage', 'what a scanner has to do', 'where that is stated'],
    [...alike.values()]
      .flatMap((group) => (group.length < fewest ? group.map((one) => [one]) : [group]))
      .map(rowOf),
  );
}

/** Returns an id without the name in its middle: `variable.*.range`. */
function pattern(id: string): string {
  const [area = '', ...rest] = id.split('.');
  return rest.length < 2 ? id : `${area}.*.${rest.slice(1).join('.')}`;
}

function rowOf(group: readonly ProvedCase[]): readonly string[] {
  const [first] = group;
  if (first === undefined) return [];
  const { id, level, stage, clause, place } = first.case;
  if (group.length === 1) return [code(id), level, stage, inCell(clause), inCell(place)];
  const name = id.split('.')[1] ?? '';
  const example = `${group.length} cases. For ${code(name)}: ${clause}`;
  return [code(pattern(id)), level, stage, inCell(example), inCell(place)];
}

/** Escapes what ends a cell of a table. */
function inCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('<', '\\<');
}
