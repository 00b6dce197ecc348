import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * `npm run alerts-check`: checks the alert rules and runs their unit tests with promtool. Exits with 1 if a rule or a test
 * fails, and with 2 if promtool is missing.
 */

const folder = fileURLToPath(new URL('.', import.meta.url))

for (const words of [
  ['check', 'rules', 'alerts.yml'],
  ['test', 'rules', 'alerts.test.yml'],
  ['check', 'config', 'prometheus.yml'],
]) {
  const { status, error } = spawnSync('promtool', words, { cwd: folder, stdio: 'inherit' })
  if (error !== undefined) {
    console.error('promtool is not installed. Install the Debian package prometheus.')
    process.exit(2)
  }
  if (status !== 0) process.exit(1)
}
