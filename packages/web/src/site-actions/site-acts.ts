import { NotDoneError, type Scanner, unsavedParameters } from '@azimuth/client';
import type { SiteScanner } from '@azimuth/http/site';
import {
  backupRestore,
  counted,
  dateAndSystemTime,
  device,
  extensionPrefix,
  extensions,
  firmwareUpdate,
  general,
  isObject,
  type Level,
  localTime,
  type Method,
  sameJson,
  TimeRole,
  type Variable,
} from '@azimuth/model';
import { levelToCall, levelToWrite, typed } from '../connection/declarations.js';
import { wireName } from '../connection/scanner-link.js';
import { assertSize, stageWords } from '../firmware/firmware-update.js';
import { differences } from '../forms/differences.js';
import { valueText } from '../forms/value-text.js';
import { savedFile } from '../parts/files.js';
import { localDateTime, sizeText } from '../parts/texts.js';

/** Effect of an act on a scanner. */
export type Planned =
  /** @property lines each part that changes, before and after */
  | { readonly kind: 'changes'; readonly lines: readonly string[] }
  | { readonly kind: 'stays'; readonly why: string }
  | { readonly kind: 'cannot'; readonly why: string };

/** Something that can be done to many scanners. */
export interface SiteAct {
  /** On the button that does it: `Save`. */
  readonly verb: string;
  readonly level: Level;
  /** Reads what it would do. @throws ClientError */
  readonly plan: (scanner: Scanner, row: SiteScanner) => Promise<Planned>;
  /** Does it, and says what was done. @throws ClientError */
  readonly perform: (scanner: Scanner, row: SiteScanner, tell: (stage: string) => void) => Promise<string>;
  /** A warning before it is done. */
  readonly warning?: string;
}

const { WriteEeprom, RebootDevice } = general.members;
const { LSPsetdatetime, TSCRole } = dateAndSystemTime.members;
const { time } = extensions.members;
const { FindMe } = device.members;
const { RunFirmwareUpdate } = firmwareUpdate.members;

const changes = (...lines: readonly string[]): Planned => ({ kind: 'changes', lines });
const stays = (why: string): Planned => ({ kind: 'stays', why });
const cannot = (why: string): Planned => ({ kind: 'cannot', why });

/** Calls a method. @throws ClientError; NotDoneError if the response says that it was not done */
async function callDone(
  scanner: Scanner,
  method: Pick<Method<never, unknown>, 'name' | 'refusalIn'>,
  request?: unknown,
): Promise<void> {
  const response = await scanner.callAny(method.name, request);
  const refusal = method.refusalIn(isObject(response) ? response : {});
  if (refusal !== undefined) throw NotDoneError.refused(method.name, refusal);
}

/** The parts of parameters that a reboot would change, as a person reads them, or why they are not known. */
async function unsavedLines(scanner: Scanner, turn: 'save' | 'discard'): Promise<Planned> {
  const unsaved = await unsavedParameters(scanner);
  if (unsaved === undefined) {
    return turn === 'save'
      ? changes('What is unsaved is saved. This scanner does not tell what that is.')
      : cannot('It does not tell what is unsaved.');
  }
  if (unsaved.length === 0) return stays('Everything is saved.');
  return changes(
    ...unsaved.map(({ variable, path, shape, member, from, to }) => {
      const unitOf = () => variable.unitOf(member);
      const [working, stored] = [valueText(shape, from, unitOf), valueText(shape, to, unitOf)];
      return turn === 'save' ? `${path}: ${stored} → ${working}, saved` : `${path}: ${working} → ${stored}`;
    }),
  );
}

export const saveAct: SiteAct = {
  ...{ verb: 'Save', level: levelToCall(WriteEeprom) },
  plan: (scanner) => unsavedLines(scanner, 'save'),
  async perform(scanner) {
    await callDone(scanner, WriteEeprom);
    return 'Saved.';
  },
};

export const discardAct: SiteAct = {
  ...{ verb: 'Discard unsaved changes', level: 'AuthorizedClient' },
  plan: (scanner) => unsavedLines(scanner, 'discard'),
  async perform(scanner, _, tell) {
    const unsaved = (await unsavedParameters(scanner)) ?? [];
    const names = [...new Set(unsaved.map(({ variable }) => variable.name))];
    const stored = await scanner.readAny(`${extensionPrefix}stored`);
    for (const [done, name] of names.entries()) {
      tell(`${done} of ${names.length} written`);
      await scanner.writeAny(wireName(name), Object(stored)[name]);
    }
    return `${counted(names.length, 'parameter')} set back to what is saved.`;
  },
};

