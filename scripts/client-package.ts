import { readFile } from 'node:fs/promises'
import { contractVersion } from '../registry/values/version.ts'

/** The client’s package.json. A release moves its version: the client is the contract’s types and little else. */
export async function clientPackage(): Promise<string> {
  const text = await readFile(new URL('../src/client/package.json', import.meta.url), 'utf8')
  return `${JSON.stringify({ ...JSON.parse(text), version: contractVersion }, null, 2)}\n`
}
