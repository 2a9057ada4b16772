import { type Status, statuses } from '@azimuth/model';
import { JsonBody } from '../http/json-body.js';

const okHeader = JSON.stringify({ status: statuses.ok.code, message: statuses.ok.message });

/** A successful reply: the header, and what `content` adds beside it (`data` or `challenge`). */
export function successBody(content: Readonly<Record<string, unknown>> = {}): JsonBody {
  const members = JSON.stringify(content).slice(1);
  return new JsonBody(`{"header":${okHeader}${members === '}' ? '' : ','}${members}`);
}

const failureBodies = new Map<Status, JsonBody>();

/** A failed reply: the header alone. */
export function failureBody(status: Status): JsonBody {
  let body = failureBodies.get(status);
  if (body === undefined) {
    const { code, message } = statuses[status];
    body = new JsonBody(JSON.stringify({ header: { status: code, message } }));
    failureBodies.set(status, body);
  }
  return body;
}

const longestDetail = 400;

/** A detail as a header can carry it: printable ASCII as it is, all else percent-encoded UTF-8. */
export function encodeDetail(detail: string): string {
  let encoded = '';
  for (const byte of Buffer.from(detail.slice(0, longestDetail))) {
    const plain = byte >= 0x20 && byte < 0x7f && byte !== 0x25;
    encoded += plain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded.trim();
}
