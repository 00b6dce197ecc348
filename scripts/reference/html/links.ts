import { posix } from 'node:path'
import { type Reference, root, urlOf } from '../../../src/reference/pages.ts'

/**
 * Returns the URL on the reference site to which a Markdown link leads. Undefined for a scheme that must not become a
 * link.
 */
export function hrefOf(reference: Reference, from: string, href: string): string | undefined {
  if (href.startsWith('#')) return href
  if (/^(https?:|mailto:)/i.test(href)) return href
  // This pattern matches every scheme that is not accepted in links, such as javascript:, and protocol-relative URLs.
  if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(href)) return undefined
  const [file = '', anchor] = href.split('#')
  const suffix = anchor === undefined ? '' : `#${anchor}`
  if (file.startsWith('/')) return file + suffix
  const path = posix.join(posix.dirname(from), file)
  const page = path.replace(/\.md$/, '')
  if (reference.byPath.has(page)) return urlOf(page) + suffix
  return `${root}/${path}${suffix}`
}
