import { createServer } from 'node:net';
import { chain, keyPem } from '@azimuth/test-support/certificates';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type MailOptions, MailOutput } from '../../../src/outputs/mail/mail-output.js';
import { ManualClock } from '../manual-clock.js';
import { basics, condition, expectNoSecrets, until } from '../outputs-of-tests.js';
import { type SmtpOptions, SmtpServer } from './smtp-server.js';

const usual = { from: 'azimuth@example.org', to: ['operator@example.org', 'night@example.org'] };

async function mailing(options: SmtpOptions = {}, more: Partial<MailOptions> = {}) {
  const server = new SmtpServer(options);
  const port = await server.listen();
  const { options: common, reports } = basics('mail');
  const output = new MailOutput({ ...common, ...usual, url: `smtp://127.0.0.1:${port}`, ...more });
  onTestFinished(() => output.close(0));
  return { server, output, reports, port };
}

const bodyOf = (mail: string | undefined) => mail?.split('\r\n\r\n').slice(1).join('\r\n\r\n') ?? '';
const headerOf = (mail: string | undefined, name: string) =>
  new RegExp(`^${name}: (.*(?:\r\n\\s.*)*)`, 'mi').exec(mail ?? '')?.[1]?.replaceAll(/\r\n\s/g, ' ');

describe('a mail', () => {
  test('has all entries of a minute', async () => {
    const clock = new ManualClock();
    const { server, output } = await mailing({}, { clock });
    output.accept(condition({ text: 'first', scanner: 'gate1' }));
    await clock.advance(30_000);
    output.accept(condition({ text: 'second', scanner: 'gate2' }));
    expect(output.counts).toEqual({ delivered: 0, lost: 0, waiting: 2 });
    await clock.advance(29_999);
    expect(server.mails).toEqual([]);
    await clock.advance(1);
    await until(() => expect(output.counts).toEqual({ delivered: 2, lost: 0, waiting: 0 }));
    expect(server.mails).toHaveLength(1);
    const [mail] = server.mails;
    expect(bodyOf(mail)).toBe(
      [
        '2026-06-01T12:30:15Z  gate1: Is too warm: first',
        '2026-06-01T12:30:15Z  gate2: Is too warm: second',
        '',
        '-- ',
        'azimuth monitor',
        '',
      ]
        .join('\r\n')
        .trimEnd(),
    );
    expect(headerOf(mail, 'Subject')).toBe('2 entries: gate1, gate2');
    expect(headerOf(mail, 'Auto-Submitted')).toBe('auto-generated');
    expect(headerOf(mail, 'Content-Type')).toMatch(/^text\/plain/);
    expect(server.commands.filter((line) => line.startsWith('RCPT'))).toEqual([
      'RCPT TO:<operator@example.org>',
      'RCPT TO:<night@example.org>',
    ]);
  });

  test('of one entry has what it says as subject', async () => {
    const { server, output } = await mailing();
    output.accept(condition({ text: 'hot' }));
    await until(() => expect(server.mails).toHaveLength(1));
    expect(headerOf(server.mails[0], 'Subject')).toBe('hall-a/gate1: Is too warm: hot');
  });

  test('cannot be forged by texts of a scanner', async () => {
    const { server, output } = await mailing();
    const text = 'x\r\nBcc: thief@example.org\r\n\r\n.\r\nQUIT\r\n';
    output.accept(condition({ text, scanner: 'a\r\nBcc: thief@example.org' }));
    await until(() => expect(server.mails).toHaveLength(1));
    const [head = ''] = server.mails[0]?.split('\r\n\r\n') ?? [];
    expect(head).not.toMatch(/^Bcc:/im);
    expect(server.commands.join('\n')).not.toContain('thief');
  });

  test('is sent when the monitor ends, without waiting for the minute', async () => {
    const clock = new ManualClock();
    const { server, output } = await mailing({}, { clock });
    output.accept(condition());
    await output.close(5000);
    expect(server.mails).toHaveLength(1);
  });

  test('is sent again with the same id when the server is back', async () => {
    const { server, output, port } = await mailing({ responses: { '.': '451 Later' } });
    output.accept(condition());
    await until(() => expect(server.mails.length).toBeGreaterThan(1));
    await server.close();
    const again = new SmtpServer();
    await again.listen(port);
    await until(() => expect(again.mails).toHaveLength(1));
    const ids = [...server.mails, ...again.mails].map((mail) => headerOf(mail, 'Message-ID'));
    expect(new Set(ids).size).toBe(1);
  });
});

describe('a server', () => {
  const [leaf, authority] = chain(2, { names: ['127.0.0.1'] });
  const tls = leaf && { cert: leaf.certificate, key: keyPem(leaf.keys) };
  const login = { user: 'azimuth', password: 'S3CRET' };

  test('gets the password over TLS', async () => {
    const ca = authority?.certificate;
    const { server, output } = await mailing({ tls, password: 'S3CRET' }, { ...login, ca });
    output.accept(condition());
    await until(() => expect(server.mails).toHaveLength(1));
    const words = server.commands.map((line) => line.split(' ', 1)[0]);
    expect(words.indexOf('STARTTLS')).toBeLessThan(words.indexOf('AUTH'));
  });

  test('without TLS gets no password', async () => {
    const { server, output, reports } = await mailing({ password: 'S3CRET' }, login);
    output.accept(condition());
    await until(() => expect(reports.join()).toContain('mail cannot send'));
    expect(server.commands.join()).not.toContain('AUTH');
    expect(server.mails).toEqual([]);
  });

  test('that is not trusted gets nothing', async () => {
    const { server, output, reports } = await mailing({ tls, password: 'S3CRET' }, login);
    output.accept(condition());
    await until(() => expect(reports.join()).toMatch(/mail cannot send: .*certificate/));
    expect(server.commands.join()).not.toContain('AUTH');
  });

  test('that refuses the login is left alone for a quarter of an hour, and its words are not repeated', async () => {
    const clock = new ManualClock();
    const ca = authority?.certificate;
    const { server, output, reports } = await mailing({ tls, password: 'another' }, { ...login, ca, clock });
    output.accept(condition());
    await clock.advance(60_000);
    await until(() => expect(reports).toEqual(['mail cannot send: the server refuses the login (SMTP 535)']));
    const attempts = () => server.commands.filter((line) => line.startsWith('AUTH')).length;
    await clock.advance(14 * 60_000);
    expect(attempts()).toBe(1);
    await clock.advance(60_000);
    await until(() => expect(attempts()).toBe(2));
    expectNoSecrets(reports, 'S3CRET');
  });

  test('that refuses the recipients loses the mail, and it is counted', async () => {
    const { output, reports } = await mailing({ responses: { RCPT: '550 S3CRET' } });
    output.accept(condition());
    await until(() => expect(output.counts.lost).toBe(1));
    expect(reports).toEqual(['mail cannot send: the server refuses the mail (SMTP 550)']);
  });

  test('that says nothing does not stop the end of the monitor', async () => {
    const silent = createServer();
    silent.listen(0, '127.0.0.1');
    onTestFinished(() => {
      silent.close();
    });
    await until(() => expect(silent.listening).toBe(true));
    const address = silent.address();
    if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
    const { output } = await mailing({}, { url: `smtp://127.0.0.1:${address.port}` });
    output.accept(condition());
    await output.close(200);
    expect(output.counts).toEqual({ delivered: 0, lost: 1, waiting: 0 });
  });
});
