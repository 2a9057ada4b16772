/**
 * The path of a request target, without its query. A target in absolute form counts as the path in it (RFC 9112
 * §3.2.2).
 */
export function pathOf(target: string): string {
  const path = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*\/?/i, '/');
  const query = path.indexOf('?');
  return query < 0 ? path : path.slice(0, query);
}
