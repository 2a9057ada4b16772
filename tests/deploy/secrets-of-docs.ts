import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deploy } from './documents.js';

/** What the commands of docs/deploy.md make: the keys of each Secret, and the values that are no secret. */
export function commandsOfDocs(): readonly (readonly [string, Readonly<Record<string, string>>])[] {
  const page = readFileSync(join(deploy, '..', 'docs', 'deploy.md'), 'utf8');
  const [, logins = ''] = /^for login in (.*); do$/m.exec(page) ?? [];
  const plain = [...page.matchAll(/create secret generic ([a-z-]+) --from-file=(\w+)=/g)];
  return [
    ...plain.map(([, name = '', key = '']) => [name, { [key]: '' }] as const),
    ...logins
      .split(' ')
      .map((login) => login.split(':'))
      .map(([name = '', username = '']) => [`azimuth-database-${name}`, { username, password: '' }] as const),
  ];
}

/** The keys of these Secrets, by their names. */
export function secretsOfDocs(): ReadonlyMap<string, readonly string[]> {
  return new Map(commandsOfDocs().map(([name, values]) => [name, Object.keys(values)]));
}
