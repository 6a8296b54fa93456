/** Wallets whose private keys are held by a key management service instead of as a ciphertext. */
export const keyProviderSchema: ReadonlyArray<string> = [
  `alter table gas_wallets
    alter column ciphertext drop not null,
    add column provider text not null default 'local' check (provider in ('local', 'aws-kms', 'gcp-kms', 'web3signer')),
    -- The provider's own name of the key. Not a secret, and not trusted: signatures must lead to the row's address.
    add column key_reference text check (length(key_reference) between 1 and 2048),
    add check ((provider = 'local') = (ciphertext is not null)),
    add check ((provider = 'local') = (key_reference is null))`
]
