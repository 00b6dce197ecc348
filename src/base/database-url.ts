/**
 * A `postgres://` URL that may list several hosts, as libpq accepts it: `postgres://user@a:5432,b:5433/shop`.
 * node-postgres 8.23 connects to one host only (brianc/node-postgres#3643 is open), so the service splits the URL.
 */

/**
 * The values of the URL parameter `target_session_attrs`: they state whether a connection may use a primary, a standby
 * or any server (PostgreSQL manual, “Database Connection Control Functions”).
 */
const sessionAttributes = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const

export type SessionAttributes = (typeof sessionAttributes)[number]

export interface DatabaseUrl {
  /** One URL for each host, in the order of the list and without `target_session_attrs`. The list is never empty. */
  readonly hosts: readonly string[]
  /** The value of `target_session_attrs`; undefined if the URL has none. */
  readonly attributes: SessionAttributes | undefined
}

/**
 * Maximum number of hosts in a database URL, more than a cluster has. A search for the primary connects to each of
 * them.
 */
const hostsMax = 16

/**
 * Matches a database URL and captures its list of hosts. The password before the hosts may contain commas; it ends at
 * the last @.
 */
const form = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)((?:\/[^?#]*)?)(?:\?([^#]*))?$/

/** Parses a database URL. If it is not valid, returns the rule that it violates. */
export function parseDatabaseUrl(text: string): DatabaseUrl | { readonly fault: string } {
  const [matched, head = '', list = '', path = '', query = ''] = form.exec(text) ?? []
  if (matched === undefined || path.includes('@') || !isEncoded(head)) return { fault: faultOf(text) }
  const names = list.split(',')
  if (names.length > hostsMax) return { fault: `must list at most ${hostsMax} hosts` }
  if (names.length > 1 && names.includes('')) return { fault: 'must have a host before and after each comma' }
  const parameters = query.split('&').filter((parameter) => parameter !== '')
  const others = parameters.filter((parameter) => !parameter.startsWith(`${attributesName}=`))
  const hosts = names.map((name) => `${head}${name}${path}${others.length === 0 ? '' : `?${others.join('&')}`}`)
  if (!hosts.every((host) => URL.canParse(host))) return { fault: faultOf(text) }
  if (new URLSearchParams(query).get('host')?.includes(',') === true)
    return { fault: 'must list its hosts before the name of the database, not as a parameter' }
  const wanted = new URLSearchParams(query).get(attributesName) ?? undefined
  const attributes = sessionAttributes.find((value) => value === wanted)
  if (wanted !== undefined && attributes === undefined)
    return { fault: `must have one of these values as ${attributesName}: ${sessionAttributes.join(', ')}` }
  return { hosts, attributes }
}

/**
 * The last part of an error message about an invalid database URL. It states how special characters in the password
 * must be encoded.
 */
export const passwordRule =
  'with percent-encoding in its password: %40 for @, %23 for #, %2F for /, %3F for ? and %25 for %'

/**
 * Returns the error message for an invalid database URL. If a password contains an unencoded # or /, the rest of the
 * password looks like a path or a fragment of the URL. An @ in the path or fragment reveals this case; the message then
 * explains the encoding.
 */
function faultOf(text: string): string {
  const [, user] = /^postgres(?:ql)?:\/\/([^/?#@:]*):/.exec(text) ?? []
  return user !== undefined && text.slice(text.indexOf('://') + 3 + user.length).includes('@')
    ? `must be a postgres:// address ${passwordRule}`
    : 'must be a postgres:// address'
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

const attributesName = 'target_session_attrs'

/** Parses a database URL that was validated before. Throws if it is not valid. */
export function databaseUrlOf(text: string): DatabaseUrl {
  const parsed = parseDatabaseUrl(text)
  if ('fault' in parsed) throw new Error(`The URL of the database ${parsed.fault}.`)
  return parsed
}
