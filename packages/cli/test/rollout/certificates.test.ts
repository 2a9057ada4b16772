import { X509Certificate } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { bundleOf, issue } from '@azimuth/test-support/certificates';
import { describe, expect, test } from 'vitest';
import { presented, requirePresented } from '../../src/certificates/handshake.js';
import { azimuth } from '../run.js';
import { calls, type Hall, startHall } from './hall.js';

/** Starts scanners with an authority in the folder `ca`. */
async function hallWithAuthority(count: number): Promise<Hall> {
  const hall = await startHall(count);
  expect((await azimuth('certificate', 'authority', hall.at('ca'))).exitCode).toBe(0);
  return hall;
}

function renew(hall: Hall, ...more: readonly string[]) {
  const authority = ['--ca-key', hall.at('ca/ca.key'), '--ca-cert', hall.at('ca/ca.pem')];
  const words = ['certificate', 'renew', '@hall/*', '--yes'];
  return azimuth(...words, ...(more.includes('--from') ? [] : authority), ...more);
}

const steps = (hall: Hall) => ['--rolling', '1', '--health', 'none', '--journal', hall.at('run.jsonl')];

/** What each scanner shows to a client that trusts the authority. */
function shown({ scanners, at }: Hall) {
  const authorities = [readFileSync(at('ca/ca.pem'), 'utf8')];
  return Promise.all(
    scanners.map(({ ports }) => presented({ host: '127.0.0.1', port: ports.https ?? 0 }, authorities)),
  );
}

const fingerprints = async (hall: Hall) =>
  (await shown(hall)).map((each) => each?.certificate.fingerprint256);

/** Gives a scanner a certificate that ends in so many days. */
async function setCertificate(hall: Hall, index: number, days: number): Promise<void> {
  const leaf = issue({ until: new Date(Date.now() + (days + 0.5) * 86_400_000) });
  const { contentCertificateBundle, contentPrivateKey } = bundleOf([leaf]);
  await hall.scanners[index]?.client.setCertificates({
    certificates: contentCertificateBundle,
    privateKey: contentPrivateKey,
  });
}

describe('azimuth certificate authority', () => {
  test('makes a key that only its owner can read, and never replaces it', async () => {
    const hall = await hallWithAuthority(1);
    expect(statSync(hall.at('ca/ca.key')).mode & 0o777).toBe(0o600);
    const certificate = new X509Certificate(readFileSync(hall.at('ca/ca.pem')));
    expect(certificate.ca && certificate.verify(certificate.publicKey)).toBe(true);
    const before = readFileSync(hall.at('ca/ca.key'), 'utf8');
    expect(await azimuth('certificate', 'authority', hall.at('ca'))).toMatchObject({
      stderr: expect.stringContaining('an authority is never replaced'),
      exitCode: 1,
    });
    expect(readFileSync(hall.at('ca/ca.key'), 'utf8')).toBe(before);
  });
});

