import { root } from '../../src/dashboard/kit/parts.ts'
import { openRoutes } from '../../src/dashboard/kit/routing.ts'
import { allRoutes } from '../../src/dashboard/routes.ts'

/** A page or an action that was found in the dashboard: its declared path, and one address of it. */
export interface Found {
  /** Such as `/orders/{id}`. */
  readonly path: string
  /** Such as `/dashboard/orders/ord_01jd3f8q6hf5n8v1zr4c7e2m9k`. */
  readonly address: string
}

export interface Site {
  readonly pages: readonly Found[]
  readonly actions: readonly Found[]
}

/**
 * Follows the links of the dashboard from the start page and returns one address of each page and of each action. `open`
 * returns the HTML of a page.
 */
export async function crawl(open: (address: string) => Promise<string>): Promise<Site> {
  const routes = openRoutes(allRoutes)
  const pages = new Map<string, string>()
  const actions = new Map<string, string>()
  const waiting = [root]
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    const path = routes.findPage(address)?.route.path
    if (path === undefined || pages.has(path)) continue
    pages.set(path, address)
    const html = await open(address)
    for (const link of addressesIn(html, /<a [^>]*?href="(\/dashboard[^"?#]*)/g)) waiting.push(link)
    for (const target of addressesIn(html, /<form method="post" action="(\/dashboard[^"?#]*)/g)) {
      const action = routes.findAction(target)?.route.path
      if (action !== undefined && !actions.has(action)) actions.set(action, target)
    }
  }
  return { pages: foundIn(pages), actions: foundIn(actions) }
}

function addressesIn(html: string, pattern: RegExp): string[] {
  return [...html.matchAll(pattern)].flatMap(([, address]) => (address === undefined ? [] : [address]))
}

function foundIn(addresses: ReadonlyMap<string, string>): Found[] {
  return [...addresses].map(([path, address]) => ({ path, address }))
}
