import type { ContractChange } from '../../registry/service/changelog.ts'
import { type Document, describedIn } from './document.ts'

/** The first number is in the path and never moves within /api/v1: what breaks waits for /api/v2. */
export function versionAfter(version: string, changes: readonly ContractChange[]): string {
  const [first = 0, second = 0, third = 0] = version.split('.').map(Number)
  const isMore = changes.some(({ kind }) => kind !== 'changed' && kind !== 'removed')
  return isMore ? `${first}.${second + 1}.0` : `${first}.${second}.${third + 1}`
}

/** The changes as a list for people. */
export function listOf(changes: readonly ContractChange[]): string {
  return changes.map(({ kind, isBreaking, what }) => `- ${kind}${isBreaking ? ' (breaking)' : ''}: ${what}`).join('\n')
}

/** Before the first release there was nothing. */
export function firstChanges(document: Document): ContractChange[] {
  return describedIn(document).map(({ name, place }) => ({
    kind: 'added',
    isBreaking: false,
    subject: name,
    what: `${place}.`,
  }))
}

const unreleased = '## Unreleased\n'

/** CHANGELOG.md once what was unreleased is released: the hand-written part stays, and the derived list ends it. */
export function withRelease(
  text: string,
  {
    version,
    on,
    changes,
  }: { readonly version: string; readonly on: string; readonly changes: readonly ContractChange[] },
): string {
  const [before, after] = text.split(unreleased)
  if (before === undefined || after === undefined) throw new Error('CHANGELOG.md has no section of what is unreleased.')
  const next = after.search(/^## /m)
  const own = (next < 0 ? after : after.slice(0, next)).trim()
  const older = next < 0 ? '' : `\n${after.slice(next)}`
  return `${before}${unreleased}\n## ${version}, ${on}\n\n${own}\n\n### Contract\n\n${listOf(changes)}\n${older}`
}
