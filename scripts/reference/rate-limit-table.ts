import { endpoints } from '../../registry/index.ts'
import type { Endpoint } from '../../registry/kit/endpoint.ts'
import {
  defaultRateLimits,
  merchantMultiple,
  type RateClass,
  type RateLimit,
  rateClasses,
} from '../../registry/values/rate-limits.ts'
import { code, table } from './markdown.ts'

export function rateLimitTable(): string {
  const { authentication, concurrency } = defaultRateLimits
  const rows = rateClasses.map((name) => [
    code(name),
    operationsOf(name),
    limitText(defaultRateLimits[name]),
    limitText(multiplied(defaultRateLimits[name])),
  ])
  return table(
    ['Class', 'Operations', 'Per token', 'Per merchant'],
    [
      ...rows,
      [code('concurrency'), 'Requests in progress', String(concurrency), String(concurrency * merchantMultiple)],
      [code('authentication'), 'Failed authentications', `${limitText(authentication)}, per source address`, ''],
    ],
  )
}

const usual: Readonly<Record<RateClass, string>> = {
  read: 'Reads and lists',
  write: 'Writes, except those below',
  refund: '',
}

/**
 * Returns the operations of a rate limit class, as a general text for reads and writes. For refunds, lists the
 * operations that declare the class.
 */
function operationsOf(rateClass: RateClass): string {
  const all: readonly Endpoint[] = Object.values(endpoints)
  const named = all.filter((endpoint) => endpoint.rateClass === rateClass).map(({ id }) => code(id))
  return usual[rateClass] || named.join(', ')
}

function multiplied({ quota, seconds }: RateLimit): RateLimit {
  return { quota: quota * merchantMultiple, seconds }
}

function limitText({ quota, seconds }: RateLimit): string {
  return `${quota} in ${seconds} s`
}
