import { describe, expect, test } from 'vitest';
import { commandTable } from '../../src/all-commands.js';
import { commandWords, InputRefusal, longestStandardInput, shellLine } from '../../src/mcp/command-words.js';
import { toolDefinitions } from '../../src/mcp/tool-definitions.js';

const tools = await toolDefinitions(commandTable);
const defaults = { device: 'http://10.0.0.7', control: 'http://127.0.0.1:9000' };

function made(name: string, inputs: unknown) {
  const tool = tools.get(name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  return commandWords(tool, inputs, defaults);
}

describe('a call', () => {
  test.each([
    ['doctor', undefined, 'azimuth doctor --json --device=http://10.0.0.7'],
    [
      'get',
      { name: ['Ether*', 'x/time'], device: '@hall/*' },
      "azimuth get --json '--device=@hall/*' -- 'Ether*' x/time",
    ],
    [
      'get',
      { all: true, device: ['@a', 'http://b'] },
      'azimuth get --json --all --device=@a --device=http://b',
    ],
    ['scan', { range: 10 }, 'azimuth scan --png=- --range=10 --device=http://10.0.0.7'],
    ['timing', {}, 'azimuth timing --json --for=10s --device=http://10.0.0.7'],
    ['diff', { side: ['@a', 'factory'], device: '@a' }, 'azimuth diff --json --device=@a -- @a factory'],
    [
      'sim',
      { action: 'contamination', arguments: [0.4], options: { sector: 3 } },
      'azimuth sim contamination --json --sector=3 --control=http://127.0.0.1:9000 -- 0.4',
    ],
    [
      'set',
      { name: 'LocationName', value: ["It's", 'Gate 3'] },
      "azimuth set --json --yes --device=http://10.0.0.7 -- LocationName 'It'\\''s' 'Gate 3'",
    ],
  ])('of %s with %j is one command line', (name, inputs, line) => {
    expect(shellLine(made(name, inputs).words)).toBe(line);
  });

  test('puts each value where it can be no option, whatever it is', () => {
    for (const value of [
      '--password-file=/etc/shadow',
      '-',
      '--',
      '@all',
      '--device',
      'file:///etc/passwd',
    ]) {
      const { words } = made('set', { name: 'LocationName', value: [value] });
      const end = words.indexOf('--');
      expect(words.slice(end)).toEqual(['--', 'LocationName', value]);
      expect(words.slice(0, end)).toEqual(['set', '--json', '--yes', '--device=http://10.0.0.7']);
    }
  });

  test('goes to all scanners that are named by default', () => {
    const tool = tools.get('doctor');
    if (tool === undefined) throw new Error('there is no tool doctor');
    const { words } = commandWords(tool, {}, { device: ['@gate1', 'http://10.0.0.8'] });
    expect(words).toEqual(['doctor', '--json', '--device=@gate1', '--device=http://10.0.0.8']);
  });

  test('passes points as standard input, and not as a word', () => {
    const { words, standardInput } = made('truth', { points: 'x,y\n1,2\n' });
    expect(standardInput).toBe('x,y\n1,2\n');
    expect(words).toEqual(['truth', '--json', '--points=-', '--control=http://127.0.0.1:9000']);
  });
});

describe('an input is refused', () => {
  test.each([
    ['get', { name: '--all' }],
    ['get', { name: '-' }],
    ['get', { name: ['LocationName', '@hall/*'] }],
    ['get', { device: 'file:///etc/passwd' }],
    ['get', { device: '/dev/tty' }],
    ['get', { device: 'http://user:secret@10.0.0.1' }],
    ['get', { device: '--password-file=x' }],
    ['get', { device: 'http://a b' }],
    ['get', { device: '@a\n@b' }],
    ['get', { passwordFile: '/etc/shadow' }],
    ['get', { 'password-file': '/etc/shadow' }],
    ['get', { all: 'yes' }],
    ['get', { name: [{}] }],
    ['get', { name: Array.from({ length: 101 }, () => 'A') }],
    ['get', 'LocationName'],
    ['get', []],
    ['diff', { side: ['/etc/passwd'] }],
    ['diff', { side: ['backup.json'] }],
    ['scan', { png: '/tmp/x.png' }],
    ['scan', { aim: true }],
    ['scan', { range: '1 --png=/tmp/x' }],
    ['log', { log: '/var/log' }],
    ['log', { store: 'postgres://db' }],
    ['discover', { setAddress: '00:06:77:0a:1b:2c=dhcp' }],
    ['discover', { add: 'hall' }],
    ['truth', {}],
    ['truth', { points: 7 }],
    ['truth', { points: 'x'.repeat(longestStandardInput + 1) }],
    ['set', { name: 'LocationName', value: 'a\nb' }],
    ['set', { name: 'LocationName', value: 'a\u202eb' }],
    ['set', { name: 'LocationName', value: '\ud800' }],
    ['set', { name: 'LocationName', value: 'a\u3164b' }],
    ['set', { name: 'LocationName', value: 'a\u2800b' }],
    ['set', { name: 'LocationName', value: `a${' '.repeat(4)}b` }],
    ['set', { name: 'LocationName', value: `a${'\u00a0 '.repeat(2)}b` }],
    ['set', { name: 'LocationName', value: 'x'.repeat(9000) }],
    ['set', { name: 'LocationName', yes: true }],
    ['set', { name: 'LocationName', user: 'root' }],
    ['call', { method: '../x' }],
    ['sim', {}],
    ['sim', { action: 'plug', arguments: ['in', '/'] }],
    ['sim', { action: 'scene', arguments: ['/etc/passwd'] }],
    ['sim', { action: 'advance', arguments: ['1s'], options: { json: true } }],
    ['sim', { action: 'advance', options: { control: 'http://10.0.0.1' } }],
    ['sim', { action: 'advance', options: { measure: 'yes' } }],
    ['sim_fault_add', { action: 'load', arguments: ['/etc/passwd'] }],
    ['sim_status', { control: 'https://u:p@10.0.0.1' }],
  ])('by %s: %j', (name, inputs) => {
    expect(() => made(name, inputs)).toThrow(InputRefusal);
  });
});
