import { readFileSync } from 'node:fs'

interface VendorExample {
  /** The URL at which the vendor publishes the example. */
  readonly source: string
  // biome-ignore lint/suspicious/noExplicitAny: the payload of a vendor may have any form.
  readonly body: any
}

/**
 * Returns an example payload as the vendor publishes it, so that an adapter and its fake server cannot both contain the
 * same wrong assumption.
 */
export function vendorExample(name: string): VendorExample {
  return JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8'))
}