describe('azimuth certificate renew', () => {
  test('gives each scanner a certificate that clients of the authority accept', async () => {
    const hall = await hallWithAuthority(3);
    const { stdout, stderr, exitCode } = await renew(hall, ...steps(hall));
    expect({ exitCode, stdout, stderr }).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(
        /^(hall\/gate[123] {2}renewed \(no certificate\), valid until \S+\n){3}$/,
      ),
    });
    for (const each of await shown(hall)) {
      expect(each?.refusal).toBeUndefined();
      expect(each?.certificate.subjectAltName).toBe('IP Address:127.0.0.1');
    }
  });

  test('renews only what ends soon, and all with --all', async () => {
    const hall = await hallWithAuthority(3);
    await setCertificate(hall, 0, 10);
    await setCertificate(hall, 1, 50);
    const before = await fingerprints(hall);
    expect((await renew(hall)).stdout).toMatch(
      /gate1 {2}renewed \(10 days left\).*\n.*gate2 {2}50 days left: left as it is\n.*gate3 {2}renewed \(no/,
    );
    const after = await fingerprints(hall);
    expect(after.map((each, index) => each === before[index])).toEqual([false, true, false]);
    expect((await renew(hall, '--below', '5')).exitCode).toBe(0);
    expect(await fingerprints(hall)).toEqual(after);
    expect((await renew(hall, '--all')).exitCode).toBe(0);
    expect((await fingerprints(hall)).some((each, index) => each === after[index])).toBe(false);
  });

  test('refuses what would be renewed again each time, and names that are none', async () => {
    const hall = await hallWithAuthority(1);
    const ending = issue({ name: 'Old', ca: true, until: new Date(Date.now() + 20.5 * 86_400_000) });
    writeFileSync(hall.at('old.pem'), ending.certificate);
    writeFileSync(hall.at('old.key'), ending.keys.privateKey.export({ format: 'pem', type: 'pkcs8' }), {
      mode: 0o600,
    });
    const words = ['certificate', 'renew', '@hall/*', '--yes', '--ca-cert', hall.at('old.pem')];
    expect(await azimuth(...words, '--ca-key', hall.at('old.key'))).toMatchObject({
      stderr: expect.stringContaining('expected more than the 30 days of --below'),
      exitCode: 2,
    });
    expect((await azimuth(...words, '--ca-key', hall.at('old.key'), '--below', '20')).exitCode).toBe(2);
    expect((await renew(hall, '--days', '30')).stderr).toContain('--days 30 is not more than --below 30');
    expect(await renew(hall, '--name', 'gate 1.local')).toMatchObject({
      stderr: expect.stringContaining('expected a host name or an address, got "gate 1.local"'),
      exitCode: 2,
    });
    expect(calls(hall, 'setCertificateBundle')).toEqual([0]);
    expect((await renew(hall, '--name', 'süd.local', '--name', '{scanner}.local')).exitCode).toBe(0);
    const [only] = await shown(hall);
    expect(only?.certificate.subjectAltName).toBe(
      'IP Address:127.0.0.1, DNS:xn--sd-xka.local, DNS:hall-gate1.local',
    );
  });

  test('looks at the certificate of a scanner in doubt before it is renewed again', async () => {
    const hall = await hallWithAuthority(2);
    await renew(hall, ...steps(hall));
    const before = await fingerprints(hall);
    const lines = readFileSync(hall.at('run.jsonl'), 'utf8').split('\n');
    writeFileSync(hall.at('run.jsonl'), `${lines.slice(0, 3).join('\n')}\n`);
    const resumed = ['--rolling', '1', '--resume', hall.at('run.jsonl'), '--all'];
    expect((await renew(hall, ...resumed)).stderr).toContain('hall/gate1: was done already');
    const after = await fingerprints(hall);
    expect([after[0] === before[0], after[1] === before[1]]).toEqual([true, false]);
    expect((await shown(hall)).map((each) => each?.refusal)).toEqual([undefined, undefined]);
  });

  test('takes certificates from a folder, and leaves the old one if the new one is refused', async () => {
    const hall = await startHall(2);
    mkdirSync(hall.at('new'));
    const root = issue({ name: 'The root', ca: true });
    writeFileSync(hall.at('root.pem'), root.certificate);
    for (const number of [1, 2]) {
      const leaf = issue({
        issuer: root,
        names: ['127.0.0.1'],
        until: new Date(Date.now() + 90 * 86_400_000),
      });
      const bundle = bundleOf([leaf]);
      writeFileSync(hall.at(`new/hall-gate${number}.pem`), bundle.contentCertificateBundle);
      // The second key is of another certificate.
      writeFileSync(
        hall.at(`new/hall-gate${number}.key`),
        number === 1 ? bundle.contentPrivateKey : bundleOf([issue()]).contentPrivateKey,
      );
    }
    await setCertificate(hall, 1, 10);
    const [, before] = await Promise.all(
      hall.scanners.map(({ ports }) => presented({ host: '127.0.0.1', port: ports.https ?? 0 })),
    );
    const { stderr, exitCode } = await renew(
      hall,
      '--from',
      hall.at('new'),
      '--ca-cert',
      hall.at('root.pem'),
    );
    expect(exitCode).toBe(1);
    expect(stderr).toContain('hall/gate2: setCertificateBundle');
    const [first, second] = await Promise.all(
      hall.scanners.map(({ ports }) =>
        presented({ host: '127.0.0.1', port: ports.https ?? 0 }, [root.certificate]),
      ),
    );
    expect(first?.refusal).toBeUndefined();
    expect(second?.certificate.fingerprint256).toBe(before?.certificate.fingerprint256);
  });

  test('is not done while a handshake does not show the new certificate, or clients refuse it', async () => {
    const hall = await startHall(1);
    const place = { host: '127.0.0.1', port: hall.scanners[0]?.ports.https ?? 0 };
    const other = new X509Certificate(issue().certificate);
    await expect(requirePresented(place, other, undefined, 0)).rejects.toThrow('nothing speaks TLS there');
    await setCertificate(hall, 0, 10);
    await expect(requirePresented(place, other, undefined, 0)).rejects.toThrow(
      'it shows the one with the finger',
    );
    const own = await presented(place);
    if (own === undefined) throw new Error('the scanner shows no certificate');
    await expect(requirePresented(place, own.certificate, undefined, 0)).rejects.toThrow(
      'clients refuse it: DEPTH_ZERO_SELF_SIGNED_CERT',
    );
  });

  test('sends no private key over HTTP without a yes, and uses no key that others can read', async () => {
    const hall = await hallWithAuthority(1);
    const words = ['certificate', 'renew', '@hall/*', '--ca-key', hall.at('ca/ca.key')];
    const { stderr, exitCode } = await azimuth(...words, '--ca-cert', hall.at('ca/ca.pem'));
    expect({ stderr, exitCode }).toEqual({
      stderr: expect.stringMatching(/the private key of hall\/gate1 would go over HTTP: .* give --yes\n$/),
      exitCode: 2,
    });
    chmodSync(hall.at('ca/ca.key'), 0o644);
    expect((await renew(hall)).stderr).toContain('the key of an authority: run chmod 600 on it');
    expect(calls(hall, 'setCertificateBundle')).toEqual([0]);
  });
});

test('azimuth certificate show is a table for several, and says by its exit code what ends soon', async () => {
  const hall = await startHall(3);
  await setCertificate(hall, 0, 50);
  await setCertificate(hall, 1, 10);
  const { stdout, exitCode } = await azimuth('certificate', 'show', '@*', '--below', '30');
  const lines = stdout.split('\n');
  expect(exitCode).toBe(5);
  expect(lines[0]).toMatch(/^SCANNER +HTTPS +DAYS +UNTIL +SUBJECT$/);
  expect(lines[1]).toMatch(/^hall\/gate2 +open +10 +\d{4}-\d\d-\d\d +/);
  expect(lines[2]).toMatch(/^hall\/gate1 +open +50 /);
  expect(lines[3]).toMatch(/^hall\/gate3 +closed +- +- +-$/);
  expect((await azimuth('certificate', 'show', '@*', '--below', '5')).exitCode).toBe(0);
});
