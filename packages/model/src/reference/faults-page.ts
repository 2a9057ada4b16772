import { blocks, code, table } from '@azimuth/wording';
import { faultGroups, occasions } from '../faults/kinds.js';
import type { Member, Members } from '../faults/member.js';
import { triggers } from '../faults/triggers.js';
import type { FaultDeclaration } from '../faults/wire-kinds.js';

/** Returns the page of all kinds of faults with their members. */
export function faultPage(): string {
  return `${blocks([
    '# Kinds of faults',
    introduction,
    '## When a fault happens',
    'Every fault can have these members, too:',
    tableOf(triggers),
    ...Object.entries(faultGroups).flatMap(([name, kinds]) => [`## ${name}`, ...sectionsOf(kinds)]),
  ])}\n`;
}

const introduction = `\`npm run docs\` makes this page from the declarations in \`packages/model/src/faults\`: change those, not this page. How
to use faults: [faults.md](faults.md).`;

function sectionsOf(kinds: Readonly<Record<string, FaultDeclaration>>): string[] {
  return Object.entries(kinds).flatMap(([name, { text, occasion, members }]) => [
    `### ${name}`,
    `${text} An occasion is ${occasions[occasion]}.`,
    Object.keys(members).length === 0 ? '' : tableOf(members),
    ...Object.entries(members).map(([member, facts]) => meaningsOf(member, facts)),
  ]);
}

function tableOf(members: Members): string {
  return table(
    ['member', 'value', 'default', 'meaning'],
    Object.entries(members).map(([name, member]) => [
      code(name),
      rangeOf(member),
      member.default === undefined ? '' : code(String(member.default)),
      member.text,
    ]),
  );
}

/** Returns a table of the choices, if they have meanings. */
function meaningsOf(name: string, member: Member): string {
  if (member.type !== 'choice' || member.meanings === undefined) return '';
  return table(
    [code(name), 'meaning'],
    Object.entries(member.meanings).map(([choice, meaning]) => [code(choice), meaning]),
  );
}

function rangeOf(member: Member): string {
  switch (member.type) {
    case 'number':
      return `${member.least} to ${member.most}${member.unit === undefined ? '' : ` ${member.unit}`}`;
    case 'choice':
      return member.choices.map((choice) => code(String(choice))).join(', ');
    case 'text':
      return 'text';
    case 'switch':
      return '`true`, `false`';
  }
}
