import { hostName } from '@azimuth/http';
import { isScalar } from 'yaml';
import { z } from 'zod';
import { maxFileBytes, readTextFile } from '../input/bounded-file.js';
import { YamlFile } from '../yaml/yaml-file.js';
import { members, parsedNode, text, unknownMember, wholeNumber } from '../yaml/yaml-form.js';
import { archiveSection } from './archive-section.js';
import { limitsSection } from './limits-section.js';
import { outputsSection } from './outputs-section.js';
import { duration, numberFrom, scannerWords, type ValueForms, valueForms } from './section-forms.js';

/** Bounds of the interval between two looks, in seconds. */
export const intervalBounds = [1, 3600] as const;

/** Bounds of the time in which all parameters are read once, in seconds. */
const parameterBounds = [10, 86_400] as const;

/** A name by which the port may be requested. */
const allowedHost = text
  .transform((written) => hostName(written) ?? '')
  .refine((name) => name !== '', {
    error: 'expected a host name without a port, for example monitor.example.org',
  });

/** The sections of a monitor file, in the order of the documentation. Each may be missing. */
function sections(forms: ValueForms) {
  const { path } = forms;
  const keep = duration('1d', '3650d').optional();
  return {
    /** The scanners. `--device` wins. */
    devices: scannerWords().optional(),
    /** Seconds between two looks at a scanner. */
    interval: numberFrom(...intervalBounds).optional(),
    /** Seconds in which all parameters of a scanner are read once. */
    parameters: numberFrom(...parameterBounds).optional(),
    /** Name of this monitor in the database. */
    name: text.regex(/\S/, { error: 'expected a name' }).optional(),
    /** The port for Prometheus and for browsers. */
    http: members('expected host, port and allowed-hosts', {
      host: text.optional(),
      port: wholeNumber(0, 65_535).optional(),
      'allowed-hosts': z.array(allowedHost, { error: 'expected a list of host names' }).optional(),
    }).optional(),
    limits: limitsSection.optional(),
    /** The lasting log in a folder. */
    log: members('expected folder and keep', { folder: path.optional(), keep }).optional(),
    /** The lasting log in a database instead. */
    store: members('expected url-file and keep', { 'url-file': path, keep }).optional(),
    outputs: outputsSection(forms).optional(),
    /** Backups and site exports. */
    archive: archiveSection(forms).optional(),
    /** The site file from which scanners must not differ. */
    site: path.optional(),
    /** Scan data that is sent to this computer. */
    receive: members('expected port', { port: wholeNumber(1, 65_535).optional() }).optional(),
  };
}

const monitorForm = (path: string) =>
  members('expected sections by their names', sections(valueForms(path))).refine(
    ({ log, store }) => log === undefined || store === undefined,
    { error: 'expected log or store, not both' },
  );

/** Content of a monitor file. Its paths are absolute. */
export type MonitorContent = z.output<ReturnType<typeof monitorForm>>;

/** A monitor file: its content, and the places in it for further mistakes. */
export interface MonitorFile {
  readonly content: MonitorContent;
  readonly yaml: YamlFile;
}

/**
 * Reads a monitor file. A section that is missing has its defaults.
 * @throws CommandFailure if it cannot be read, FileMistakes with all mistakes in it and their places
 */
export async function readMonitorFile(path: string): Promise<MonitorFile> {
  const yaml = new YamlFile(path, await readTextFile(path, { limit: maxFileBytes.monitor }));
  yaml.throwMistakes();
  const { contents } = yaml.document;
  const isEmpty = contents === null || (isScalar(contents) && contents.value === null);
  const content = isEmpty ? {} : parsedNode(yaml, monitorForm(path), contents, { unknown: noMember });
  yaml.throwMistakes();
  return { content: content ?? {}, yaml };
}

/** Returns the message about an unknown member. */
function noMember(member: string, known: readonly string[]): string {
  const secrets = known.filter((name) => name.endsWith('-file'));
  if (/pass|secret|token/i.test(member) && secrets.length > 0)
    return `a secret does not belong in this file ("${member}"): name a file by ${secrets.join(' or ')}`;
  return unknownMember(member, known);
}
