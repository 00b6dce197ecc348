import { readFile } from 'node:fs/promises'
import { contractVersion } from '../../registry/values/version.ts'

/** The package version is the contract version, because the client contains the types of the contract. */
export async function clientPackage(): Promise<string> {
  const text = await readFile(new URL('../../src/client/package.json', import.meta.url), 'utf8')
  return `${JSON.stringify({ ...JSON.parse(text), version: contractVersion }, null, 2)}\n`
}
