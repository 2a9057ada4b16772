import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isSerialNumber } from '@azimuth/device';
import { AllowedAddresses, ForbiddenAddress, type RealScannerFacts } from '@azimuth/fleet';
import { isLoginLevel, loginLevels } from '@azimuth/model';
import { isMap, isScalar, type Scalar, type YAMLMap } from 'yaml';
import { z } from 'zod';
import { CommandFailure } from '../command-failure.js';
import { maxFileBytes, readTextFile } from '../input/bounded-file.js';
import { keyText, type YamlFile } from '../yaml/yaml-file.js';
import { members, text, validMembers } from '../yaml/yaml-form.js';
import type { NamedFile } from './fleet-group.js';
import { sealedPassword } from './sealed-password.js';

const level = text.refine(isLoginLevel, { error: `expected one of ${loginLevels.join(', ')}` });

/** A group of real scanners in a fleet file. */
const realForm = members('expected members, at least urls', {
  urls: z.record(z.string(), text, {
    error: 'expected serial numbers with their URLs: {23450001: http://192.168.0.1}',
  }),
  'ca-file': text.optional(),
  user: level.optional(),
  'password-file': text.optional(),
});

/** Numbers of a list that the whole file has. */
const anyPort = new AllowedAddresses(() => []);

/** True for a group that adopts real scanners. */
export function isRealGroup(node: unknown): node is YAMLMap {
  return isMap(node) && node.has('urls');
}

interface Options {
  readonly file: YamlFile;
  /** Path of the fleet file: other files are relative to it. */
  readonly path: string;
  /** Gets the files that the group names, by the texts that name them. */
  readonly files: Map<Scalar, NamedFile>;
}

/**
 * Reads a group of real scanners, and reports its mistakes.
 * @param name of the group
 */
export async function realScannersIn(
  { file, path, files }: Options,
  group: YAMLMap,
  name: string,
): Promise<readonly RealScannerFacts[]> {
  const right = validMembers(file, realForm, group, { owner: { key: group, name } });
  const { urls = {}, 'ca-file': caFile, 'password-file': passwordFile, user = 'Service' } = right;
  const named = async (member: string, written: string | undefined, secret?: string) => {
    if (written === undefined) return undefined;
    const node = file.resolved(group.get(member, true));
    const at = resolve(dirname(path), written);
    try {
      const content = await readTextFile(at, { limit: maxFileBytes.secret });
      const isOpen =
        secret !== undefined && process.platform !== 'win32' && (statSync(at).mode & 0o077) !== 0;
      if (isOpen) file.report(node, `${member}: others may read ${written}: chmod 600 ${written}`);
      if (isScalar(node)) files.set(node, { path: at, secretOf: secret });
      return content;
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      file.report(node, `${member}: ${error.message}`);
      return undefined;
    }
  };
  const ca = await named('ca-file', caFile);
  const password = await named('password-file', passwordFile, name);
  if (right.user !== undefined && passwordFile === undefined)
    file.report(group.get('user', true), 'user: expected password-file, too');
  const credentials =
    password === undefined || !isLoginLevel(user)
      ? undefined
      : { user, sealed: sealedPassword(name, password.trim()) };
  const node = file.resolved(group.get('urls', true));
  const keys = new Map(isMap(node) ? node.items.map((item) => [keyText(item.key), item] as const) : []);
  return Object.entries(urls).flatMap(([serial, written]): readonly RealScannerFacts[] => {
    const { key, value } = keys.get(serial) ?? {};
    if (isScalar(key) && typeof key.value === 'number' && key.source !== serial) {
      file.report(key, `${key.source}: expected quotes around it, as "${key.source}"`);
      return [];
    }
    if (!isSerialNumber(serial)) {
      file.report(key, `${serial}: expected a serial number: up to 9 letters and digits`);
      return [];
    }
    const url = urlIn(written);
    if (!url.startsWith('http')) {
      file.report(value, `${serial}: ${url}`);
      return [];
    }
    return [{ serial, group: name, url, ca, credentials }];
  });
}

/** Returns the URL of a scanner, without a slash at its end, or what is wrong with it. */
function urlIn(written: string): string {
  const withScheme = /^[a-z]+:\/\//i.test(written) ? written : `http://${written}`;
  const mistake = `expected a URL as http://192.168.0.1, got "${withoutLogin(written)}"`;
  if (!URL.canParse(withScheme)) return mistake;
  const { protocol, origin, pathname, search, hash, username, password } = new URL(withScheme);
  if (username !== '' || password !== '') return 'a URL has no password: use password-file';
  if (protocol !== 'http:' && protocol !== 'https:') return mistake;
  if (pathname !== '/' || search !== '' || hash !== '') return `${mistake}; it has no path`;
  try {
    anyPort.checkUrl(origin);
    return origin;
  } catch (error) {
    if (error instanceof ForbiddenAddress) return error.message;
    throw error;
  }
}

function withoutLogin(written: string): string {
  return written.replace(/\/\/[^@/]*@/, '//…@').slice(0, 80);
}
