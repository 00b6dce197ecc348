import { definitions, isMetric, labelsOf } from '../src/management/metrics/definitions.ts'
import { code, table } from './reference/markdown.ts'

export function metricsTable(): string {
  const rows = Object.keys(definitions)
    .filter(isMetric)
    .map((name) => {
      const { type, help } = definitions[name]
      return [code(name), type, labelsOf(name).map(code).join(', '), help]
    })
  return table(['Metric', 'Type', 'Labels', 'Meaning'], rows)
}
