import { z } from 'zod'
import { type SetPasswordOutcome, setPassword } from '../../access/members/set-password.ts'
import { membersContextOf } from '../kit/members-context.ts'
import { type Acted, action } from '../kit/route.ts'
import { delayOf } from '../sign-in/delay.ts'
import { weaknessOf } from '../sign-in/new-password.ts'
import { passwordPath } from './password-form.ts'
import { accountPath, permission } from './paths.ts'
import { accountContent } from './show.ts'
import { signedInOf } from './signed-in.ts'

const password = z.string({ error: 'Fill in this field.' })

export const changePassword = action({
  path: passwordPath,
  permission,
  done: 'The password is changed. Your other browsers are signed out.',
  question: null,
  needsRecentSignIn: true,
  isOfUser: true,
  fields: z.strictObject({ currentPassword: password, newPassword: password }),
  form: (visit, _params, draft) => accountContent(visit, draft),
  run: async (visit, _params, { currentPassword, newPassword }) => {
    const { deviceToken } = visit
    const change = { password: newPassword, currentPassword, deviceToken }
    return actedOf(await setPassword(membersContextOf(visit), signedInOf(visit), change))
  },
})

function actedOf(outcome: SetPasswordOutcome): Acted {
  switch (outcome.is) {
    case 'set':
      return { is: 'done', to: accountPath, granted: outcome }
    case 'weak_password':
      return { is: 'refused', field: 'newPassword', message: weaknessOf(outcome.problem) }
    case 'wrong_password':
      return { is: 'refused', field: 'currentPassword', message: 'The password is wrong.' }
    case 'session_ended':
      return { is: 'refused', message: 'Your session has ended. Sign in again.' }
    case 'backed_off':
    case 'busy':
      return { is: 'refused', message: delayOf(outcome) }
  }
}
