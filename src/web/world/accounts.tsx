import { useEffect, useState } from 'preact/hooks'
import { formatGroupedMoney } from '../../core/money.ts'
import type { ControlAnswer } from '../../sandbox/control/index.ts'
import { control } from '../core/call.ts'
import { Dialog } from '../core/dialog.tsx'
import type { Account } from './people.ts'
import { capital, momentText, words } from './words.ts'

type AccountsProps = {
  accounts: readonly Account[] | undefined
  onToken: (account: Account) => void
  onWallet: (account: Account) => void
}

/** The sample accounts that call the interface, with their wallets and tokens. */
export function Accounts({ accounts = [], onToken, onWallet }: AccountsProps) {
  return (
    <section class="block" aria-labelledby="accounts">
      <h2 id="accounts">
        Accounts <span class="count">{accounts.length}</span>
      </h2>
      <p class="soft">
        Your program acts as one of these accounts. Send its token as <code>Authorization: Bearer …</code>;
        none of the money is real.
      </p>
      <ul class="accounts">
        {accounts.map((account) => (
          <li key={account.account_id}>
            <h3>
              {account.handle} <span class="soft">{account.name}</span>
            </h3>
            <p>{roleText(account)}</p>
            <div class="buttons">
              <button
                type="button"
                class="quiet small"
                aria-label={`Token for ${account.handle}…`}
                onClick={() => onToken(account)}
              >
                Token…
              </button>
              {account.scopes.includes('food.order') && (
                <button
                  type="button"
                  class="quiet small"
                  aria-label={`Wallet of ${account.handle}…`}
                  onClick={() => onWallet(account)}
                >
                  Wallet…
                </button>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The rights of an account, in words. */
function roleText({ scopes, membership, stores }: Account): string {
  const parts = [
    ...(scopes.includes('food.order') ? ['orders, rides and books'] : []),
    ...(scopes.includes('shipments.create') ? ['sends parcels'] : []),
    ...(stores.length > 0 ? [`runs ${stores.join(', ')}`] : []),
    ...(scopes.includes('food.order') ? [membershipText(membership.status)] : []),
  ]
  return capital(`${parts.join('; ')}.`)
}

function membershipText(status: Account['membership']['status']): string {
  return status === 'none' ? 'no membership' : `membership ${words(status)}`
}

type WalletProps = { account: Account; now: number; onClose: () => void }

/** The balance of a wallet, and what went in and out. */
export function WalletDialog({ account, now, onClose }: WalletProps) {
  const [wallet, setWallet] = useState<ControlAnswer<'get_wallet'>>()
  const [failed, setFailed] = useState<string>()
  useEffect(() => {
    control('get_wallet', { account: account.handle }).then(
      ({ value }) => setWallet(value),
      (error: Error) => setFailed(error.message),
    )
  }, [])
  return (
    <Dialog title={`Wallet of ${account.handle}`} onClose={onClose}>
      {failed !== undefined && <p role="alert">{failed}</p>}
      {wallet === undefined && failed === undefined && <p role="status">Loading…</p>}
      {wallet !== undefined && (
        <>
          <p class="balance">{formatGroupedMoney(wallet.balance)}</p>
          {wallet.owed.amount > 0 && <p>Owed for cancelled rides: {formatGroupedMoney(wallet.owed)}</p>}
          <ul class="events">
            {wallet.entries.slice(0, 12).map(({ at, kind, direction, amount, transaction_id }) => (
              <li key={transaction_id}>
                <time dateTime={at}>{momentText(at, now)}</time>
                <span>
                  {direction === 'in' ? '+' : '−'}
                  {formatGroupedMoney(amount)} <span class="soft">{words(kind)}</span>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      <p class="command">
        <code>dray sandbox account wallet {account.handle}</code>
      </p>
      <div class="actions">
        <button type="button" class="quiet" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  )
}

type TokenProps = {
  account: Account
  act: (what: string, work: () => Promise<string | undefined>) => Promise<void>
  onClose: () => void
}

/** Mints a token when asked to; it is shown this once. */
export function TokenDialog({ account, act, onClose }: TokenProps) {
  const { handle, name, scopes } = account
  const [token, setToken] = useState<string>()
  const mint = (): void =>
    void act('No token was created', async () => {
      const { value } = await control('mint_token', { account: handle })
      setToken(value.token)
      return undefined
    })
  return (
    <Dialog title={`Token for ${handle}`} onClose={onClose}>
      {token === undefined ? (
        <>
          <p>
            A program with it acts as {name} for a year of the sandbox’s clock, with all {scopes.length}{' '}
            scopes. It is shown once.
          </p>
          <p class="scopes">
            {scopes.map((scope) => (
              <code key={scope}>{scope}</code>
            ))}
          </p>
          <p class="command">
            <code>dray sandbox account token {handle}</code> does the same.
          </p>
        </>
      ) : (
        <>
          <p>Save it now: it cannot be shown again.</p>
          <CopyField
            text={`export DRAY_BASE_URL=${location.origin}\nexport DRAY_TOKEN=${token}`}
            label="Token"
          />
        </>
      )}
      <div class="actions">
        {token === undefined && (
          <button type="button" onClick={mint}>
            Create a token
          </button>
        )}
        <button type="button" class="quiet" onClick={onClose}>
          {token === undefined ? 'Not now' : 'Close'}
        </button>
      </div>
    </Dialog>
  )
}

/** A text to copy. */
export function CopyField({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false)
  // A page without a secure context has no clipboard: its text can still be selected.
  const clipboard = navigator.clipboard as Clipboard | undefined
  return (
    <div class="copied">
      <pre tabIndex={0} role="group" aria-label={label}>
        {text}
      </pre>
      {clipboard !== undefined && (
        <button
          type="button"
          class="quiet small"
          aria-label={`Copy: ${label}`}
          onClick={() =>
            void clipboard.writeText(text).then(
              () => setCopied(true),
              () => setCopied(false),
            )
          }
        >
          {copied ? 'Copied' : 'Copy'}
        </button>
      )}
    </div>
  )
}
