import { readFile } from 'node:fs/promises'
import { type ContractChange, changelog } from '../../registry/service/changelog.ts'
import { operationPath, operations } from './contract.ts'
import { code, link } from './markdown.ts'
import type { Page } from './page.ts'

/** What each release has changed, as `GET /changelog` tells it. */
export async function changelogPage(): Promise<Page> {
  const text = await readFile(new URL('../../generated/released/changelog.json', import.meta.url), 'utf8')
  const { data } = changelog.parse(JSON.parse(text))
  return {
    path: 'changelog',
    title: 'Changelog',
    summary: 'What each release has changed in the contract.',
    kind: 'page',
    words: ['changes releases versions', ...data.map(({ version }) => version)],
    parts: [
      `Programs read the same at ${code('GET /api/v1/changelog')}. Only what was beta, or deprecated until its sunset, may break.`,
      ...data.flatMap(({ version, releasedOn, summary, changes }) => [
        `## ${version}, ${releasedOn}`,
        summary,
        changes.map(lineOf).join('\n'),
      ]),
    ],
  }
}

function lineOf({ kind, isBreaking, subject, what }: ContractChange): string {
  const operation = operations.find(({ id }) => id === subject)
  const about = operation === undefined ? '' : ` (${link(operation.id, operationPath(operation))})`
  return `- **${kind}**${isBreaking ? ' (breaking)' : ''}: ${what}${about}`
}
