import type { FileEndpoint, FileTransfer } from '@azimuth/model';
import type { NaturalForm, Row } from '../natural-form.js';

/** What a file takes and gives, verb by verb. */
export function fileRows({ verbs, facts }: FileEndpoint): Row[] {
  return verbs.map((verb): Row => [verb, transferForm(facts.verbs[verb])]);
}

function transferForm(transfer: FileTransfer | undefined): NaturalForm {
  if (transfer === undefined) return 'no';
  const { accepts, part, maxBytes, produces, query, tokenSince, text } = transfer;
  return [
    ['what', text],
    ...stated('query', query?.join(', ')),
    ...stated('accepts', accepts?.join(', ')),
    ...stated('part', part === undefined ? undefined : `${part} (of multipart/form-data)`),
    ...stated('limit', maxBytes === undefined ? undefined : spokenSize(maxBytes)),
    ...stated('produces', produces),
    ['token', tokenSince === undefined ? 'none' : `X-Session-Token, from ${tokenSince} on`],
  ];
}

const mebibyte = 1024 * 1024;

function spokenSize(bytes: number): string {
  return bytes % mebibyte === 0 ? `${bytes / mebibyte} MiB` : `${bytes} bytes`;
}

/** A row for what is stated, and none for what is not. */
export function stated(name: string, fact: string | undefined): Row[] {
  return fact === undefined ? [] : [[name, fact]];
}
