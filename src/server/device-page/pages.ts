/** The pages of the approval, as functions of plain values. */
import type { Account, Scope } from '../../core/account.ts'
import { isLoopback } from '../../core/network.ts'
import { PAGES_CLIENT } from '../../oauth/page-sign-in.ts'
import { html, renderProse } from '../html.ts'
import type { Html } from '../html.ts'
import { resultPage } from './layout.ts'
import type { DevicePage } from './layout.ts'
import { byArea, purposeOf, shareOf } from './words.ts'

/** A pending device, as shown to a person. */
export type PendingDevice = {
  userCode: string
  /** The name that the device gives itself. It is not verified. */
  device: string
  client: string
  scopes: readonly Scope[]
  accounts: readonly Account[]
}

/** Returns the page of the first step. A code from the address is filled in, but must be sent manually. */
export function codePage(form: {
  token: string
  code: string
  wrong?: { left: number } | 'empty'
}): DevicePage {
  const { token, code, wrong } = form
  const invalid = wrong !== undefined
  return {
    status: invalid ? 400 : 200,
    title: `${invalid ? 'Error: ' : ''}Log in a device`,
    body: html`${invalid && errorSummary('#user_code', ...whatIsWrong(wrong))}
      <p class="step">Step 1 of 2</p>
      <h1>Log in a device</h1>
      <p>
        ${code === '' || invalid ? 'Your device shows a code of eight letters. Type it here.' : 'Compare this code with the one that your device shows.'}
      </p>
      <div class="guard" id="guard">
        <p>
          Only go on if you started this login and the code is on the screen of your own device. Anybody who
          sends you a code wants to act in your name.
        </p>
      </div>
      <form method="post" action="/device/check" novalidate>
        <input type="hidden" name="token" value="${token}" />
        <label for="user_code">Code</label>
        <p class="hint" id="code-hint">Like BCDF-GHJK. Small letters and a missing dash do no harm.</p>
        <input
          class="typed code"
          id="user_code"
          name="user_code"
          value="${code}"
          maxlength="40"
          autocomplete="off"
          autocapitalize="characters"
          autocorrect="off"
          spellcheck="false"
          enterkeyhint="go"
          required
          aria-describedby="code-hint guard"
          ${invalid ? html` aria-invalid="true"` : html` autofocus`}
        />
        <div><button type="submit">Continue</button></div>
      </form>`,
  }
}

function whatIsWrong(wrong: { left: number } | 'empty'): [title: string, text: string] {
  if (wrong === 'empty')
    return ['Enter the code', 'The code is on the screen of the device that you want to log in.']
  const tries = wrong.left === 1 ? 'One try is left.' : `${wrong.left} tries are left.`
  return [
    'No device waits with this code',
    `Compare it letter by letter. A code works once and for ten minutes only; \`dray login\` shows a new one. ${tries}`,
  ]
}

/** Returns the summary of an error. It takes the focus, so that it is read first, and links to the field. */
function errorSummary(target: string, title: string, text: string): Html {
  return html`<div class="error" role="alert" tabindex="-1" autofocus>
    <h2><a href="${target}">${title}</a></h2>
    <p>${renderProse(text)}</p>
  </div>`
}

