import type { LegacyStep } from '../../steps/index.js';
import { hexOf, type LegacyForm, legacyFrame } from '../../wire/legacy-frames.js';
import type { ConformanceCase } from '../case.js';
import { ask, binaryForm, type Form, forms, inBothForms, legacyCase, over, textForm } from './telegrams.js';

const place = 'guide: Legacy protocol, rules';
const ours = 'Azimuth: legacy protocol';

/** `sRN SCdevicestate`, and its answers 0, 1 and 2, byte by byte. */
const literal = {
  text: {
    request: '02 73 52 4E 20 53 43 64 65 76 69 63 65 73 74 61 74 65 03',
    answers: ['30', '31', '32'].map((digit) => `02735241205343646576696365737461746520${digit}03`),
  },
  binary: {
    request: '02 02 02 02 00 00 00 11 73 52 4E 20 53 43 64 65 76 69 63 65 73 74 61 74 65 30',
    answers: ['001F', '011E', '021D'].map(
      (end) => `0202020200000013735241205343646576696365737461746520${end}`,
    ),
  },
} as const;

/** Bytes that are sent, then what an answer to `sRN SCdevicestate` looks like. */
const answered = { answer: 'sRA SCdevicestate', gives: 'enum8' };

function framed(payload: string, form: LegacyForm): string {
  return hexOf(legacyFrame(Buffer.from(payload, 'latin1'), form));
}

const state = 'sRN SCdevicestate';
/** Its number is known before and does not change. */
const serial = { answer: 'sRA SerialNumber', gives: 'string' };

function sends(form: Form, bytes: string, expect: LegacyStep['expect'], options = {}): LegacyStep {
  return over(form, { bytes }, expect, options);
}

const frames: readonly ConformanceCase[] = forms.map((form) =>
  legacyCase({
    id: `frame.${form.form}`,
    clause:
      form.form === 'text'
        ? 'A text telegram is the byte 02, the text and the byte 03, in both directions.'
        : 'A binary telegram is 02 02 02 02, the number of bytes of the payload (4 bytes, big-endian), the payload, and the XOR of the payload, in both directions.',
    place,
    level: 'must',
    stage: 'read',
    steps: [sends(form, literal[form.form].request, { frame: { oneOf: literal[form.form].answers } })],
  }),
);

const bothForms: readonly ConformanceCase[] = [
  ...forms.map((form) => {
    const other = form === textForm ? binaryForm : textForm;
    return legacyCase({
      id: `frame.${other.form}-at-${form.interface}`,
      clause: `Interface ${form.interface} takes ${other.form} telegrams, too, and answers them in ${other.form}.`,
      place: ours,
      level: 'should',
      stage: 'read',
      steps: [ask(form, state, answered, undefined, { form: other.form })],
    });
  }),
  legacyCase({
    id: 'frame.mixed',
    clause: 'A connection may change between text and binary. Each answer has the form of its request.',
    place: ours,
    level: 'should',
    stage: 'read',
    steps: [
      ask(textForm, state, answered),
      ask(textForm, state, answered, undefined, { form: 'binary' }),
      ask(textForm, 'sRN SerialNumber', serial),
    ],
  }),
];

