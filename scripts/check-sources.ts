import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * What no type and no import rule can see: that the outside world is touched in one place each, and that
 * every path the prose names exists.
 */

interface Reserved {
  readonly what: string
  readonly pattern: RegExp
  readonly only: readonly string[]
}

/** They run in other people's programs, which have no clock and no chance of ours. */
const receiver = 'src/receiver/verify-webhook.ts'
const client = ['src/client/attempt.ts', 'src/client/commerce.ts', 'src/client/retry.ts']

const reserved: readonly Reserved[] = [
  { what: 'process.env', pattern: /process\.env/, only: ['src/base/config.ts'] },
  { what: 'the system’s time', pattern: /Date\.now|new Date\(\)/, only: ['src/base/clock.ts', receiver] },
  {
    what: 'randomness',
    pattern: /Math\.random|randomBytes|randomUUID|getRandomValues/,
    only: ['src/base/ids.ts', ...client],
  },
  // The command line’s receiver hands deliveries on to the developer’s own loopback address.
  { what: 'outbound HTTP', pattern: /(?<![.\w])fetch\((?!request: )/, only: ['src/cli/receiver.ts', ...client] },
]

const documents = ['README.md', 'CHANGELOG.md']

const faults: string[] = []

for (const path of [...sourcesIn('registry'), ...sourcesIn('src')]) {
  const text = readFileSync(path, 'utf8')
  for (const { what, pattern, only } of reserved) {
    const line = text.split('\n').findIndex((each) => pattern.test(each) && !/^\s*(\*|\/\/|\/\*)/.test(each))
    if (line >= 0 && !only.includes(path)) faults.push(`${path}:${line + 1} uses ${what}; only ${only.join(', ')} may.`)
  }
}

for (const document of documents) {
  for (const [, path = ''] of readFileSync(document, 'utf8').matchAll(
    /`((?:registry|src|scripts|test|generated|\.ci)\/[^`*\s]*)`/g,
  )) {
    if (!existsSync(path)) faults.push(`${document} names ${path}, which does not exist.`)
  }
}

for (const fault of faults) console.error(fault)
console.log(faults.length === 0 ? 'Sources and documents keep the house rules.' : `${faults.length} fault(s).`)
process.exitCode = faults.length === 0 ? 0 : 1

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => path.endsWith('.ts'))
    .sort()
}
