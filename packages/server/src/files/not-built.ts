import { Fault } from '@azimuth/model';
import { refuse } from '../http/reply.js';
import type { Transfer } from './transfer.js';

/** HTTP 501, which no device answers, so that nobody takes it for one. */
export async function answerNotBuilt({ file, request, response }: Transfer): Promise<void> {
  request.resume();
  refuse(
    response,
    new Fault('internalServerError', '', `${file.name} is not built yet (group ${file.group})`),
    501,
  );
}
