import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { definitions, isMetric, labelsOf } from '../../../src/management/metrics/definitions.ts'
import { openMetrics } from '../../../src/management/metrics/registry.ts'

/**
 * The Grafana dashboard, the alerts and the Monitoring guide may name only metrics and labels that the service exports.
 */

const folder = 'scripts/deploy/monitoring/'
const alerts = await readFile(`${folder}alerts.yml`, 'utf8')
const alertTests = await readFile(`${folder}alerts.test.yml`, 'utf8')
const dashboard = await readFile(`${folder}dashboard.json`, 'utf8')
const guide = await readFile('registry/guides/monitoring.md', 'utf8')

const metricForm = /\b(?:commerce|nodejs|process)_[a-z0-9_]+\b/g

function namesIn(text: string): string[] {
  return [...new Set(text.match(metricForm) ?? [])].map((name) => name.replace(/_(bucket|sum|count)$/, ''))
}

/** Returns the metric name and the labels of each Prometheus selector, such as `commerce_ready{instance="a"}`. */
function selectorsIn(text: string): [name: string, label: string][] {
  return [...text.matchAll(/\b(commerce_\w+?)(?:_bucket|_sum|_count)?\{([^}]*)\}/g)].flatMap(
    ([, name = '', labels = '']) =>
      [...labels.matchAll(/(\w+)(?:=~|!~|!=|=)/g)].map(([, label = '']): [string, string] => [name, label]),
  )
}

/** Labels that Prometheus itself sets for each target and each histogram. */
const given = ['instance', 'job', 'le']

async function knownNames(): Promise<ReadonlySet<string>> {
  const { body } = await openMetrics({ role: 'all', version: '1.0.0' }).scrape()
  return new Set([...body.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name))
}

test.for([
  ['dashboard', dashboard.replaceAll('\\"', '"')],
  ['alerts', alerts],
  ['tests of the alerts', alertTests],
  ['guide', guide],
] as const)('every metric and label in the %s is one that the service exports', async ([, text]) => {
  const known = await knownNames()
  expect(namesIn(text).filter((name) => !known.has(name))).toEqual([])
  const unknown = selectorsIn(text).filter(([name, label]) => {
    const labels = isMetric(name) ? labelsOf(name) : []
    return !labels.includes(label) && !given.includes(label)
  })
  expect(unknown).toEqual([])
})

test('the monitoring check finds an unknown metric and an unknown label', async () => {
  expect(namesIn('rate(commerce_no_such_total[5m])').filter((name) => isMetric(name))).toEqual([])
  expect(selectorsIn('commerce_ready{order="1"}')).toEqual([['commerce_ready', 'order']])
})

test('every metric of the service is used in the monitoring dashboard or in an alert', () => {
  const used = namesIn(dashboard + alerts)
  expect(Object.keys(definitions).filter((name) => !used.includes(name))).toEqual([])
})

test('the guide names every alert, and every alert has one test in which it fires and one in which it does not fire', () => {
  const names = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)
  expect(names.length).toBeGreaterThan(10)
  for (const name of names) {
    expect(guide).toContain(`\`${name}\``)
    expect(alertTests).toContain(`- name: ${name} fires\n`)
    expect(alertTests).toContain(`- name: ${name} does not fire\n`)
  }
})

test('the monitoring dashboard has panels with a unit, a description and a query', () => {
  const { panels }: { panels: Record<string, unknown>[] } = JSON.parse(dashboard)
  const shown = panels.filter(({ type }) => type !== 'row')
  expect(shown.length).toBeGreaterThan(20)
  const queries = expect.arrayContaining([expect.objectContaining({ expr: expect.any(String) })])
  const fieldConfig = { defaults: { unit: expect.any(String) } }
  for (const panel of shown)
    expect(panel).toMatchObject({ description: expect.stringMatching(/\.$/), fieldConfig, targets: queries })
})
