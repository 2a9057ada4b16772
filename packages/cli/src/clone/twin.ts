import {
  FolderStorage,
  type Identity,
  type Log,
  type MeasuringCore,
  randomSerialNumber,
  SystemClock,
  SystemRandom,
  storedIdentity,
} from '@azimuth/device';
import { Device } from '@azimuth/device/device';
import { extensionPrefix, general, type Product, Refusal, type Variable, type Variant } from '@azimuth/model';
import { printable } from '../output/output.js';

/** Facts about a scanner that gets a twin. */
export interface Original {
  /** Release, or version of a product of its own. */
  readonly release: string;
  /** Product of the twin; undefined for the built-in one. */
  readonly product: Product | undefined;
  /** The parameters that the twin can have. */
  readonly parameters: readonly Variable<unknown>[];
  readonly variant: Variant;
  /** The values of its parameters, by the names under which they are read. */
  readonly values: ReadonlyMap<string, unknown>;
}

/** A parameter whose value in the twin differs from the original. */
export interface Unlike {
  readonly name: string;
  readonly reason: string;
}

/** A twin in its folder. */
interface Twin {
  readonly identity: Identity;
  readonly unlike: readonly Unlike[];
}

const caller = { level: 'Service' } as const;
const silent: Log = { info() {}, warn() {}, error() {} };

/** A measuring core without scans: the twin only stores. */
const idle: MeasuringCore = { start() {}, stop() {} };

/**
 * Makes a virtual scanner in a new folder, and gives it the parameters of another one. The device stores them itself,
 * by its own rules. Passwords and user levels are those of the factory.
 * @param serial its serial number; undefined for a random one. The MAC address follows from it
 */
export async function makeTwin(
  folder: string,
  { release, product, variant, values, parameters }: Original,
  serial: string | undefined,
): Promise<Twin> {
  const random = new SystemRandom();
  const device = await Device.open({
    identity: storedIdentity({
      requested: serial,
      fresh: () => randomSerialNumber(random),
      usual: randomSerialNumber(random),
    }),
    clock: new SystemClock(),
    random,
    storage: await FolderStorage.open(folder),
    hardware: { log: silent, temperature: () => 25 },
    release,
    product,
    variant,
    core: idle,
  });
  try {
    const unlike = writeAll(device, parameters, values);
    await device.call(general.members.WriteEeprom, undefined, caller);
    return { identity: device.identity, unlike };
  } finally {
    await device.close();
  }
}

/** Writes the parameters. A refused one is tried again after the others: values may depend on each other. */
function writeAll(
  device: Device,
  parameters: readonly Variable<unknown>[],
  values: ReadonlyMap<string, unknown>,
): readonly Unlike[] {
  const refused = new Map<string, string>();
  const write = (name: string): void => {
    const variable = parameters.find((each) => each.name === name || extensionPrefix + each.name === name);
    if (variable === undefined || !device.parameters.has(variable)) {
      refused.set(name, 'a virtual scanner of this release does not have it');
      return;
    }
    try {
      device.write(variable, values.get(name), caller, name);
      refused.delete(name);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused.set(name, error.message);
    }
  };
  for (const name of values.keys()) write(name);
  for (const name of [...refused.keys()]) write(name);
  return [...refused].map(([name, reason]) => ({ name, reason }));
}

/** Facts for the README of a twin. */
interface CloneFacts {
  /** URL of the original. */
  readonly url: string;
  readonly serial: string;
  /** Its firmware version as it states it. */
  readonly version: string;
  readonly twin: Twin;
  /** The command that starts the twin. */
  readonly command: string;
  /** True if the original reports its fields and evaluations. */
  readonly hasFields: boolean;
  readonly hasRecording: boolean;
  readonly at: Date;
}

/** Parameters that no scanner reports, or that a twin must not have. */
const neverCloned: readonly string[] = [
  'passwords: the twin has those of the factory',
  'which user levels are on: the twin has the state of the factory',
  'certificates and keys of HTTPS',
  'counters, operating hours, and the detection history',
];

const fieldsNotReported = 'fields, evaluations and their groups: real scanners do not tell them over REST';

/** Names of the missing parts of the twin, in words. */
export function notCloned({ twin, hasFields }: Pick<CloneFacts, 'twin' | 'hasFields'>): readonly string[] {
  return [
    ...(hasFields ? [] : [fieldsNotReported]),
    ...neverCloned,
    ...twin.unlike.map(({ name, reason }) => `${name}: ${reason}`),
  ];
}

/** Returns the README.md of a twin's folder. */
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
