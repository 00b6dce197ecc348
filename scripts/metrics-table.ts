import { definitions } from '../src/management/metrics/definitions.ts'
import { code, table } from './reference/markdown.ts'

/** Returns the table of metrics in the Monitoring guide, from the definitions in src/management/metrics/definitions.ts. */
export function metricsTable(): string {
  const rows = Object.entries(definitions).map(([name, definition]) => {
    const { labels = [] }: { labels?: readonly string[] } = definition
    return [code(name), definition.type, labels.map(code).join(', '), definition.help]
  })
  return table(['Metric', 'Type', 'Labels', 'Meaning'], rows)
}
