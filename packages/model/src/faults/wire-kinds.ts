import { statuses } from '../envelope.js';
import type { Members } from './member.js';

/** Occasion of a fault: see `occasions`. */
export type Occasion =
  | 'request'
  | 'excess'
  | 'message'
  | 'telegram'
  | 'answer'
  | 'datagram'
  | 'scan'
  | 'save'
  | 'boot'
  | 'begin';

/** Kind of fault, as data. */
export interface FaultDeclaration {
  readonly occasion: Occasion;
  /** Effect of the fault, as a sentence. */
  readonly text: string;
  readonly members: Members;
}

/** Longest delay in ms. */
const longestDelay = 60_000;

const endpoint = {
  endpoint: {
    type: 'text',
    longest: 200,
    default: '*',
    text: 'name under `/api/`, name with `x/`, or path; `*` at its end stands for anything. The simulation at `/x/sim` is never affected',
  },
  method: { type: 'choice', choices: ['GET', 'POST', 'any'], default: 'any', text: 'HTTP method' },
} as const satisfies Members;

const handled = {
  handled: {
    type: 'switch',
    default: false,
    text: 'whether the request is carried out before its answer gets lost',
  },
} as const satisfies Members;

const codes = Object.values(statuses).map(({ code }) => code);

/** Faults of HTTP and HTTPS. */
export const httpKinds = {
  'http-latency': {
    occasion: 'request',
    text: 'Requests wait before they are handled.',
    members: {
      latency: {
        type: 'number',
        unit: 'ms',
        least: 0,
        most: longestDelay,
        default: 200,
        text: 'how long',
      },
      jitter: {
        type: 'number',
        unit: 'ms',
        least: 0,
        most: longestDelay,
        default: 0,
        text: 'a random time up to this is added',
      },
      ...endpoint,
    },
  },
  'http-status': {
    occasion: 'request',
    text: 'Requests are refused with a status of the interface, and are not carried out.',
    members: {
      status: {
        type: 'number',
        integer: true,
        least: 1,
        most: Math.max(...codes),
        default: statuses.internalServerError.code,
        text: '`header.status`',
      },
      httpStatus: {
        type: 'number',
        integer: true,
        least: 200,
        most: 599,
        default: 200,
        text: 'HTTP status of the refusal',
      },
      ...endpoint,
    },
  },
  'http-429': {
    occasion: 'request',
    text: 'Requests are refused as too many: HTTP 429, status 11 and `Retry-After`.',
    members: {
      retryAfter: {
        type: 'number',
        unit: 's',
        integer: true,
        least: 1,
        most: 3600,
        default: 1,
        text: '`Retry-After`',
      },
      ...endpoint,
    },
  },
  'http-silence': {
    occasion: 'excess',
    text: 'After too many requests of all clients together, requests are read and not answered until some time has passed, as some devices behave. Their connections stay open.',
    members: {
      requests: {
        type: 'number',
        integer: true,
        least: 1,
        most: 10_000,
        default: 20,
        text: 'so many are answered within the time of `within`',
      },
      within: {
        type: 'number',
        unit: 'ms',
        least: 1,
        most: longestDelay,
        default: 1000,
        text: 'the time in which requests are counted',
      },
      silence: {
        type: 'number',
        unit: 'ms',
        least: 1,
        most: 3_600_000,
        default: 10_000,
        text: 'how long nothing is answered, from the first request on that is one too many',
      },
      ...endpoint,
    },
  },
  'http-truncated': {
    occasion: 'request',
    text: 'Requests are carried out. Their replies break off: the connection is closed in the middle of the body.',
    members: {
      bytes: {
        type: 'number',
        unit: 'bytes',
        integer: true,
        least: 0,
        most: 1_000_000_000,
        default: 10,
        text: 'how much of the body is sent; never all of it',
      },
      ...endpoint,
    },
  },
  'http-reset': {
    occasion: 'request',
    text: 'The connection is reset (RST) in place of a reply.',
    members: { ...handled, ...endpoint },
  },
  'http-half-open': {
    occasion: 'request',
    text: 'Requests are read and never answered. The connection stays open.',
    members: { ...handled, ...endpoint },
  },
  'http-slow-body': {
    occasion: 'request',
    text: 'Requests are carried out. The bodies of their replies come slowly, ten pieces a second.',
    members: {
      rate: {
        type: 'number',
        unit: 'bytes/s',
        integer: true,
        least: 1,
        most: 1_000_000_000,
        default: 100,
        text: 'how fast',
      },
      ...endpoint,
    },
  },
} as const satisfies Readonly<Record<string, FaultDeclaration>>;

const path = {
  path: {
    type: 'choice',
    choices: ['events', 'changes', 'scan', 'any'],
    default: 'any',
    text: 'which connections: those for events (`/apievents`), for all changes (`/x/events`) or for live scans (`/x/scan`)',
  },
} as const satisfies Members;

