import { idempotentOperations } from '../../generated/idempotent-operations.ts'

const safeMethods = ['GET', 'HEAD', 'OPTIONS']

/**
 * Returns a function that reports whether a request can be repeated safely when the outcome of the first attempt is
 * unknown. Reads can be repeated, and so can requests with an `Idempotency-Key` to an operation that honours it. Other
 * operations ignore the key.
 */
export function idempotentRequestsOf(baseUrl: string): (request: Request) => boolean {
  const honouring = idempotentOperations.map((each) => new RegExp(`^${each.replaceAll(/\{\w+\}/g, '[^/]+')}$`))
  return ({ method, url, headers }) => {
    if (safeMethods.includes(method)) return true
    const root = new URL(baseUrl).pathname.replace(/\/$/, '')
    const path = new URL(url).pathname
    const operation = `${method} ${path.slice(root.length)}`
    return headers.has('Idempotency-Key') && path.startsWith(root) && honouring.some((each) => each.test(operation))
  }
}
