import { z } from 'zod'
import { endpoints } from '../../../registry/index.ts'
import { showChosen } from '../dispatch/chosen-orders.ts'
import { chosenPath } from '../dispatch/step-paths.ts'
import { chosenIds } from '../kit/fields.ts'
import { action } from '../kit/route.ts'
import { exportChosenPath } from '../orders/choose-form.ts'
import { orderList } from '../orders/list.ts'

const { access, path } = endpoints.exportOrders

export const exportChosenAction = action({
  path: exportChosenPath,
  permission: access,
  done: 'The file is ready.',
  question: null,
  fields: z.object({ id: chosenIds }),
  form: (visit) => orderList.show(visit, {}),
  run: (visit, _params, { id }) => showChosen(visit, id, (ids) => chosenPath(path, ids)),
})