/** Faults of events over WebSockets. */
export const eventKinds = {
  'events-drop': {
    occasion: 'message',
    text: 'The connection is lost, in place of a message.',
    members: {
      how: {
        type: 'choice',
        choices: ['close', 'reset'],
        default: 'reset',
        text: '`close`: as a program that ends; `reset`: with RST',
      },
      ...path,
    },
  },
  'events-stall': {
    occasion: 'message',
    text: 'The connection stands still: this message and the later ones wait, and then come in their order. Limits as for a client that does not read.',
    members: {
      stall: {
        type: 'number',
        unit: 'ms',
        least: 1,
        most: longestDelay,
        default: 1000,
        text: 'how long',
      },
      ...path,
    },
  },
  'events-reorder': {
    occasion: 'message',
    text: 'The message is sent behind the next one of its connection.',
    members: {
      wait: {
        type: 'number',
        unit: 'ms',
        least: 1,
        most: longestDelay,
        default: 1000,
        text: 'if no other message comes, it is sent after this time',
      },
      ...path,
    },
  },
} as const satisfies Readonly<Record<string, FaultDeclaration>>;

const telegram = {
  contains: {
    type: 'text',
    longest: 100,
    default: '*',
    text: 'only telegrams that contain this text, for example `LMDscandata`; `*` for all',
  },
} as const satisfies Members;

/** Faults of the legacy protocol. */
export const legacyKinds = {
  'legacy-garble': {
    occasion: 'telegram',
    text: 'One byte of the telegram is wrong, between its frame.',
    members: telegram,
  },
  'legacy-no-end': {
    occasion: 'telegram',
    text: 'The last byte of the telegram is missing: ETX, or the checksum of the binary framing.',
    members: telegram,
  },
  'legacy-sfa': {
    occasion: 'answer',
    text: 'The request is answered `sFA` with an error code, and is not carried out.',
    members: {
      code: {
        type: 'number',
        integer: true,
        least: 1,
        most: 0xffff,
        default: 0x14,
        text: 'error code in decimal; 20 is an internal error (`sFA 14`)',
      },
      ...telegram,
    },
  },
} as const satisfies Readonly<Record<string, FaultDeclaration>>;

const stream = {
  stream: {
    type: 'choice',
    choices: ['scan', 'imu', 'encoder', 'any'],
    default: 'any',
    text: 'which data stream',
  },
} as const satisfies Members;

/** Faults of the data streams, over UDP and TCP. */
export const streamKinds = {
  'stream-loss': {
    occasion: 'datagram',
    text: 'The telegram is lost: the receiver sees a gap in the numbers.',
    members: stream,
  },
  'stream-burst-loss': {
    occasion: 'datagram',
    text: 'Several telegrams in a row are lost. While they are, no further occasion counts.',
    members: {
      length: {
        type: 'number',
        unit: 'telegrams',
        integer: true,
        least: 1,
        most: 1_000_000,
        default: 10,
        text: 'how many',
      },
      ...stream,
    },
  },
  'stream-duplicate': {
    occasion: 'datagram',
    text: 'The telegram comes more than once.',
    members: {
      copies: {
        type: 'number',
        integer: true,
        least: 1,
        most: 10,
        default: 1,
        text: 'how often in addition',
      },
      ...stream,
    },
  },
  'stream-reorder': {
    occasion: 'datagram',
    text: 'The telegram is sent behind later ones of its stream.',
    members: {
      behind: {
        type: 'number',
        unit: 'telegrams',
        integer: true,
        least: 1,
        most: 100,
        default: 1,
        text: 'behind how many',
      },
      ...stream,
    },
  },
  'stream-corrupt': {
    occasion: 'datagram',
    text: 'Some bytes of the telegram are wrong, anywhere in it. Its checksum is that of the right ones.',
    members: {
      bytes: {
        type: 'number',
        unit: 'bytes',
        integer: true,
        least: 1,
        most: 1000,
        default: 1,
        text: 'how many',
      },
      ...stream,
    },
  },
  'stream-crc': {
    occasion: 'datagram',
    text: 'The checksum at the end of the telegram is wrong; all else is right.',
    members: stream,
  },
  'stream-jitter': {
    occasion: 'datagram',
    text: 'The telegram comes later, by a random time. Telegrams may overtake each other.',
    members: {
      jitter: {
        type: 'number',
        unit: 'ms',
        least: 0,
        most: 10_000,
        default: 20,
        text: 'a random time up to this',
      },
      delay: {
        type: 'number',
        unit: 'ms',
        least: 0,
        most: 10_000,
        default: 0,
        text: 'a constant time in addition',
      },
      ...stream,
    },
  },
  'stream-silence': {
    occasion: 'datagram',
    text: 'Nothing is sent, and nothing is counted: there is no gap in the numbers afterwards.',
    members: stream,
  },
  'stream-gone': {
    occasion: 'datagram',
    text: 'The destination is gone: the telegram counts as refused in metrics and log. Over TCP, clients lose their connections.',
    members: stream,
  },
} as const satisfies Readonly<Record<string, FaultDeclaration>>;
