import { idempotentOperations } from '../../generated/idempotent-operations.ts'

/** What only reads. */
const safeMethods = ['GET', 'HEAD', 'OPTIONS']

/**
 * Which requests may be sent again although nobody knows whether the first was received: what reads, and what honours the key
 * it carries. Others may carry a key as well, which is ignored and protects nothing.
 */
export function repeatableUnder(baseUrl: string): (request: Request) => boolean {
  const honouring = idempotentOperations.map((each) => new RegExp(`^${each.replaceAll(/\{\w+\}/g, '[^/]+')}$`))
  return ({ method, url, headers }) => {
    if (safeMethods.includes(method)) return true
    const root = new URL(baseUrl).pathname.replace(/\/$/, '')
    const path = new URL(url).pathname
    const operation = `${method} ${path.slice(root.length)}`
    return headers.has('Idempotency-Key') && path.startsWith(root) && honouring.some((each) => each.test(operation))
  }
}
