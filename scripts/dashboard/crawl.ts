import { root } from '../../src/dashboard/kit/root.ts'
import { openRoutes } from '../../src/dashboard/kit/routing.ts'
import { allRoutes } from '../../src/dashboard/routes.ts'

/**
 * A page or an action of the dashboard that the script found by following links: its declared path, and one address of
 * it.
 */
export interface Found {
  /** Declared path of the page or action, such as `/orders/{id}`. */
  readonly path: string
  /** Address of the page or action, such as `/dashboard/orders/ord_01jd3f8q6hf5n8v1zr4c7e2m9k`. */
  readonly address: string
}

export interface Site {
  readonly pages: readonly Found[]
  readonly actions: readonly Found[]
}

/**
 * Default maximum number of addresses to open for each declared path. The links and forms of a page depend on the state
 * of its record, so one record does not lead to all pages.
 */
const usualMax = 12

/**
 * Follows the links of the dashboard from the start page and returns one address of each page and of each action. `open`
 * returns the HTML of a page.
 */
export async function crawl(open: (address: string) => Promise<string>, addressesMax = usualMax): Promise<Site> {
  const routes = openRoutes(allRoutes)
  const opened = new Map<string, Set<string>>()
  const actions = new Map<string, string>()
  const waiting = [root]
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    const path = routes.findPage(address)?.route.path
    if (path === undefined || routes.findDownload(address) !== undefined) continue
    const addresses = opened.get(path) ?? new Set()
    if (addresses.has(address) || addresses.size === addressesMax) continue
    opened.set(path, addresses.add(address))
    const html = await open(address)
    waiting.push(...addressesIn(html, /<a [^>]*?href="(\/dashboard[^"?#]*)/g))
    waiting.push(...addressesIn(html, /<form method="get" action="(\/dashboard[^"?#]*)/g))
    for (const target of addressesIn(html, /<form method="post" action="(\/dashboard[^"?#]*)/g)) {
      const action = routes.findAction(target)?.route.path
      if (action !== undefined && !actions.has(action)) actions.set(action, target)
    }
  }
  const pages = [...opened].flatMap(([path, [address]]) => (address === undefined ? [] : [{ path, address }]))
  return { pages, actions: [...actions].map(([path, address]) => ({ path, address })) }
}

function addressesIn(html: string, pattern: RegExp): string[] {
  return [...html.matchAll(pattern)].flatMap(([, address]) => (address === undefined ? [] : [address]))
}
