import { auditList } from './audit.ts'
import { carrierConnect, carrierDisconnect, carrierList } from './carrier.ts'
import { webhookCheck } from './check.ts'
import type { Command } from './command.ts'
import { deliveryList, deliveryReplay, deliveryShow } from './delivery.ts'
import { eventTest } from './event.ts'
import { webhookExplain } from './explain.ts'
import { listen } from './listen.ts'
import { merchantCreate, merchantList, merchantSet } from './merchant.ts'
import { notificationList } from './notification.ts'
import { paymentsPaystack } from './payments.ts'
import { seed } from './seed.ts'
import { shipmentCallbacks, shipmentClose, shipmentList, shipmentShow } from './shipment.ts'
import { surgeClear, surgeFreeze, surgeOverride, surgeShow } from './surge.ts'
import { tokenCreate, tokenList, tokenRevoke } from './token.ts'
import { webhookCreate, webhookDisable, webhookEnable, webhookList, webhookSecret } from './webhook.ts'
import { webhookDelete, webhookRotate, webhookSet } from './webhook-changes.ts'
import { webhookReplay, webhookReplayCancel, webhookReplayList } from './webhook-replay.ts'

/** Every command, in the order the help shows them. */
export const commands: readonly Command[] = [
  merchantCreate,
  merchantList,
  merchantSet,
  tokenCreate,
  tokenList,
  tokenRevoke,
  webhookCreate,
  webhookList,
  webhookEnable,
  webhookDisable,
  webhookSecret,
  webhookSet,
  webhookRotate,
  webhookDelete,
  webhookReplay,
  webhookReplayList,
  webhookReplayCancel,
  webhookCheck,
  webhookExplain,
  paymentsPaystack,
  carrierConnect,
  carrierList,
  carrierDisconnect,
  shipmentList,
  shipmentShow,
  shipmentClose,
  shipmentCallbacks,
  surgeShow,
  surgeFreeze,
  surgeOverride,
  surgeClear,
  eventTest,
  deliveryList,
  deliveryShow,
  deliveryReplay,
  notificationList,
  auditList,
  seed,
  listen,
]
