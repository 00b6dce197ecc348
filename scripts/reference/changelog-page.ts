import { readFile } from 'node:fs/promises'
import { type ContractChange, changelog } from '../../registry/service/changelog.ts'
import { operationPath, operations } from './contract.ts'
import { code, link } from './markdown.ts'
import type { Page } from './page.ts'

/** Returns the changelog page, with the same content as `GET /changelog`. */
export async function changelogPage(): Promise<Page> {
  const text = await readFile(new URL('../../generated/released/changelog.json', import.meta.url), 'utf8')
  const { data } = changelog.parse(JSON.parse(text))
  return {
    path: 'changelog',
    title: 'Changelog',
    summary: 'The API changes of each release.',
    kind: 'page',
    words: ['changes releases versions', ...data.map(({ version }) => version)],
    parts: [
      `${code('GET /api/v1/changelog')} returns the same list. Breaking changes affect only beta features and deprecated features after their sunset.`,
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
