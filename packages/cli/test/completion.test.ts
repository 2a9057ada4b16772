import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { candidates } from '../src/completion/candidates.js';
import type { CompletionTable } from '../src/completion/completion-table.js';
import { azimuth } from './run.js';

const bin = fileURLToPath(new URL('../bin/azimuth.js', import.meta.url));
const names = () => ({ devices: ['gate3', 'hall/north', 'hall/south'], groups: ['night'] });
let table: CompletionTable;

beforeAll(async () => {
  table = JSON.parse((await azimuth('completion', '--table')).stdout);
});

/** Returns the candidates for the next word. */
function after(...words: readonly string[]): readonly string[] {
  return candidates(table, words, names).words.map(({ word }) => word);
}

describe('what can come next', () => {
  test.each([
    [['ge'], ['get']],
    [['set', 'EtherIPM'], ['EtherIPMask']],
    [
      ['set', 'EtherAddressingMode', ''],
      ['TX_IP_STATIC', 'TX_IP_DHCP'],
    ],
    [
      ['set', 'ScanDataEnable', 'o'],
      ['on', 'off'],
    ],
    [['set', 'ScanDataEthSettings', 'Po'], ['Port=']],
    [
      ['set', 'ScanDataEthSettings', 'Protocol='],
      ['Protocol=UDP', 'Protocol=TCP'],
    ],
    [['set', 'ScanDataConfig', 'RemDataConfig.bE'], ['RemDataConfig.bEnable=']],
    [['call', 'WriteE'], ['WriteEeprom']],
    [['watch', 'DeviceSt'], ['DeviceStatus']],
    [
      ['get', '@hall/'],
      ['@hall/north', '@hall/south', '@hall/*'],
    ],
    [['get', '--device', '@ga'], ['@gate3']],
    [['get', '--device=@ni'], ['--device=@night']],
    [['get', '--user', 'S'], ['Service']],
    [['get', '--at'], ['--at-once']],
    [['users', 'en'], ['enable']],
    [['users', 'enable', 'Auth'], ['AuthorizedClient']],
    [['devices', 'remove', 'gat'], ['gate3']],
    [['completion', 'z'], ['zsh']],
    [['help', 'passwords'], ['passwords']],
    [['no-such-command', ''], []],
  ])('%j: %j', (words, expected) => {
    expect(after(...words)).toEqual(expected);
  });

  test('a read-only variable is no candidate of set, and one of get', () => {
    expect(after('set', 'SerialN')).toEqual([]);
    expect(after('get', 'SerialN')).toEqual(['SerialNumber']);
  });

  test('a file is one where a command takes a file', () => {
    expect(candidates(table, ['restore', ''], names)).toMatchObject({ paths: 'file' });
    expect(candidates(table, ['get', '--password-file', ''], names)).toMatchObject({ paths: 'file' });
  });
});

/** Completes a line in bash, as for a user: returns the candidates for the last word. */
function inBash(line: string): readonly string[] {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'bin'));
  symlinkSync(bin, join(folder, 'bin', 'azimuth'));
  writeFileSync(join(folder, 'devices.yaml'), 'devices:\n  hall/north: { url: http://127.0.0.1:1 }\n', {
    mode: 0o600,
  });
  const program = `
    source <(azimuth completion bash)
    COMP_LINE=${JSON.stringify(line)} COMP_POINT=\${#COMP_LINE}
    # As readline splits a line: at blanks, and at = : @, which are words of their own.
    read -ra COMP_WORDS <<< "$(sed -E 's/([=:@]+)/ \\1 /g' <<< "$COMP_LINE")"
    [[ $COMP_LINE == *" " ]] && COMP_WORDS+=("")
    COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
    _azimuth
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-c', program], {
    encoding: 'utf8',
    env: {
      ...process.env,
      PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter),
      AZIMUTH_DEVICES: join(folder, 'devices.yaml'),
    },
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return stdout.split('\n').filter((word) => word !== '');
}

describe.skipIf(spawnSync('bash', ['--version']).error !== undefined)('bash completes', () => {
  test.each([
    ['azimuth ge', ['get']],
    ['azimuth get LocationN', ['LocationName']],
    ['azimuth set EtherAddressingMode ', ['TX_IP_STATIC', 'TX_IP_DHCP']],
    // Bash replaces only the text after the = or the @.
    ['azimuth set ScanDataEthSettings Protocol=U', ['UDP']],
    ['azimuth get @hall/n', ['hall/north']],
  ])('%s', (line, offered) => {
    expect(inBash(line)).toEqual(offered);
  });
});

describe('azimuth completion', () => {
  test('without a shell asks for it', async () => {
    const { stderr, exitCode } = await azimuth('completion');
    expect(stderr).toContain('azimuth completion bash|zsh|fish');
    expect(exitCode).toBe(2);
  });

  test('prints nothing on stderr for a broken devices file: a shell would show it in the line', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'devices.yaml'), 'devices: [', { mode: 0o600 });
    vi.stubEnv('AZIMUTH_DEVICES', join(folder, 'devices.yaml'));
    const { stdout, stderr, status } = spawnSync(process.execPath, [bin, 'complete', 'get', '@'], {
      encoding: 'utf8',
    });
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    expect(stdout).toBe('');
  });
});

test.skipIf(process.platform === 'win32')('a pipe in place of the devices file lets no shell wait', () => {
  const pipe = join(temporaryFolder(), 'devices.yaml');
  spawnSync('mkfifo', [pipe]);
  vi.stubEnv('AZIMUTH_DEVICES', pipe);
  const { status } = spawnSync(process.execPath, [bin, 'complete', 'get', '@'], { timeout: 20_000 });
  expect(status).toBe(0);
});

describe('azimuth help', () => {
  test.each([
    [['help', 'passwords'], /^passwords: /],
    [['help', 'users', 'enable'], /^Usage: azimuth users enable/],
    [['help', 'exit-codes'], / {2}74 {2}/],
    [['help'], /Topics of azimuth help:/],
  ])('%j', async (argv, text) => {
    const { stdout, exitCode } = await azimuth(...argv);
    expect(stdout).toMatch(text);
    expect(exitCode).toBe(0);
  });

  test.each([
    [['help', 'pasword'], /there is no command or topic "pasword"; did you mean password\?/],
    [['help', 'users', 'enabel'], /azimuth users has no subcommand "enabel"; did you mean enable\?/],
    [['help', 'LocationName'], /azimuth describe LocationName/],
  ])('%j is told in one line, with exit code 2', async (argv, line) => {
    const { stderr, exitCode } = await azimuth(...argv);
    expect(stderr).toMatch(line);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(exitCode).toBe(2);
  });
});
