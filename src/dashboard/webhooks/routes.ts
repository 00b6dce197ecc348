import type { Route } from '../kit/route.ts'
import { checkReceiverAction } from './check.ts'
import { createEndpointAction, newEndpointPage } from './create.ts'
import { deleteEndpointAction, deleteEndpointPage } from './delete.ts'
import { editEndpointAction, editEndpointPage } from './edit.ts'
import { disableEndpointAction, enableEndpointAction } from './enable.ts'
import { endpointList } from './list.ts'
import { rotateSecretAction, showSecretAction } from './secret.ts'
import { endpointPage } from './show.ts'
import { testEventAction } from './test-event.ts'
import { verifySignatureAction, verifySignaturePage } from './verify.ts'

/**
 * The router uses the first matching path, so the path of the endpoint form comes before that of an endpoint's page,
 * which contains an id.
 */
export const webhookRoutes: readonly Route[] = [
  endpointList,
  newEndpointPage,
  createEndpointAction,
  endpointPage,
  editEndpointPage,
  editEndpointAction,
  testEventAction,
  checkReceiverAction,
  verifySignaturePage,
  verifySignatureAction,
  showSecretAction,
  rotateSecretAction,
  enableEndpointAction,
  disableEndpointAction,
  deleteEndpointPage,
  deleteEndpointAction,
]
