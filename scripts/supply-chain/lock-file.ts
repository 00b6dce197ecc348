import { readFile } from 'node:fs/promises'
import { z } from 'zod'

/** The parts of package-lock.json, version 3, that decide what npm installs. */
const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      integrity: z.string().optional(),
      resolved: z.string().optional(),
      link: z.boolean().optional(),
      hasInstallScript: z.boolean().optional(),
      dev: z.boolean().optional(),
      optional: z.boolean().optional(),
    }),
  ),
})

type Entry = z.infer<typeof lockFile>['packages'][string]

/**
 * The exact form of a SHA-512 hash in base64. Weaker hashes are rejected. Lists of hashes are rejected too, because one
 * matching hash of a list would suffice.
 */
const strongHash = /^sha512-[A-Za-z0-9+/]{86}==$/

/**
 * Decisions about packages, by the names of the packages. The decisions come from package.json and from the list of
 * exceptions.
 */
export interface Decisions {
  /** The field `allowScripts` of package.json: whether the install script of a package may run. */
  readonly scripts: Readonly<Record<string, boolean>>
  /** The reasons why optional development packages have no hash. */
  readonly unhashed: Readonly<Record<string, string>>
}

export async function readDecisions(): Promise<Decisions> {
  const { allowScripts } = JSON.parse(await readFile('package.json', 'utf8'))
  const unhashed = JSON.parse(await readFile('scripts/config/lock-file-exceptions.json', 'utf8'))
  return decisions.parse({ scripts: allowScripts, unhashed })
}

const decisions = z.object({
  scripts: z.record(z.string(), z.boolean()),
  unhashed: z.record(z.string(), z.string()),
})

/**
 * Returns the faults of a lock file: packages without a strong hash, packages from another registry than that of npm's
 * configuration, install scripts that package.json neither allows nor refuses, and exceptions that no package needs.
 */
export function faultsOfLockFile(text: string, decided: Decisions): readonly string[] {
  const { packages } = lockFile.parse(JSON.parse(text))
  const entries = Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, entry]) => [path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length), entry] as const)
  const needed = new Set(entries.filter(([, entry]) => !isHashed(entry)).map(([name]) => name))
  return [
    ...entries.flatMap(([name, entry]) => faultsOfEntry(name, entry, decided)),
    ...Object.keys(decided.unhashed)
      .filter((name) => !needed.has(name))
      .map((name) => `No package needs the exception of ${name}: remove it.`),
  ]
}

function faultsOfEntry(name: string, entry: Entry, { scripts, unhashed }: Decisions): string[] {
  if (entry.link === true) return [`${name} is a link to a folder.`]
  const isExcepted = Object.hasOwn(unhashed, name) && entry.dev === true && entry.optional === true
  return [
    ...(isHashed(entry) || isExcepted ? [] : [`${name} has no SHA-512 hash.`]),
    // If the lock file names no download address for a package, npm installs the version from its configured registry.
    ...(entry.resolved === undefined ? [] : [`${name} has the address ${entry.resolved}.`]),
    ...(entry.hasInstallScript === true && !Object.hasOwn(scripts, name)
      ? [`${name} has an install script that allowScripts in package.json neither allows nor refuses.`]
      : []),
  ]
}

function isHashed({ integrity, link }: Entry): boolean {
  return link === true || strongHash.test(integrity ?? '')
}
