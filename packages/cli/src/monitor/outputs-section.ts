import { conditionKinds, entryKinds, mqttCommands, severities, syslogFacilities } from '@azimuth/monitor';
import { z } from 'zod';
import { members, text } from '../yaml/yaml-form.js';
import { scannerWords, urlOf, type ValueForms } from './section-forms.js';

const oneOf = <Name extends string>(names: readonly Name[]) =>
  z.enum(names, { error: `expected one of ${names.join(', ')}` });

/** Which entries an output gets: those that match all members. */
const only = members('expected severity, kinds, conditions or scanners', {
  severity: oneOf(severities).optional(),
  kinds: z.array(oneOf(entryKinds), { error: 'expected a list of kinds' }).min(1).optional(),
  conditions: z
    .array(oneOf(conditionKinds.map(({ id }) => id)), { error: 'expected a list of conditions' })
    .min(1)
    .optional(),
  scanners: scannerWords().optional(),
}).optional();

const flag = z.boolean({ error: 'expected true or false' });

/** A word of a topic: letters, digits, `-`, `_` and `/` between them. */
const topicPrefix = text.regex(/^[\w-]+(\/[\w-]+)*$/, {
  error: 'expected letters, digits, "-" and "_", with "/" between words, for example site/azimuth',
});

const mailAddress = text.regex(/^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/, {
  error: 'expected an address such as operator@example.org',
});

/** The forms of outputs by their kinds: each kind is a list, as there may be several of it. */
export function outputsSection({ path }: ValueForms) {
  const tls = { 'ca-file': path.optional() };
  const login = { user: text.optional(), 'password-file': path.optional() };
  const list = <Form extends z.ZodType>(form: Form) =>
    z.array(form, { error: 'expected a list of outputs, each with its members' }).optional();
  return members('expected syslog, webhook, mqtt or mail', {
    syslog: list(
      members('expected at least url', {
        url: urlOf(['udp', 'tcp', 'tls'], 'tls://logs.example.org:6514'),
        facility: oneOf(syslogFacilities).optional(),
        ...tls,
        only,
      }),
    ),
    webhook: list(
      members('expected at least url or url-file', {
        url: urlOf(['https', 'http'], 'https://ntfy.example.org/scanners').optional(),
        'url-file': path.optional(),
        'secret-file': path.optional(),
        'token-file': path.optional(),
        ...tls,
        only,
      }).refine((webhook) => (webhook.url === undefined) !== (webhook['url-file'] === undefined), {
        error: 'expected url or url-file, one of them',
      }),
    ),
    mqtt: list(
      members('expected at least url', {
        url: urlOf(['mqtts', 'mqtt'], 'mqtts://broker.example.org:8883'),
        prefix: topicPrefix.optional(),
        'home-assistant': flag.optional(),
        commands: z.array(oneOf(mqttCommands), { error: 'expected a list of commands' }).optional(),
        ...login,
        ...tls,
        only,
      }).refine(isWholeLogin, { error: 'expected user and password-file, both or none' }),
    ),
    mail: list(
      members('expected at least url, from and to', {
        url: urlOf(['smtps', 'smtp'], 'smtps://mail.example.org'),
        from: mailAddress,
        to: z.array(mailAddress, { error: 'expected a list of addresses' }).min(1),
        ...login,
        ...tls,
        only,
      }).refine(isWholeLogin, { error: 'expected user and password-file, both or none' }),
    ),
  });
}

function isWholeLogin(output: {
  readonly user?: string | undefined;
  readonly 'password-file'?: string | undefined;
}): boolean {
  return (output.user === undefined) === (output['password-file'] === undefined);
}

/** The outputs of a monitor file. */
export type OutputsContent = z.output<ReturnType<typeof outputsSection>>;
