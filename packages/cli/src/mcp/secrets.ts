/** Names of variables of the environment whose values are secrets. */
const secretName = /^AZIMUTH_\w*(?:PASSWORD|PASSPHRASE|KEY|SECRET|TOKEN)|^PGPASSWORD$/;

/** Shorter secrets are not searched for in texts: they are part of many words. */
const shortestFound = 4;

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the environment without secrets: a command that only reads never knows a password. */
export function withoutSecrets(environment: Environment): Environment {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !secretName.test(name) || name === 'PGPASSWORD'),
  );
}

/** A password in a URL. The length of a scheme is limited: otherwise the time to search a long word grows with its square. */
const passwordInUrl = /(\b[a-z][a-z\d+.-]{0,30}:\/\/[^\s/@:"']*):[^\s/@"']+@/gi;

/** Returns a function that removes from texts the secrets of an environment, and passwords in URLs. */
export function secretFilter(environment: Environment): (text: string) => string {
  const forms = Object.entries(environment)
    .filter(([name]) => secretName.test(name))
    .flatMap(([, value = '']) => [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)])
    .filter((form) => form.length >= shortestFound)
    // A longer one may contain a shorter one.
    .sort((one, other) => other.length - one.length);
  return (text) =>
    forms.reduce((rest, form) => rest.replaceAll(form, '…'), text).replaceAll(passwordInUrl, '$1:…@');
}
