/** Opens a session by a wallet's signature of the service's message. */
import { endSession, send, type SessionView } from "../connection/Session.ts"
import type { Provider } from "./Wallets.ts"

interface SignInMessage {
  readonly nonce: string
  readonly message: string
}

/** Signs in. With `leave`, ends the previous session once the wallet has signed. */
export const signWith = async (
  provider: Provider,
  address: `0x${string}`,
  chainId: number,
  leave = false
): Promise<SessionView> => {
  // Loaded on demand, to keep the hash function out of the sign-in page.
  const { getAddress } = await import("viem/utils")
  const account = getAddress(address)
  const { message, nonce } = await send<SignInMessage>("POST", "/console/sign-in", { address: account, chainId })
  const hex = `0x${
    Array.from(new TextEncoder().encode(message), (byte) => byte.toString(16).padStart(2, "0")).join("")
  }`
  const signature = await provider.request({ method: "personal_sign", params: [hex, account] })
  const open = () => send<SessionView>("POST", "/console/session", { nonce, signature })
  return leave ? endSession(open) : open()
}
