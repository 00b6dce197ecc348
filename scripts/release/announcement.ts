import type { ContractChange } from '../../registry/service/changelog.ts'
import { type Document, describedIn } from './document.ts'

/** The first number of the version never changes within /api/v1. */
export function versionAfter(version: string, changes: readonly ContractChange[]): string {
  const [first = 0, second = 0, third = 0] = version.split('.').map(Number)
  const hasAdditions = changes.some(({ kind }) => kind !== 'changed' && kind !== 'removed')
  return hasAdditions ? `${first}.${second + 1}.0` : `${first}.${second}.${third + 1}`
}

export function listOf(changes: readonly ContractChange[]): string {
  return changes.map(({ kind, isBreaking, what }) => `- ${kind}${isBreaking ? ' (breaking)' : ''}: ${what}`).join('\n')
}

export function firstChanges(document: Document): ContractChange[] {
  return describedIn(document).map(({ name, place }) => ({
    kind: 'added',
    isBreaking: false,
    subject: name,
    what: `${place}.`,
  }))
}

const unreleased = '## Unreleased\n'

/**
 * Returns the text before and after the section of unreleased changes in CHANGELOG.md, and this section itself without
 * the blank lines around it.
 */
function partsOf(text: string): { readonly before: string; readonly own: string; readonly older: string } {
  const [before, after] = text.split(unreleased)
  if (before === undefined || after === undefined) throw new Error('CHANGELOG.md has no "Unreleased" section.')
  const next = after.search(/^## /m)
  const own = (next < 0 ? after : after.slice(0, next)).trim()
  return { before, own, older: next < 0 ? '' : `\n${after.slice(next)}` }
}

export function isNothingUnreleased(text: string): boolean {
  return partsOf(text).own === ''
}

/**
 * Returns CHANGELOG.md with the "Unreleased" section moved under the new version, followed by the derived list of
 * changes of the contract, if there are any.
 */
export function withRelease(
  text: string,
  {
    version,
    on,
    changes,
  }: { readonly version: string; readonly on: string; readonly changes: readonly ContractChange[] },
): string {
  const { before, own, older } = partsOf(text)
  const sections = [
    `## ${version}, ${on}`,
    own,
    ...(changes.length === 0 ? [] : [`### Contract\n\n${listOf(changes)}`]),
  ]
  return `${before}${unreleased}\n${sections.join('\n\n')}\n${older}`
}
