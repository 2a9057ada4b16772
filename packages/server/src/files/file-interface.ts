import type { IncomingMessage, ServerResponse } from 'node:http';
import { Fault, type FileEndpoint, type Status } from '@azimuth/model';
import { refuse } from '../http/reply.js';

/**
 * File transfers under `/api/`. None is built yet: a verb that the file has is answered HTTP 501, which no device
 * does, so that nobody takes it for one; any other verb is status 5. Returns the status.
 */
export function answerFile(file: FileEndpoint, request: IncomingMessage, response: ServerResponse): Status {
  request.resume();
  if (file.verbs.some((verb) => verb === request.method)) {
    const fault = new Fault('internalServerError', '', `${file.name} is not built yet (group ${file.group})`);
    refuse(response, fault, 501);
    return fault.status;
  }
  const expected = file.verbs.join(', ');
  const fault = new Fault('notFound', '', `${file.name} is a file: ${expected} only, not ${request.method}`);
  refuse(response, fault);
  return fault.status;
}
