/** Counts the results of the validating proxy (Prism). */
export interface Tally {
  /** Number of validated responses by operation. */
  readonly validated: Map<string, number>
  /** Number of requests that bypassed Prism, by reason. */
  readonly bypassed: Map<string, number>
  readonly violations: string[]
  /** Failures of the validating proxy itself. */
  readonly faults: string[]
}

export function newTally(): Tally {
  return { validated: new Map(), bypassed: new Map(), violations: [], faults: [] }
}

export function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

export function sumOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, each) => sum + each, 0)
}

/**
 * Text with which Prism's header begins if the violations do not fit into the header. A truncated list of violations
 * follows this text.
 */
const tooMany = 'Too many violations'

/**
 * Returns the response violations in Prism's header. Request violations are ignored, because tests cause them on
 * purpose. Undefined if the header has too many request violations, because the response violations may then be cut
 * off.
 */
export function responseViolationsOf(header: string | undefined): string[] | undefined {
  if (header === undefined) return []
  if (header.startsWith(tooMany)) return header.includes('"location":["response"') ? [header] : undefined
  const found: unknown = JSON.parse(header)
  if (!Array.isArray(found)) throw new Error(`Prism’s sl-violations is not a list: ${header}`)
  return found
    .filter((violation: unknown) => [Reflect.get(Object(violation), 'location')].flat()[0] === 'response')
    .map((violation: unknown) => JSON.stringify(violation))
}

/**
 * Returns the reasons why a complete test run validated too few responses. Without this check, requests that bypass
 * Prism would go unnoticed.
 */
export function shortcomingsOf(
  { validated }: Tally,
  { declared, tests }: { readonly declared: readonly string[]; readonly tests: number },
): string[] {
  const never = declared.filter((id) => !validated.has(id))
  return [
    ...never.map((id) => `${id} was never validated.`),
    ...(tests === 0 ? ['No test ran.'] : []),
    ...(sumOf(validated) < tests ? [`${sumOf(validated)} responses were validated in ${tests} tests.`] : []),
  ]
}
