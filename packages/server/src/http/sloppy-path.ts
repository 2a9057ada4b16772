const root = 'api';

/**
 * The name that a path of the interface means which is not written as it should be: with doubled slashes, dots, capital
 * letters in `/API`, encoded slashes or one at the end. Empty where it means none, undefined for a path beside `/api`.
 */
export function nameMeant(path: string): string | undefined {
  const [first, ...others] = segmentsOf(path);
  return first?.toLowerCase() === root ? others.join('/') : undefined;
}

/** RFC 3986 §5.2.4, with empty segments taken away. */
function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  for (const segment of withoutCodes(path).split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments;
}

/** Also where `decodeURIComponent` would give up. */
function withoutCodes(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
}
