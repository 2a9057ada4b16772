import { Fault } from '@azimuth/model';

/** How often a value may have been percent-encoded; more than this is nothing that a client sends in good faith. */
const mostEncodings = 4;

const parameter = 'filePath';

/**
 * The file that a request asks for: the query parameter filePath.
 * @throws Fault 1 where it is missing, 2 where it is there twice or leads out of the folder, however it is encoded.
 */
export function filePathOf(target: string): string {
  const query = target.indexOf('?');
  const values = new URLSearchParams(query < 0 ? '' : target.slice(query)).getAll(parameter);
  const [path = '', ...more] = values;
  if (path === '') throw new Fault('parsingFailed', parameter, 'missing');
  if (more.length > 0) throw new Fault('invalidData', parameter, 'there twice');
  for (const form of formsOf(path)) refuseToLeave(form);
  return path;
}

/** The value as it came, and as it would read decoded once more, and once more than that. */
function formsOf(path: string): string[] {
  const forms = [path];
  for (let form = decoded(path); form !== forms.at(-1); form = decoded(form)) {
    if (forms.length === mostEncodings) throw new Fault('invalidData', parameter, 'encoded again and again');
    forms.push(form);
  }
  return forms;
}

/** Every escape by itself: one that is none must not shield the others from being looked at. */
function decoded(text: string): string {
  return text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** A file of no folder, or of one beside ours; a name that the system would cut short; bytes that are no text. */
function refuseToLeave(path: string): void {
  if (/[\p{Cc}\uFFFD]/u.test(path)) throw new Fault('invalidData', parameter, 'characters that no name has');
  if (/^[/\\]/.test(path) || /^[a-z][a-z0-9+.-]*:/i.test(path)) {
    throw new Fault('invalidData', parameter, 'an absolute path leads out of the folder');
  }
  if (path.split(/[/\\]/).includes('..')) {
    throw new Fault('invalidData', parameter, 'this path leads out of the folder');
  }
}
