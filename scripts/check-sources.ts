import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Checks rules that types and import rules cannot express. process.env, the system time, randomness and outbound HTTP
 * may each be used in one place only. All tests wait with the same function. The paths in the listed documents, the
 * targets of the links in the README, and the sections of the specification that comments cite must exist. No comment
 * may cite a numbered requirement of another document.
 */

interface Reserved {
  readonly what: string
  readonly pattern: RegExp
  readonly only: readonly string[]
}

/** Files that run in the programs of merchants. They cannot use the service's clock and random generator. */
const receiver = 'src/receiver/verify-webhook.ts'
const client = ['src/client/attempt.ts', 'src/client/commerce.ts', 'src/client/retry.ts']

const reserved: readonly Reserved[] = [
  { what: 'process.env', pattern: /process\.env/, only: ['src/base/config.ts'] },
  { what: 'the system clock', pattern: /Date\.now|new Date\(\)/, only: ['src/base/clock.ts', receiver] },
  {
    what: 'randomness',
    pattern: /Math\.random|randomBytes|randomUUID|getRandomValues/,
    only: ['src/base/ids.ts', ...client],
  },
  // The receiver of the command line is the only exception: it forwards deliveries to the developer’s loopback address.
  {
    what: 'outbound HTTP',
    pattern: /(?<![.\w])fetch\((?!request: )/,
    only: ['src/cli/webhooks/receiver.ts', ...client],
  },
]

/**
 * Forbids the functions of Vitest that wait for a condition. Their default limit of one second is too short on a busy
 * machine.
 */
const reservedInTests: readonly Reserved[] = [
  { what: 'the wait of one second', pattern: /\bvi\.wait(For|Until)\(/, only: ['test/support/wait-for.ts'] },
]

const documents = [
  'README.md',
  'CHANGELOG.md',
  'registry/README.md',
  'registry/SPECIFICATION.md',
  'src/README.md',
  'src/RECIPES.md',
  ...guides(),
]

const faults: string[] = []

for (const path of [...sourcesIn('registry'), ...sourcesIn('src')]) checkReserved(path, reserved)
for (const path of sourcesIn('test')) checkReserved(path, reservedInTests)

function checkReserved(path: string, rules: readonly Reserved[]): void {
  const text = readFileSync(path, 'utf8')
  for (const { what, pattern, only } of rules) {
    const line = text.split('\n').findIndex((each) => pattern.test(each) && !/^\s*(\*|\/\/|\/\*)/.test(each))
    if (line >= 0 && !only.includes(path)) faults.push(`${path}:${line + 1} uses ${what}; only ${only.join(', ')} may.`)
  }
}

const specification = readFileSync('registry/SPECIFICATION.md', 'utf8')
const sections = [...specification.matchAll(/^##+ (\d+(?:\.\d+)?)\b/gm)].map(([, number]) => number)
for (const path of ['registry', 'src', 'scripts', 'test'].flatMap(sourcesIn)) {
  const text = readFileSync(path, 'utf8')
  for (const [cited, number] of text.matchAll(/\bspec (\d+(?:\.\d+)?)\b/g))
    if (!sections.includes(number))
      faults.push(`${path} cites ${cited}, which registry/SPECIFICATION.md does not have.`)
  for (const [cited] of text.matchAll(/\b(?:[Rr]equirement|[Ff]inding) [A-Z]\d+\b/g))
    faults.push(`${path} cites “${cited}”, which is outside of the repository.`)
}

for (const document of documents) {
  for (const [, path = ''] of readFileSync(document, 'utf8').matchAll(
    /`((?:registry|src|scripts|test|generated|\.ci)\/[^`*\s]*)`/g,
  )) {
    if (!existsSync(path)) faults.push(`${document} names ${path}, which does not exist.`)
  }
}

for (const [, target = ''] of readFileSync('README.md', 'utf8').matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)) {
  if (!existsSync(target)) faults.push(`README.md links to ${target}, which does not exist.`)
}

for (const fault of faults) console.error(fault)
console.log(faults.length === 0 ? 'Sources and documents follow the project rules.' : `${faults.length} violation(s).`)
process.exitCode = faults.length === 0 ? 0 : 1

function guides(): string[] {
  return readdirSync('registry/guides').map((name) => join('registry/guides', name))
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => path.endsWith('.ts'))
    .sort()
}
