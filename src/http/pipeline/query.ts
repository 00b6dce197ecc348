import type { Endpoint } from '../../../registry/kit/endpoint.ts'
import type { Problem } from '../../../registry/kit/error-body.ts'
import { isListParameter } from '../../../registry/kit/query.ts'
import { textProblems } from '../../operations/execute/validate.ts'

export interface Query {
  readonly values: Readonly<Record<string, string>>
  readonly problems: readonly Problem[]
}

const none: Query = { values: {}, problems: [] }

/**
 * Parses the query of a URL. A list may be sent as `a,b` or as repeated parameters, as many generated clients do. Any
 * other repeated parameter is reported as a problem.
 */
export function queryOf(url: string, endpoint: Endpoint): Query {
  const start = url.indexOf('?')
  if (start < 0) return none
  const end = url.indexOf('#', start)
  const text = url.slice(start + 1, end < 0 ? undefined : end)
  const values: Record<string, string> = Object.create(null)
  const problems: Problem[] = isDecodable(text) ? [] : [undecodable]
  for (const [name, value] of new URLSearchParams(text)) {
    const before = values[name]
    if (before !== undefined && isListParameter(endpoint, name)) {
      values[name] = `${before},${value}`
      continue
    }
    if (before !== undefined) {
      problems.push({
        path: `query.${name.slice(0, 60)}`,
        code: 'duplicate',
        message: 'Must be sent once.',
        fix: 'Send the parameter once. For a list parameter, separate the values by commas.',
      })
    }
    values[name] = value
  }
  return { values, problems: [...problems, ...textProblems('query', values)] }
}

/** Reports whether the query is valid percent-encoded UTF-8. URLSearchParams would silently replace invalid bytes. */
function isDecodable(text: string): boolean {
  if (!text.includes('%')) return true
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

const undecodable: Problem = {
  path: 'query',
  code: 'invalid_text',
  message: 'Must be percent-encoded UTF-8.',
  fix: 'Encode the parameters as UTF-8, and a percent sign as %25.',
}
