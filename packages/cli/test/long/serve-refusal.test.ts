import { writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { Refusal } from '@azimuth/model';
import { ended, serve, temporaryFolder } from '@azimuth/test-support/serve-process';
import { describe, expect, test } from 'vitest';
import { startRefusal } from '../../src/serve/startup-output.js';

describe('a fault of the folder is one line that names it', () => {
  test.each([
    ['EACCES', 'permission denied'],
    ['ENOSPC', 'no space left on device'],
    ['EROFS', 'read-only file system'],
    ['ENOTDIR', 'not a directory'],
    ['EISDIR', 'illegal operation on a directory'],
  ] as const)('%s', (code, text) => {
    const errno = -constants.errno[code];
    const error = Object.assign(new Error(`${code}: node's words, write`), { code, errno, syscall: 'write' });
    expect(startRefusal(error, '/scanner')).toBe(`/scanner: ${text} (${code})`);
  });

  test('a password that cannot be stored', () => {
    const fault = new Refusal('internalServerError', '', 'the passwords could not be stored: EIO');
    expect(startRefusal(fault, '/scanner')).toBe('/scanner: the passwords could not be stored: EIO');
  });

  test('a listener in use is reported with its address', () => {
    const error = Object.assign(new Error('listen EAFNOSUPPORT: ::1'), { errno: -97, syscall: 'listen' });
    expect(startRefusal(error, '/scanner')).toBe('listen EAFNOSUPPORT: ::1');
  });

  test('an internal error is not such a refusal', () => {
    expect(startRefusal(new TypeError('x is not a function'), '/scanner')).toBeUndefined();
    expect(startRefusal(new Refusal('invalidData', '', 'no'), '/scanner')).toBeUndefined();
  });
});

describe('a scanner that cannot be started prints the reason after its log, and ends with code 1', () => {
  test('if the folder would be inside a file', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const data = join(file, 'data');
    const { stdout, stderr, exitCode } = await ended(serve({ flags: ['--data', data] }));
    expect(stderr).toBe(`azimuth: ${data}: the folder cannot be created: not a directory (ENOTDIR)\n`);
    expect(stdout).toBe('');
    expect(exitCode).toBe(1);
  });

  test('if its release does not have a known issue of the plan', async () => {
    const file = join(temporaryFolder(), 'faults.yaml');
    writeFileSync(file, 'faults: [{ kind: known-issue, issue: 2.1.0/angle-filter }]');
    const { stderr, exitCode } = await ended(serve({ flags: ['--faults', file] }));
    expect(stderr).toContain(
      'azimuth: --faults: faults[0].issue: 2.1.0/angle-filter belongs to release 2.1.0',
    );
    expect(exitCode).toBe(1);
  });

  // A recursive `mkdir` of Node.js never ends there.
  test.runIf(process.platform === 'linux').each(['/proc/azimuth', '/proc/azimuth/data'])(
    'where the system has no folders of others: %s',
    async (data) => {
      const { stdout, stderr, exitCode } = await ended(serve({ flags: ['--data', data] }));
      expect(stderr).toBe(
        `azimuth: ${data}: the folder cannot be created: no such file or directory (ENOENT)\n`,
      );
      expect(stdout).toBe('');
      expect(exitCode).toBe(1);
    },
  );

  test('if nothing can be written', async () => {
    const data = temporaryFolder();
    const { stderr, exitCode } = await ended(serve({ before: 'ulimit -f 0', flags: ['--data', data] }));
    expect(stderr).toBe(`azimuth: ${data}: file too large (EFBIG)\n`);
    expect(exitCode).toBe(1);
  });
});
