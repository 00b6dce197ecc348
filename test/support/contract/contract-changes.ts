import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { changesBetween } from '../../../scripts/release/changes.ts'
import { parseDocument } from '../../../scripts/release/document.ts'

const text = await readFile(new URL('../../../openapi.json', import.meta.url), 'utf8')

// biome-ignore lint/suspicious/noExplicitAny: only the change knows the type of the part that it edits.
export type Loose = any

/** The date of the checked release (`on`), and the date of the previous release (`lastOn`). */
const days = { on: '2027-12-01', lastOn: '2027-11-01' }

/** Returns the result of the compatibility check for the API contract with one change. */
export async function changesAfter(
  change: (document: Loose) => void,
  before: (document: Loose) => void = () => undefined,
) {
  const base: Loose = JSON.parse(text)
  before(base)
  const revision = structuredClone(base)
  change(revision)
  return changesBetween(parseDocument(JSON.stringify(base)), parseDocument(JSON.stringify(revision)), days)
}

export interface Case {
  readonly change: (document: Loose) => void
  readonly expected: object
}

/**
 * Checks a group of contract changes in one run, because the external tools take long to start. Each change is in a
 * different part of the document.
 */
export function changesAfterAll(cases: Readonly<Record<string, Case>>, before?: (document: Loose) => void) {
  return changesAfter((document) => {
    for (const { change } of Object.values(cases)) change(document)
  }, before)
}

export function deprecate(operation: Loose, mark: { readonly since: string; readonly sunset?: string }): void {
  operation.deprecated = true
  operation['x-deprecation'] = { ...mark, advice: 'Call another.' }
}

export function schema(document: Loose, name: string): Loose {
  return document.components.schemas[name]
}

export function neverNull({ properties }: Loose, name: string): void {
  properties[name] = properties[name].anyOf.find(({ type }: Loose) => type !== 'null')
}

export function containing(what: string) {
  return { what: expect.stringContaining(what) }
}
