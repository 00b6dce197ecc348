import { readFile } from 'node:fs/promises'
import { type Changelog, type ContractChange, changelog } from '../../registry/service/changelog.ts'
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
      ...[...Map.groupBy(data, ({ releasedOn }) => monthOf(releasedOn))].flatMap(([month, releases]) => [
        `## ${month}`,
        ...releases.flatMap(releaseParts),
      ]),
    ],
  }
}

type Release = Changelog['data'][number]

function releaseParts({ version, releasedOn, summary, changes }: Release): string[] {
  return [`### ${version}, ${releasedOn}`, summary, actionOf(changes), changes.map(lineOf).join('\n')]
}

/** Only breaking changes and deprecations require an action of an integrator. */
function actionOf(changes: Release['changes']): string {
  const breaking = changes.filter(({ isBreaking }) => isBreaking)
  const deprecated = changes.filter(({ kind, isBreaking }) => kind === 'deprecated' && !isBreaking)
  if (breaking.length + deprecated.length === 0) return 'Required action: none. Every change is compatible.'
  const adapt = breaking.map((change) => `- Before the upgrade, adapt your program: ${change.what}`)
  const replace = deprecated.map(
    (change) => `- Within twelve months, stop using the deprecated feature: ${change.what}`,
  )
  return ['Required actions:', '', ...adapt, ...replace].join('\n')
}

function monthOf(day: string): string {
  return new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(day))
}

function lineOf({ kind, isBreaking, subject, what }: ContractChange): string {
  const operation = operations.find(({ id }) => id === subject)
  const about = operation === undefined ? '' : ` (${link(operation.id, operationPath(operation))})`
  return `- **${kind}**${isBreaking ? ' (breaking)' : ''}: ${what}${about}`
}
