/**
 * The path of a request target, without its query, with percent-encoded letters decoded. A target in absolute form
 * counts as the path in it (RFC 9112 §3.2.2).
 */
export function pathOf(target: string): string {
  const path = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*\/?/i, '/');
  const query = path.indexOf('?');
  const asked = query < 0 ? path : path.slice(0, query);
  return asked.indexOf('%') < 0 ? asked : decoded(asked);
}

/** Once, and as a whole (RFC 3986 §2.4). An encoded slash parts nothing: a path with one stays as it came. */
function decoded(path: string): string {
  if (/%2f/i.test(path)) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
