import {
  type EntryFilter,
  isEntryKind,
  type Output,
  type OutputBasics,
  shortestSecret,
  syslogOutput,
  systemClock,
  webhookOutput,
  webhookSecret,
} from '@azimuth/monitor';
import { CommandFailure } from '../command-failure.js';
import { maxFileBytes, readTextFile } from '../input/bounded-file.js';
import { readSecret } from '../input/secrets.js';
import { commandRights } from './message-commands.js';
import type { MonitorPlan } from './monitor-plan.js';
import type { OutputsContent } from './outputs-section.js';

type Written<Kind extends keyof OutputsContent> = NonNullable<OutputsContent[Kind]>[number];

/** An output of the monitor file that is not open yet. */
export interface PlannedOutput {
  /** `syslog`, and `syslog-2` for the second one. */
  readonly name: string;
  /** Where it sends to, without secrets. */
  readonly address: string;
  /** Reads its secrets, and opens it. @throws CommandFailure if a file cannot be read */
  readonly open: (report: (text: string) => void, filter?: EntryFilter) => Promise<Output>;
}

/** Returns the outputs of the monitor file, in its order. */
export function plannedOutputs(plan: MonitorPlan): readonly PlannedOutput[] {
  const { syslog = [], webhook = [], mqtt = [], mail = [] } = plan.content.outputs ?? {};
  return [
    ...planned(plan, 'syslog', syslog, openSyslog),
    ...planned(plan, 'webhook', webhook, openWebhook),
    ...planned(plan, 'mqtt', mqtt, (content, basics) => openMqtt(content, basics, plan)),
    // Nobody reads a mail for each changed value.
    ...planned(plan, 'mail', mail.map(withConditionsAlone), openMail),
  ];
}

function planned<
  Content extends { readonly url?: string | undefined; readonly only?: Written<'syslog'>['only'] },
>(
  plan: MonitorPlan,
  kind: string,
  contents: readonly Content[],
  open: (content: Content, basics: OutputBasics) => Promise<Output>,
): readonly PlannedOutput[] {
  return contents.map((content, index) => {
    const name = index === 0 ? kind : `${kind}-${index + 1}`;
    return {
      name,
      address: content.url ?? 'the URL in its file',
      open: (report, filter = filterOf(content.only, plan)) =>
        open(content, { name, clock: systemClock, filter, report }),
    };
  });
}

function withConditionsAlone(mail: Written<'mail'>): Written<'mail'> {
  return { ...mail, only: { kinds: ['condition', 'monitor'], ...mail.only } };
}

function filterOf(only: Written<'syslog'>['only'], { names }: MonitorPlan): EntryFilter {
  const { severity, kinds, conditions, scanners } = only ?? {};
  const wanted = scanners && new Set(scanners.flatMap((word) => [...names.named(word)]));
  return {
    ...{ severity, kinds: kinds?.filter(isEntryKind), conditions },
    scanner: wanted && ((name) => wanted.has(name)),
  };
}

async function openSyslog(content: Written<'syslog'>, basics: OutputBasics): Promise<Output> {
  const { url, facility } = content;
  return syslogOutput({ ...basics, url, facility, ca: await authorities(content) });
}

async function openWebhook(content: Written<'webhook'>, basics: OutputBasics): Promise<Output> {
  const { 'url-file': urlFile, 'secret-file': secretFile, 'token-file': tokenFile } = content;
  const url = content.url ?? (await webhookUrl(urlFile ?? ''));
  return webhookOutput({
    ...{ ...basics, url, ca: await authorities(content) },
    secret: secretFile === undefined ? undefined : await signingSecret(secretFile),
    token: tokenFile === undefined ? undefined : await readSecret(tokenFile, 'webhook token'),
  });
}

async function webhookUrl(file: string): Promise<string> {
  const url = await readSecret(file, 'webhook URL');
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new CommandFailure(`the webhook URL file ${file}: expected one URL with https:// or http://`);
}

async function signingSecret(file: string): Promise<Buffer> {
  const secret = webhookSecret(await readSecret(file, 'webhook secret'));
  if (secret !== undefined) return secret;
  throw new CommandFailure(
    `the webhook secret file ${file}: expected at least ${shortestSecret} bytes, for example of openssl rand -base64 32`,
  );
}

async function openMqtt(content: Written<'mqtt'>, basics: OutputBasics, plan: MonitorPlan): Promise<Output> {
  const { url, prefix, commands = [], 'home-assistant': homeAssistant } = content;
  const { MqttOutput } = await import('@azimuth/monitor/mqtt');
  return new MqttOutput({
    ...{ ...basics, url, prefix, homeAssistant },
    ...{ ...(await login(content)), ca: await authorities(content) },
    commands: commands.length === 0 ? undefined : await commandRights(commands, plan.targets),
  });
}

async function openMail(content: Written<'mail'>, basics: OutputBasics): Promise<Output> {
  const { url, from, to } = content;
  const { MailOutput } = await import('@azimuth/monitor/mail');
  return new MailOutput({
    ...{ ...basics, url, from, to },
    ...{ ...(await login(content)), ca: await authorities(content) },
  });
}

async function login({ user, 'password-file': file }: Written<'mqtt'> | Written<'mail'>) {
  if (user === undefined || file === undefined) return {};
  return { user, password: await readSecret(file, 'password') };
}

async function authorities({
  'ca-file': file,
}: {
  readonly 'ca-file'?: string | undefined;
}): Promise<string | undefined> {
  return file === undefined ? undefined : readTextFile(file, { limit: maxFileBytes.pem });
}
