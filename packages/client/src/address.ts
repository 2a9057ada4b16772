/**
 * The address of a scanner as requests need it, without a slash at its end: `http://192.168.0.1`. A bare host gets
 * `http://`; the base URL of the specification, with `/api`, means the same scanner.
 * @throws TypeError where the text is no address of a web server, or carries a password.
 */
export function scannerAddress(text: string): URL {
  const url = parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (url === undefined) throw new TypeError(`"${text}" is no URL of a scanner`);
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('the URL of a scanner must not hold a user or a password');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TypeError(`the URL of a scanner begins with http:// or https://, "${text}" came`);
  }
  url.pathname = url.pathname.replace(/\/+$/, '').replace(/\/api$/, '');
  url.search = '';
  url.hash = '';
  return url;
}

function parse(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
