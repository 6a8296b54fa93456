/** The measured unit costs. `npm run capacity -- --measure` measures them again and prints them in this form. */

/** Processor time in milliseconds. `second`: for each second that the thing exists. */
export interface Costs {
  readonly runner: {
    /** Once in the service, each runner, each network: for each second. */
    readonly service: number
    readonly process: number
    readonly network: number
    /** A round over a part of a network's bots, besides its bots. */
    readonly round: number
    readonly check: number
    readonly botSecond: number
    readonly walletCheck: number
    readonly sample: number
    /** Besides the cost of a sample: the vault's contract and list of assets are found. */
    readonly firstSample: number
    readonly trade: number
    readonly alert: number
  }
  readonly server: { readonly process: number; readonly read: number }
  readonly postgres: {
    readonly service: number
    readonly runner: number
    readonly server: number
    readonly network: number
    readonly round: number
    readonly check: number
    /** A row of a bot or a wallet that the list of a network's wallets reads. */
    readonly listedRow: number
    readonly botSecond: number
    readonly walletCheck: number
    readonly sample: number
    readonly read: number
    /** A note that a key was used. */
    readonly keyUse: number
    readonly trade: number
    readonly alert: number
  }
  /** Rows that are inserted. */
  readonly rows: { readonly sample: number; readonly trade: number; readonly alert: number }
  /** Bytes of the database, indexes included. */
  readonly bytes: {
    readonly empty: number
    readonly bot: number
    readonly wallet: number
    readonly sample: number
    readonly trade: number
    readonly alert: number
  }
  /** Bytes of write-ahead log. */
  readonly wal: {
    readonly serviceSecond: number
    readonly botSecond: number
    readonly walletCheck: number
    readonly sample: number
    readonly keyUse: number
    readonly trade: number
    readonly alert: number
  }
  /** Calls to nodes. */
  readonly calls: {
    readonly networkSecond: number
    readonly walletCheck: number
    readonly walletHour: number
    readonly sample: number
    readonly firstSample: number
    readonly trade: number
    readonly alert: number
  }
  /** Resident memory of a busy process, MB. */
  readonly megabytes: { readonly runner: number; readonly server: number }
}

/** Measured by `npm run capacity -- --measure` on the machine and day that docs/scale.md names. */
export const costs: Costs = {
  runner: {
    service: 3.64,
    process: 5.26,
    network: 0.683,
    round: 3.7,
    check: 0.0611,
    botSecond: 0.000106,
    walletCheck: 0.0619,
    sample: 2.08,
    firstSample: 0.38,
    trade: 18.9,
    alert: 4.26
  },
  server: {
    process: 2.92,
    read: 0.342
  },
  postgres: {
    service: 3.3,
    runner: 2.16,
    server: 0.784,
    network: 1.14,
    round: 1.71,
    check: 0.00697,
    listedRow: 0,
    botSecond: 0.000436,
    walletCheck: 0.0489,
    sample: 0.921,
    read: 0,
    keyUse: 0.0566,
    trade: 9.55,
    alert: 2.34
  },
  rows: {
    sample: 1,
    trade: 6.1,
    alert: 5
  },
  bytes: {
    empty: 13300000,
    bot: 1330,
    wallet: 1140,
    sample: 995,
    trade: 10300,
    alert: 4970
  },
  wal: {
    serviceSecond: 297,
    botSecond: 3.2,
    walletCheck: 601,
    sample: 1820,
    keyUse: 633,
    trade: 17700,
    alert: 9220
  },
  calls: {
    networkSecond: 0.108,
    walletCheck: 2,
    walletHour: 1,
    firstSample: 2,
    sample: 1.01,
    trade: 10.7,
    alert: 2.17
  },
  megabytes: {
    runner: 573,
    server: 432
  }
}