/** Writes a variable. @param value JSON that the model accepts */
export function writeAct(variable: Variable<unknown>, value: unknown): SiteAct {
  const name = wireName(variable.name);
  return {
    ...{ verb: `Write ${variable.name}`, level: levelToWrite(variable) },
    async plan(scanner) {
      const before = await scanner.readAny(name);
      if (sameJson(before, value)) return stays('It has this value already.');
      const unitOf = (member: string) => variable.unitOf(member);
      const parts = differences(variable.type.shape, before, value, unitOf);
      return changes(...parts.map(({ at, from, to }) => `${variable.name}${at}: ${from} → ${to}`));
    },
    async perform(scanner) {
      await scanner.writeAny(name, value);
      return 'Written, not saved.';
    },
  };
}

export const clockAct: SiteAct = {
  ...{ verb: 'Set the clock', level: levelToCall(LSPsetdatetime) },
  async plan(scanner, { clockOffset }) {
    const state = typed(time, await scanner.readAny(wireName(time.name)).catch(() => undefined));
    // A scanner that does not tell whether its clock is synchronised has at least a role.
    const role = state === undefined ? typed(TSCRole, await scanner.readAny(TSCRole.name)) : undefined;
    const isLed = role !== undefined && role !== TimeRole.TX_NONE;
    if (isLed || state?.Synchronised === true) return cannot('Its clock follows a server or a master.');
    const before = clockOffset === undefined ? 'not known' : `${clockOffset.toFixed(1)} s off`;
    return changes(`Clock: ${before} → ${localDateTime(new Date())}, or the time at which it is set`);
  },
  async perform(scanner) {
    const now = new Date();
    await callDone(scanner, LSPsetdatetime, { DateTime: localTime(now) });
    return `Set to ${localDateTime(now)}.`;
  },
};

export const rebootAct: SiteAct = {
  ...{ verb: 'Reboot', level: levelToCall(RebootDevice) },
  warning: 'A scanner measures nothing until it is back. What is unsaved is saved first.',
  plan: () => Promise.resolve(changes('It saves what is unsaved, and starts anew.')),
  async perform(scanner, _, tell) {
    await callDone(scanner, RebootDevice);
    tell('It starts anew');
    await scanner.rebooted();
    return 'It is back.';
  },
};

/** s for which lamps blink. */
const blinkFor = 60;

export const findAct: SiteAct = {
  ...{ verb: 'Let the lamps blink', level: levelToCall(FindMe) },
  plan: () => Promise.resolve(changes(`Its lamps blink for ${blinkFor} s.`)),
  async perform(scanner) {
    await callDone(scanner, FindMe, { uiDuration: blinkFor });
    return `It blinks for ${blinkFor} s.`;
  },
};

export const backupAct: SiteAct = {
  ...{ verb: 'Download backups', level: levelToCall(backupRestore.members.CreateParameterBackup) },
  plan: () => Promise.resolve(changes('Nothing changes. The browser saves a file.')),
  async perform(scanner, { name }, tell) {
    tell('It writes the file');
    const bytes = await scanner.backup();
    const file = savedFile(name, 'backup', 'json', bytes);
    return `${file.name}, ${sizeText(file.bytes)}`;
  },
};

/** Installs a firmware file. */
export function firmwareAct(file: File): SiteAct {
  return {
    ...{ verb: 'Install the firmware', level: levelToCall(RunFirmwareUpdate) },
    warning: `A scanner measures nothing while it installs and starts anew. ${RunFirmwareUpdate.loss ?? ''}`,
    async plan(_, { firmware = 'its firmware' }) {
      assertSize(file);
      return changes(`${firmware} → ${file.name}`);
    },
    async perform(scanner, _, tell) {
      const { from, to } = await scanner.update(file, {
        onStage: (stage) => tell(stageWords[stage]),
        onInstallProgress: (percent) => tell(`${stageWords.installing}: ${percent} %`),
      });
      return from === to ? `It had ${to} already, and has it again.` : `${from} → ${to}`;
    },
  };
}
