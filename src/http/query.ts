import type { Problem } from '../../registry/error-body.ts'
import { textProblems } from './validate.ts'

export interface Query {
  readonly values: Readonly<Record<string, string>>
  readonly problems: readonly Problem[]
}

const none: Query = { values: {}, problems: [] }

/** The query of a URL. A parameter sent twice is a mistake on one side or the other, so it is never silently dropped. */
export function queryOf(url: string): Query {
  const start = url.indexOf('?')
  if (start < 0) return none
  const end = url.indexOf('#', start)
  const values: Record<string, string> = Object.create(null)
  const problems: Problem[] = []
  for (const [name, value] of new URLSearchParams(url.slice(start + 1, end < 0 ? undefined : end))) {
    if (Object.hasOwn(values, name)) {
      problems.push({
        path: `query.${name.slice(0, 60)}`,
        code: 'duplicate',
        message: 'Is sent more than once.',
        fix: 'Send it once; separate several values by commas where the parameter takes them.',
      })
    }
    values[name] = value
  }
  return { values, problems: [...problems, ...textProblems('query', values)] }
}
