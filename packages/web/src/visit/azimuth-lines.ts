import { allMethods } from '@azimuth/model';
import type { Change } from '../connection/history.js';
import { wireName } from '../connection/scanner-link.js';
import { commentOn, reboots } from './by-hand.js';
import { shellWord } from './shell-word.js';

const losing = new Set(allMethods.filter(({ loss }) => loss !== undefined).map(({ name }) => name));

/** The changes as a shell script of `azimuth` commands, in their order. It has no password. */
export function azimuthLines(changes: readonly Change[]): readonly string[] {
  return changes.map(lineOf);
}

function lineOf(change: Change): string {
  const { url, level } = change;
  const user = level === undefined || level === 'Service' ? '' : ` --user ${level}`;
  const to = ` --device ${shellWord(url)}${user}`;
  if (change.kind === 'write') {
    const value = shellWord(JSON.stringify(change.after));
    // The command would take it for an option.
    const last = value.startsWith('-') ? `${to} -- ${value}` : ` ${value}${to}`;
    return `azimuth set ${wireName(change.name)}${last}`;
  }
  const comment = commentOn(change.name);
  if (comment !== undefined) return comment;
  const request = change.request === undefined ? '' : ` ${shellWord(JSON.stringify(change.request))}`;
  const wait = reboots.has(change.name) ? ' --wait' : '';
  // A script has no terminal at which somebody could be asked.
  const yes = losing.has(change.name) ? ' --yes' : '';
  return `azimuth call ${change.name}${request}${wait}${yes}${to}`;
}
