import { statuses } from '@azimuth/model';
import { JsonBody } from '../http/reply.js';

const okHeader = JSON.stringify({ status: statuses.ok.code, message: statuses.ok.message });

/** A successful reply: the header, and what `content` adds beside it (`data` or `challenge`). */
export function successBody(content: Readonly<Record<string, unknown>> = {}): JsonBody {
  const members = JSON.stringify(content).slice(1);
  return new JsonBody(`{"header":${okHeader}${members === '}' ? '' : ','}${members}`);
}
