import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { devicesPath } from './device-names.js';
import type { NamesOfInterface, ValueWords } from './names-for-completion.js';

/** Size limit of the file in bytes. A description of more names is not stored. */
const largestFile = 256 * 1024;
/** Depth limit of the words of a value. */
const deepest = 12;

const none: NamesOfInterface = { variables: {}, methods: {} };

/** The file is beside the devices file. */
const namesPath = () => join(dirname(devicesPath()), 'described-names.json');

/**
 * Stores the names that scanners have described and that the model does not have, for the completion of shells. They
 * replace those of the last scanner. If they cannot be stored, completion does without them.
 */
export function storeDescribedNames(names: NamesOfInterface): void {
  if (Object.keys(names.variables).length + Object.keys(names.methods).length === 0) return;
  const content = `${JSON.stringify(names)}\n`;
  if (Buffer.byteLength(content) > largestFile || content === readNames()) return;
  const path = namesPath();
  const fresh = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(fresh, content, { mode: 0o600 });
    renameSync(fresh, path);
  } catch {
    rmSync(fresh, { force: true });
  }
}

/** Returns the stored names; none if the file is missing or has other content. */
export function describedNames(): NamesOfInterface {
  try {
    const names: unknown = JSON.parse(readNames() ?? '');
    return isNames(names) ? names : none;
  } catch {
    return none;
  }
}

function readNames(): string | undefined {
  try {
    const stats = statSync(namesPath());
    // A pipe would block the shell.
    return stats.isFile() && stats.size <= largestFile ? readFileSync(namesPath(), 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

function isNames(json: unknown): json is NamesOfInterface {
  if (!isRecord(json) || !isRecord(json.variables) || !isRecord(json.methods)) return false;
  const areVariables = Object.entries(json.variables).every(
    ([name, words]) =>
      isName(name) &&
      isRecord(words) &&
      isLine(words.text) &&
      typeof words.isParameter === 'boolean' &&
      typeof words.isEvent === 'boolean' &&
      isValueWords(words.value),
  );
  const areMethods = Object.entries(json.methods).every(
    ([name, words]) => isName(name) && isRecord(words) && isLine(words.text) && isValueWords(words.request),
  );
  return areVariables && areMethods;
}

function isValueWords(json: unknown, depth = 0): json is ValueWords {
  if (depth > deepest) return false;
  if (Array.isArray(json)) return json.every(isName);
  if (!isRecord(json)) return false;
  if ('items' in json) return typeof json.count === 'number' && isValueWords(json.items, depth + 1);
  if (!isRecord(json.members)) return false;
  return Object.entries(json.members).every(
    ([name, member]) => isName(name) && isValueWords(member, depth + 1),
  );
}

function isRecord(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/** The shell puts names into a command line: they are words, with the prefix of extensions. */
function isName(text: unknown): boolean {
  return typeof text === 'string' && /^(?:x\/)?\w{1,64}$/.test(text);
}

function isLine(text: unknown): boolean {
  return typeof text === 'string' && !/\p{Cc}/u.test(text);
}
