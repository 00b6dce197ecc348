import type { Command } from './kit/command.ts'

type Loader = () => Promise<readonly Command[]>

/**
 * Commands of each noun such as `token`, in the order of the help. They are loaded on demand, because loading the whole
 * service takes longer than most commands run.
 */
const loaders = new Map<string, Loader>([
  ['migrate', async () => [(await import('./database/migrate.ts')).migrate]],
  ['distribute', async () => [(await import('./database/distribute.ts')).distribute]],
  ['node', async () => [(await import('./database/node.ts')).nodeList]],
  ['backup', async () => [(await import('./database/backup.ts')).backup]],
  ['restore', async () => [(await import('./database/restore.ts')).restore]],
  ['restored', async () => [(await import('./database/restore.ts')).restored]],
  [
    'merchant',
    async () => {
      const { merchantCreate, merchantList, merchantSet, merchantSuspend, merchantResume } = await import(
        './merchant.ts'
      )
      return [merchantCreate, merchantList, merchantSet, merchantSuspend, merchantResume]
    },
  ],
  [
    'token',
    async () => {
      const { tokenCreate, tokenList, tokenRotate, tokenRevoke } = await import('./access/token.ts')
      return [tokenCreate, tokenList, tokenRotate, tokenRevoke]
    },
  ],
  [
    'member',
    async () => {
      const [members, invitations] = await Promise.all([import('./access/member.ts'), import('./access/invitation.ts')])
      const { memberInvite, memberList, memberRole, memberRemove, memberRecover } = members
      const { memberInvitations, memberRevokeInvitation } = invitations
      return [
        ...[memberInvite, memberInvitations, memberRevokeInvitation],
        ...[memberList, memberRole, memberRemove, memberRecover],
      ]
    },
  ],
  [
    'session',
    async () => {
      const { sessionList, sessionRevoke } = await import('./access/session.ts')
      return [sessionList, sessionRevoke]
    },
  ],
  [
    'webhook',
    async () => {
      const [endpoints, changes, replays, { webhookCheck }, { webhookExplain }] = await Promise.all([
        import('./webhooks/webhook.ts'),
        import('./webhooks/webhook-changes.ts'),
        import('./webhooks/webhook-replay.ts'),
        import('./webhooks/check.ts'),
        import('./webhooks/explain.ts'),
      ])
      const { webhookCreate, webhookList, webhookEnable, webhookDisable, webhookSecret } = endpoints
      const { webhookSet, webhookRotate, webhookDelete } = changes
      const { webhookReplay, webhookReplayList, webhookReplayCancel } = replays
      return [
        ...[webhookCreate, webhookList, webhookEnable, webhookDisable, webhookSecret],
        ...[webhookSet, webhookRotate, webhookDelete],
        ...[webhookReplay, webhookReplayList, webhookReplayCancel],
        ...[webhookCheck, webhookExplain],
      ]
    },
  ],
  [
    'payments',
    async () => {
      const [{ providerConnections }, { paymentsVerify, paymentsReconcile }, { paymentsDispute }, { paymentsRecheck }] =
        await Promise.all([
          import('./payments/payments.ts'),
          import('./payments/payments-verify.ts'),
          import('./payments/payments-dispute.ts'),
          import('./payments/payments-recheck.ts'),
        ])
      return [...providerConnections, paymentsVerify, paymentsReconcile, paymentsDispute, paymentsRecheck]
    },
  ],
  [
    'carrier',
    async () => {
      const { carrierConnect, carrierList, carrierDisconnect } = await import('./logistics/carrier.ts')
      const { carrierUnknownStatuses: carrierUnknown } = await import('./logistics/carrier-statuses.ts')
      return [carrierConnect, carrierList, carrierDisconnect, carrierUnknown]
    },
  ],
  ['product', async () => [(await import('./product.ts')).productImport]],
  ['order', async () => [(await import('./order.ts')).orderShow]],
  ['refund', async () => [(await import('./refund.ts')).refundList]],
  [
    'shipment',
    async () => {
      const { shipmentList, shipmentShow, shipmentClose, shipmentResolve, shipmentCallbacks } = await import(
        './logistics/shipment.ts'
      )
      return [shipmentList, shipmentShow, shipmentClose, shipmentResolve, shipmentCallbacks]
    },
  ],
  [
    'surge',
    async () => {
      const { surgeShow, surgeFreeze, surgeOverride, surgeClear } = await import('./logistics/surge.ts')
      return [surgeShow, surgeFreeze, surgeOverride, surgeClear]
    },
  ],
  ['event', async () => [(await import('./webhooks/event.ts')).eventTest]],
  ['trigger', async () => [(await import('./trigger.ts')).trigger]],
  [
    'delivery',
    async () => {
      const { deliveryList, deliveryShow, deliveryReplay } = await import('./webhooks/delivery.ts')
      return [deliveryList, deliveryShow, deliveryReplay]
    },
  ],
  [
    'notification',
    async () => {
      const { notificationList, notificationRead, notificationResolve } = await import('./notification.ts')
      return [notificationList, notificationRead, notificationResolve]
    },
  ],
  [
    'audit',
    async () => {
      const [{ auditList, auditShared }, { auditExport }, { auditVerify }, { auditResign }] = await Promise.all([
        import('./audit/audit.ts'),
        import('./audit/audit-export.ts'),
        import('./audit/audit-verify.ts'),
        import('./audit/audit-resign.ts'),
      ])
      return [auditList, auditShared, auditExport, auditVerify, auditResign]
    },
  ],
  [
    'secrets',
    async () => {
      const [{ secretsList }, { secretsReseal, secretsRetire }] = await Promise.all([
        import('./access/secrets.ts'),
        import('./access/secrets-reseal.ts'),
      ])
      return [secretsList, secretsReseal, secretsRetire]
    },
  ],
  ['request', async () => [(await import('./request.ts')).requestList]],
  ['seed', async () => [(await import('./seed.ts')).seed]],
  ['listen', async () => [(await import('./webhooks/listen.ts')).listen]],
])

export async function commandsOf(noun: string): Promise<readonly Command[]> {
  return (await loaders.get(noun)?.()) ?? []
}

export async function allCommands(): Promise<readonly Command[]> {
  return (await Promise.all([...loaders.keys()].map(commandsOf))).flat()
}
