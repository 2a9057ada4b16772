import type { IncomingMessage, ServerResponse } from 'node:http';
import { Fault, type FileEndpoint } from '@azimuth/model';
import { refuse } from '../http/reply.js';

/**
 * File transfers under `/api/`. None is built yet: a verb that the file has is answered HTTP 501, which no device
 * does, so that nobody takes it for one; any other verb is status 5.
 */
export function answerFile(file: FileEndpoint, request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  if (file.verbs.some((verb) => verb === request.method)) {
    const fault = new Fault('internalServerError', '', `${file.name} is not built yet (group ${file.group})`);
    refuse(response, fault, 501);
    return;
  }
  const expected = file.verbs.join(', ');
  refuse(
    response,
    new Fault('notFound', '', `${file.name} is a file: ${expected} only, not ${request.method}`),
  );
}
