import { TrieRouter } from 'hono/router/trie-router'
import { root } from './root.ts'
import type { Action, Download, Page, Route, ScriptQuery } from './route.ts'

export interface Match<Found extends Route> {
  readonly route: Found
  readonly params: Readonly<Record<string, string>>
}

export interface Routes {
  findPage(path: string): Match<Page> | undefined
  findDownload(path: string): Match<Download> | undefined
  findAction(path: string): Match<Action> | undefined
  findQuery(path: string): Match<ScriptQuery> | undefined
  /**
   * Returns the `done` message of an action, which is shown after the action has succeeded. `name` is the name that
   * nameOf() returns for the action.
   */
  findDone(name: string | undefined): string | undefined
}

/** Throws if two routes of the same kind have the same path. */
export function openRoutes(routes: readonly Route[]): Routes {
  const pages = new TrieRouter<Page>()
  const downloads = new TrieRouter<Download>()
  const actions = new TrieRouter<Action>()
  const queries = new TrieRouter<ScriptQuery>()
  const done = new Map<string, string>()
  const seen = new Set<string>()
  for (const route of routes) {
    const key = `${route.kind} ${route.path}`
    if (seen.has(key)) throw new Error(`There are two routes ${key}.`)
    seen.add(key)
    const path = `${root}${route.path.replace(/\{(\w+)\}/g, ':$1')}`
    switch (route.kind) {
      case 'page':
        pages.add('ANY', path, route)
        break
      case 'download':
        downloads.add('ANY', path, route)
        break
      case 'query':
        queries.add('ANY', path, route)
        break
      case 'action':
        actions.add('ANY', path, route)
        done.set(nameOf(route), route.done)
    }
  }
  return {
    findPage: (path) => matchOf(pages, path),
    findDownload: (path) => matchOf(downloads, path),
    findAction: (path) => matchOf(actions, path),
    findQuery: (path) => matchOf(queries, path),
    findDone: (name) => (name === undefined ? undefined : done.get(name)),
  }
}

/** Returns the name of an action in a URL, such as `tokens.id.revoke`. */
export function nameOf({ path }: Action): string {
  return path.slice(1).replaceAll(/[{}]/g, '').replaceAll('/', '.')
}

function matchOf<Found extends Route>(router: TrieRouter<Found>, path: string): Match<Found> | undefined {
  const [found] = router.match('ANY', path)[0]
  if (found === undefined) return undefined
  const [route, params] = found
  return { route, params: Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)])) }
}
