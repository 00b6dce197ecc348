/**
 * The product names that identify a browser and its system in a User-Agent header. More specific names come first,
 * because the header also contains general ones.
 */
const browsers = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['SamsungBrowser', 'Samsung Internet'],
  ['Firefox', 'Firefox'],
  ['FxiOS', 'Firefox'],
  ['CriOS', 'Chrome'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const

const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const

/** Returns the name of a browser by its User-Agent header, such as `Chrome on Android`. Users recognise their browsers by it. */
export function browserName(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown browser'
  const nameIn = (names: readonly (readonly [product: string, name: string])[]) =>
    names.find(([product]) => userAgent.includes(product))?.[1]
  const [browser, system] = [nameIn(browsers), nameIn(systems)]
  if (browser === undefined) return userAgent
  return system === undefined ? browser : `${browser} on ${system}`
}
