// Whether this version of Node is new enough. Old ones have to understand this file: it has no syntax of today.

/**
 * What to say to somebody whose Node is too old; undefined if it is new enough. As `engines` in package.json says.
 * @param version for example `20.19.1`
 */
function refusalOf(version) {
  const parts = version.split('.').map(Number);
  const major = parts[0];
  const minor = parts[1];
  const patch = parts[2];
  // The HTTP parser of older ones can be deceived about where a request ends (CVE-2025-23167).
  const isOld20 = major === 20 && (minor < 19 || (minor === 19 && patch < 2));
  const isOld22 = major === 22 && minor < 12;
  if (major >= 20 && major !== 21 && major !== 23 && !isOld20 && !isOld22) return undefined;
  return `Azimuth needs Node 20.19.2, 22.12, 24 or newer; this is ${version}.`;
}

module.exports = { refusalOf };
