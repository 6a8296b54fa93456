/** The actions that the audit log records, by name, with the sentence that explains each. */
export const auditActions = {
  "wallet.created": "A gas wallet was created.",
  "wallet.imported": "A private key was imported as a gas wallet.",
  "key.issued": "A wallet got an API key.",
  "key.revoked": "A wallet's API key was replaced and revoked, with everything else that ended.",
  "wallet.associated": "A manager's list got a wallet.",
  "wallet.removed": "A wallet was removed from a manager's list.",
  "wallet.renamed": "A wallet in a manager's list got another label.",
  "limits.lowered": "A wallet's limits became tighter.",
  "limits.raised": "A wallet's limits became looser in at least one part.",
  "switch.on": "A kill switch was turned on.",
  "switch.off": "A kill switch was turned off.",
  "token.created": "A webhook token was created.",
  "token.revoked": "A webhook token was revoked.",
  "webhook.set": "A webhook was set.",
  "webhook.deleted": "A webhook was deleted.",
  "exchange.registered": "An exchange account was registered.",
  "exchange.deleted": "An exchange account was deleted.",
  "bot.set": "A bot was set.",
  "bot.paused": "A bot was paused.",
  "bot.deleted": "A bot was deleted.",
  "lane.quarantined": "A lane was quarantined: it signs nothing.",
  "lane.released": "A lane's quarantine ended.",
  "kek.rewrapped": "Stored secrets were encrypted under another key-encryption key.",
  "session.opened": "A manager signed in.",
  "session.closed": "A manager signed out.",
  "row.refused": "The signing policy refused a submission.",
  "row.set_aside": "A row that cannot be read or trusted was set aside.",
  "transactions.signed": "Transactions were signed; their hashes are in the details.",
  "audit.sealed": "A range of entries was moved to a sealed file."
} as const

export type AuditAction = keyof typeof auditActions
