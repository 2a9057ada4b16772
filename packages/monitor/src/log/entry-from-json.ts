import { isObject } from '@azimuth/model';
import type { StorableEntry } from './storable-entry.js';

/** Returns the author in this JSON, if it is one. */
function authorIn(json: unknown): { readonly by: string; readonly command: string } | undefined {
  if (!isObject(json)) return undefined;
  const { by, command } = json;
  return typeof by === 'string' && typeof command === 'string' ? { by, command } : undefined;
}

const happenings = ['boot', 'saved', 'backup', 'backup-failed'] as const;

/** Returns the entry in this JSON; undefined if it is none. Other members are left out. */
export function entryIn(json: unknown): StorableEntry | undefined {
  if (!isObject(json)) return undefined;
  const { kind, id, at, scanner, serial } = json;
  if (typeof id !== 'string' || typeof at !== 'number' || typeof scanner !== 'string') return undefined;
  const common = { id, at, scanner, ...(typeof serial === 'string' ? { serial } : {}) };
  const { text, name, before, after, parameter } = json;
  switch (kind) {
    case 'condition':
      return conditionIn(json, common);
    case 'parameter': {
      if (typeof parameter !== 'string') return undefined;
      const { unchangedAt } = json;
      const author = authorIn(json.author);
      return {
        ...{ kind, ...common, parameter, before, after },
        ...(typeof unchangedAt === 'number' ? { unchangedAt } : {}),
        ...(author === undefined ? {} : { author }),
      };
    }
    case 'value':
      return typeof name === 'string' ? { kind, ...common, name, before, after } : undefined;
    case 'happening': {
      const what = happenings.find((each) => each === json.what);
      return what === undefined || typeof text !== 'string' ? undefined : { kind, ...common, what, text };
    }
    case 'command':
      return commandIn(json, common);
    case 'monitor':
      return typeof text === 'string' ? { kind, ...common, text } : undefined;
    default:
      return undefined;
  }
}

interface CommonMembers {
  readonly id: string;
  readonly at: number;
  readonly scanner: string;
}

function conditionIn(
  json: Readonly<Record<string, unknown>>,
  common: CommonMembers,
): StorableEntry | undefined {
  const { condition, part, severity, text, since, change } = json;
  if (typeof condition !== 'string' || typeof part !== 'string' || typeof text !== 'string') return undefined;
  if (typeof since !== 'number' || (severity !== 'warning' && severity !== 'error')) return undefined;
  if (change !== 'begins' && change !== 'ends') return undefined;
  return { kind: 'condition', ...common, change, condition, part, severity, text, since };
}

function commandIn(
  json: Readonly<Record<string, unknown>>,
  common: CommonMembers,
): StorableEntry | undefined {
  const { url, wrote, outcome } = json;
  const author = authorIn(json.author);
  if (author === undefined || !Array.isArray(wrote) || (outcome !== 'done' && outcome !== 'failed'))
    return undefined;
  const paths = wrote.filter((path) => typeof path === 'string');
  const address = typeof url === 'string' ? { url } : {};
  return { kind: 'command', ...common, ...address, author, wrote: paths, outcome };
}
