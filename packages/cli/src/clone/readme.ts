import { printable } from '../output/output.js';
import type { Twin } from './twin.js';

/** What the README of a twin tells. */
export interface CloneFacts {
  /** URL of the original. */
  readonly url: string;
  readonly serial: string;
  /** Its firmware version as it states it. */
  readonly version: string;
  readonly twin: Twin;
  /** The command that starts the twin. */
  readonly command: string;
  /** Does the original tell its fields and evaluations? */
  readonly hasFields: boolean;
  readonly hasRecording: boolean;
  readonly at: Date;
}

/** What no scanner tells, or what a twin must not have. */
export const neverCloned: readonly string[] = [
  'passwords: the twin has those of the factory',
  'which user levels are on: the twin has the state of the factory',
  'certificates and keys of HTTPS',
  'counters, operating hours, and the detection history',
];

const fieldsNotTold = 'fields, evaluations and their groups: real scanners do not tell them over REST';

/** What the twin does not have, in words. */
export function notCloned({ twin, hasFields }: Pick<CloneFacts, 'twin' | 'hasFields'>): readonly string[] {
  return [
    ...(hasFields ? [] : [fieldsNotTold]),
    ...neverCloned,
    ...twin.unlike.map(({ name, reason }) => `${name}: ${reason}`),
  ];
}

/** The README.md of a twin's folder. */
export function cloneReadme(facts: CloneFacts): string {
  const { url, twin, command, hasRecording, at } = facts;
  const [serial, version] = [printable(facts.serial), printable(facts.version)];
  const { serialNumber, macAddress } = twin.identity;
  const mac = macAddress.map((byte) => byte.toString(16).padStart(2, '0')).join(':');
  return `# A twin of scanner ${serial}

This folder is a virtual scanner with the parameters of ${url} (serial number ${serial}, firmware ${version}), as they were
on ${at.toISOString().slice(0, 10)}. Start it with:

\`\`\`sh
${command}
\`\`\`

Its serial number is ${serialNumber}, and its MAC address ${mac}.${hasRecording ? ' It replays what the scanner saw (seen.azrec).' : ''}

It does not have:

${notCloned(facts)
  .map((line) => `- ${printable(line)}`)
  .join('\n')}
`;
}