/** Returns the page of the second step: the device, the permissions it asks for, and the accounts to choose from. */
export function consentPage(form: {
  token: string
  asking: PendingDevice
  /** True if the form was sent without an account. */
  unanswered?: boolean
}): DevicePage {
  const { token, asking, unanswered = false } = form
  const { userCode, device, client, scopes, accounts } = asking
  return {
    status: unanswered ? 400 : 200,
    title: `${unanswered ? 'Error: ' : ''}Allow this device to access your account?`,
    body: html`${unanswered && errorSummary(`#account-${accounts.findIndex((one) => given(one, scopes) > 0)}`, 'Choose an account', 'The device acts for one account only, and you say for which.')}
      <p class="step">Step 2 of 2</p>
      <h1>Allow this device to access your account?</h1>
      <dl class="facts">
        <div>
          <dt>Device</dt>
          <dd><bdi>${device}</bdi></dd>
        </div>
        <div>
          <dt>Program</dt>
          <dd><bdi>${PROGRAMS[client] ?? client}</bdi></dd>
        </div>
        <div>
          <dt>Code</dt>
          <dd class="code">${userCode}</dd>
        </div>
      </dl>
      <div class="guard"><p>Is this code on your own screen now? If not, deny.</p></div>
      <section aria-labelledby="permissions">
        <h2 id="permissions">What it may then do</h2>
        <p class="hint">
          As far as the account you choose may do it.
          ${client === PAGES_CLIENT ? 'Signing out there ends it at once; unused for a week, it ends by itself.' : 'A logout on the device ends it at once; unused for 30 days, it ends by itself.'}
        </p>
        <dl class="facts">
          ${byArea(scopes).map(
            ({ area, permissions }) =>
              html`<div>
                <dt>${area}</dt>
                ${permissions.map(
                  ({ words, spends }) =>
                    html`<dd>
                      ${words}${spends === true && html` <span class="spend">spends money</span>`}
                    </dd>`,
                )}
              </div> `,
          )}
        </dl>
      </section>
      <form method="post" action="/device/decide" novalidate>
        <input type="hidden" name="token" value="${token}" />
        <input type="hidden" name="user_code" value="${userCode}" />
        <fieldset aria-describedby="account-hint">
          <legend>Which account should it act for?</legend>
          <p class="hint${unanswered && ' wrong'}" id="account-hint">
            ${unanswered ? 'Choose one of the test accounts of the sandbox.' : 'These are the test accounts of the sandbox.'}
          </p>
          <div class="choices">
            ${accounts.map((account, index) => choice(account, index, scopes, accounts.length === 1))}
          </div>
        </fieldset>
        <div class="actions">
          <button type="submit" name="decision" value="approve">Approve</button>
          <button type="submit" name="decision" value="deny" class="quiet">Deny</button>
        </div>
      </form>`,
  }
}

/** Known programs with clearer names. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'dray-cli': 'dray, on the command line',
  [PAGES_CLIENT]: 'Pages of this service, in a browser',
}

/** Returns how many of the requested permissions an account has. */
function given({ scopes }: Account, asked: readonly Scope[]): number {
  return asked.filter((scope) => scopes.includes(scope)).length
}

function choice(account: Account, index: number, asked: readonly Scope[], only: boolean): Html {
  const { handle, name } = account
  const share = given(account, asked)
  const state = [share === 0 && html` disabled`, only && share > 0 && html` checked`]
  return html`<div class="choice${share === 0 && ' unable'}">
    <input
      type="radio"
      id="account-${index}"
      name="account"
      value="${handle}"
      aria-describedby="about-${index}"
      ${state}
    />
    <label for="account-${index}"><bdi>${name}</bdi> <span class="handle">${handle}</span></label>
    <p id="about-${index}"><span>${purposeOf(account)}</span> <span>${shareOf(share, asked.length)}</span></p>
  </div> `
}

export function approvedPage(done: { device: string; client: string; account: Account }): DevicePage {
  const { device, client, account } = done
  const inBrowser = client === PAGES_CLIENT
  return resultPage(200, 'done', {
    title: 'The device is logged in',
    body: html`<p>
        <bdi>${device}</bdi> now acts for <strong><bdi>${account.name}</bdi></strong> (${account.handle}).
      </p>
      <p>You can close this page and go back to your ${inBrowser ? 'other page' : 'terminal'}.</p>
      ${
        inBrowser
          ? html`<p class="soft">To end this access, sign out there.</p>`
          : html`<p class="soft">
              To end this access, run <code>dray logout</code> there, or
              <code>dray logout --profile NAME</code> if you logged in with a profile.
            </p>`
      }`,
  })
}

export function deniedPage(): DevicePage {
  return resultPage(200, 'refused', {
    title: 'Access was denied',
    body: html`<p>The device got nothing, and its code is void.</p>
      <p>You can close this page. If you did not start this login, you need to do nothing else.</p>`,
  })
}

export function expiredPage(): DevicePage {
  return resultPage(410, 'late', {
    title: 'This code has expired',
    body: html`<p>A code is valid for 10 minutes. Nothing was approved.</p>
      <p>Run <code>dray login</code> again on your device, then enter the code that it shows.</p>
      <p>${again('Enter a new code')}</p>`,
  })
}

export function answeredPage(): DevicePage {
  return resultPage(409, 'refused', {
    title: 'This code was already used',
    body: html`<p>A code is approved or denied once. This time nothing was changed.</p>
      <p>If your terminal still waits, run <code>dray login</code> there again.</p>
      <p>${again('Enter another code')}</p>`,
  })
}

export function tooManyPage(seconds: number): DevicePage {
  const minutes = Math.ceil(seconds / 60)
  return {
    ...resultPage(429, 'late', {
      title: 'Too many wrong codes',
      body: html`<p>
          Too many codes were wrong. Please wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`} before
          you try again.
        </p>
        <p>On the machine of the sandbox you need not wait: <code>dray sandbox approve CODE</code>.</p>`,
    }),
    headers: { 'Retry-After': String(Math.ceil(seconds)) },
  }
}

/** Returns the page for a form of another browser, or of another run of the service. */
export function stalePage(): DevicePage {
  return resultPage(403, 'refused', {
    title: 'This form is no longer valid',
    body: html`<p>It belongs to another browser or an expired link. Nothing was changed.</p>
      <p>${again('Start again')}</p>`,
  })
}

/** Returns the page for a browser that may not approve: it opened no link, or one that is used or expired. */
export function lockedPage({ spent, origin }: { spent: boolean; origin: string }): DevicePage {
  const at = isLoopback(new URL(origin).hostname) ? ` --base-url ${origin}` : ''
  return resultPage(403, 'refused', {
    title: spent ? 'This link is no longer valid' : 'This page needs a link',
    body: html`<p>
        ${spent ? 'A link works once, for 10 minutes. Nothing was approved.' : 'Only the person who runs this server can approve logins, with a link that only they can create.'}
      </p>
      <p>On the machine that runs the server, this command prints a new link:</p>
      <p class="command"><code>dray sandbox approve${at}</code></p>
      <p class="soft">This one approves without a browser:</p>
      <p class="soft command"><code>dray sandbox approve CODE${at}</code></p>`,
  })
}

/** Returns the page of a service without an approval page. */
export function absentPage(): DevicePage {
  return resultPage(404, 'refused', {
    title: 'No approval page here',
    body: html`<p>
        This server’s sandbox can be controlled only on its own machine. On that machine, approve the login
        with
      </p>
      <p><code>dray sandbox approve CODE</code></p>
      <p class="soft">Or start it so that links open the page from other machines too:</p>
      <p class="soft"><code>dray serve --sandbox-control</code></p>`,
  })
}

/** Returns the page of an error, with the words of its problem document. */
export function deviceProblemPage(problem: {
  status: number
  title: string
  detail: string
  hint?: string | undefined
}): DevicePage {
  const { status, title, detail, hint } = problem
  return resultPage(status, 'refused', {
    title,
    body: html`<p>${renderProse(detail)}</p>
      ${hint !== undefined && html` <p>${renderProse(hint)}</p>`}
      <p>${again('Start again')}</p>`,
  })
}

function again(text: string): Html {
  return html`<a class="button" href="/device">${text}</a>`
}