const streams: readonly ConformanceCase[] = [
  ...inBothForms((form) => ({
    id: 'stream.split',
    clause: 'A telegram may come in pieces, byte by byte.',
    place: 'family: TCP is a stream',
    level: 'must',
    stage: 'read',
    steps: pieces(framed(state, form.form)).map((piece, at, all) =>
      sends(form, piece, at === all.length - 1 ? answered : {}),
    ),
  })),
  ...inBothForms((form) => ({
    id: 'stream.joined',
    clause: 'Several telegrams may come in one piece. They are answered one after the other, in their order.',
    place: 'family: TCP is a stream',
    level: 'must',
    stage: 'read',
    steps: [
      sends(
        form,
        framed(state, form.form) + framed('sRN SerialNumber', form.form) + framed('sRN nothing', form.form),
        { ...answered, first: true },
      ),
      over(form, undefined, { ...serial, first: true }),
      over(form, undefined, { error: 3, first: true }),
    ],
  })),
  ...inBothForms((form) => ({
    id: 'stream.garbage',
    clause: 'Bytes that belong to no telegram are skipped up to the next 02.',
    place: 'family: framing',
    level: 'should',
    stage: 'read',
    steps: [sends(form, `00FF41420D0A03${framed(state, form.form)}`, { ...answered, first: true })],
  })),
  legacyCase({
    id: 'stream.text-without-end',
    clause: 'A text telegram without its 03 ends where the next one begins, and is not answered.',
    place: ours,
    level: 'should',
    stage: 'read',
    steps: [
      sends(textForm, `02${hexOf(Buffer.from('sRN SerialNumber'))}${framed(state, 'text')}`, {
        ...answered,
        first: true,
      }),
      over(textForm, undefined, { silence: 0 }),
    ],
  }),
  legacyCase({
    id: 'stream.wrong-check-byte',
    clause:
      'A binary telegram with a wrong check byte is not carried out, and answers error 5. The next one is answered.',
    place: ours,
    level: 'should',
    stage: 'read',
    steps: [
      sends(binaryForm, '02020202 00000011 73524E2053436465766963657374617465 31', { error: 5, first: true }),
      ask(binaryForm, 'sRN SerialNumber', { ...serial, first: true }),
    ],
  }),
  legacyCase({
    id: 'stream.length-too-small',
    clause: 'A binary telegram whose length is too small is not carried out. The next one is answered.',
    place: ours,
    level: 'should',
    stage: 'read',
    steps: [
      sends(binaryForm, '02020202 00000010 73524E2053436465766963657374617465 30', { error: 5, first: true }),
      ask(binaryForm, 'sRN SerialNumber', { ...serial, first: true }),
    ],
  }),
  legacyCase({
    id: 'stream.length-too-large',
    clause:
      'If the end of a binary telegram does not come within 2 s, the scanner answers error 8, and then the telegrams that came meanwhile.',
    place: ours,
    level: 'should',
    stage: 'read',
    steps: [
      sends(binaryForm, '02020202 00000100 73524E2053436465766963657374617465 30', {}),
      ask(binaryForm, 'sRN SerialNumber', {}),
      over(binaryForm, undefined, { error: 8, within: 3, first: true }),
      over(binaryForm, undefined, { ...serial, first: true }),
    ],
  }),
  legacyCase({
    id: 'stream.patience',
    clause: 'A binary telegram may take more than 1 s until it is complete.',
    place: ours,
    level: 'should',
    stage: 'read',
    steps: [
      sends(binaryForm, '02020202 00000011 73524E20', {}),
      { kind: 'pause', seconds: 1.5 },
      sends(binaryForm, '53436465766963657374617465 30', { ...answered, first: true }),
    ],
  }),
  legacyCase({
    id: 'stream.announced-too-long',
    clause:
      'A binary telegram of more than 64 KiB answers error 7 as soon as its length is known. The next one is answered.',
    place: ours,
    level: 'should',
    stage: 'read',
    steps: [
      sends(binaryForm, '02020202 00010001', { error: 7, first: true }),
      ask(binaryForm, 'sRN SerialNumber', { ...serial, first: true }),
    ],
  }),
  legacyCase({
    id: 'stream.empty.text',
    clause: 'A text telegram without any text answers error C.',
    place: ours,
    level: 'should',
    stage: 'read',
    steps: [sends(textForm, '02 03', { error: 0xc })],
  }),
  legacyCase({
    id: 'stream.empty.binary',
    clause: 'A binary telegram without a payload answers error C.',
    place: ours,
    level: 'should',
    stage: 'read',
    steps: [sends(binaryForm, '02020202 00000000 00', { error: 0xc })],
  }),
  ...inBothForms((form) => ({
    id: 'stream.half-closed',
    clause: 'A client that ends its sending direction still gets all answers. Then the connection is closed.',
    place: 'family: TCP is a stream',
    level: 'should',
    stage: 'read',
    steps: [
      sends(form, framed(state, form.form) + framed('sRN SerialNumber', form.form), {}),
      over(form, { end: true }, answered),
      over(form, undefined, serial),
      over(form, undefined, { closed: true }),
    ],
  })),
  ...(
    [
      ['http', 'a request line of HTTP', 'GET / HTTP/1.1\r\n\r\n'],
      [
        'http-post',
        'a POST of HTTP, whose body holds a telegram',
        'POST /x HTTP/1.1\r\n\r\n\x02sRN SCdevicestate\x03',
      ],
      ['tls', 'a TLS handshake', '\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00'],
    ] as const
  ).map(([id, words, bytes]) =>
    legacyCase({
      id: `stream.${id}`,
      clause: `A connection that begins with ${words} is closed: a web page could have made a browser send it.`,
      place: ours,
      level: 'should',
      stage: 'read',
      steps: [sends(textForm, hexOf(Buffer.from(bytes, 'latin1')), { closed: true })],
    }),
  ),
];

const words: readonly ConformanceCase[] = [
  legacyCase({
    id: 'words.blanks',
    clause: 'Several blanks between the words and the values of a text request count as one.',
    place: 'family: text telegrams',
    level: 'should',
    stage: 'read',
    steps: [ask(textForm, 'sRN   SCdevicestate', answered)],
  }),
  ...inBothForms((form) => ({
    id: 'words.blank-behind-name',
    clause: 'A blank behind the name of a read changes nothing.',
    place: 'family: clients send it',
    level: 'should',
    stage: 'read',
    steps: [sends(form, framed('sRN SCdevicestate ', form.form), answered)],
  })),
];

export const framingCases: readonly ConformanceCase[] = [...frames, ...bothForms, ...streams, ...words];

function pieces(hex: string): readonly string[] {
  return hex.match(/../g) ?? [];
}
